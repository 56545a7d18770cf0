#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/within_memory.hpp"

namespace redux::data {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
/// A node takes memory without a line of the text having to name it. As many as a generated power
/// law may have.
constexpr std::int64_t kMostNodes = std::int64_t{1} << 28U;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

enum class Field : std::uint8_t { pattern, real, integer };

/// One line after the other, and words within it. Every failure names the line.
class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(&path) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Failure(ExitCode::usage, *path_ + ":" + std::to_string(line_) + ": " + what);
  }

  /// False at the end of the text.
  bool next_line() {
    ++line_;
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    rest_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  /// The next line that is neither blank nor a comment.
  bool next_entry() {
    while (next_line()) {
      skip_blanks();
      if (!rest_.empty() && rest_.front() != '%') return true;
    }
    return false;
  }

  /// Empty at the end of the line.
  std::string_view word() {
    skip_blanks();
    const std::size_t end = std::min(rest_.find_first_of(kBlanks), rest_.size());
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  std::int64_t whole(std::string_view what) {
    const std::string_view text = word();
    std::int64_t value = 0;
    parse(text, value, what, "a whole number");
    return value;
  }

  void skip_value(Field field) {
    const std::string_view text = word();
    if (field == Field::integer) {
      std::int64_t value = 0;
      parse(text, value, "a value", "a whole number");
    } else {
      double value = 0;
      parse(text, value, "a value", "a number");
    }
  }

  void end_of_line() {
    const std::string_view more = word();
    if (!more.empty()) fail(quoted(more) + " after the end of what the line holds");
  }

  static std::string quoted(std::string_view text) {
    constexpr std::size_t kShown = 40;
    std::string shown = "'";
    for (const char c : text.substr(0, kShown)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > kShown ? "...'" : "'");
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }

  template <class T>
  void parse(std::string_view text, T& value, std::string_view what, std::string_view allowed) {
    std::string_view digits = text;
    // from_chars knows no '+', and "+-1" is no number.
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    const char* end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, value);
    if (result.ec == std::errc{} && result.ptr == end) return;
    fail(std::string(what) + " has to be " + std::string(allowed) + ", found " +
         (text.empty() ? "the end of the line" : quoted(text)));
  }

  std::string_view text_;
  const std::string* path_;
  std::size_t at_ = 0;
  std::int64_t line_ = 0;
  std::string_view rest_;
};

struct Header {
  Field field = Field::pattern;
  bool symmetric = false;
};

Header read_header(Reader& reader) {
  constexpr std::string_view kLine = "%%MatrixMarket matrix coordinate FIELD SYMMETRY";
  if (!reader.next_line()) reader.fail("the file is empty");
  if (lower_case(reader.word()) != "%%matrixmarket") {
    reader.fail("no Matrix Market file: its first line has to be " + std::string(kLine));
  }
  const auto word = [&](std::string_view what, auto allowed, std::string_view listed) {
    const std::string found = lower_case(reader.word());
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      if (found == allowed[i]) return i;
    }
    reader.fail(std::string(what) + " " + Reader::quoted(found) +
                " is not read; allowed: " + std::string(listed));
  };
  word("object", std::array<std::string_view, 1>{"matrix"}, "matrix");
  word("format", std::array<std::string_view, 1>{"coordinate"}, "coordinate");
  Header header;
  header.field = static_cast<Field>(
      word("field", std::array<std::string_view, 3>{"pattern", "real", "integer"},
           "pattern, real, integer"));
  header.symmetric = word("symmetry", std::array<std::string_view, 2>{"general", "symmetric"},
                          "general, symmetric") == 1;
  reader.end_of_line();
  return header;
}

struct Entries {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> cols;
};

Entries read_entries(Reader& reader, const Header& header, std::size_t text_bytes) {
  Entries entries;
  if (!reader.next_entry()) reader.fail("the line with rows, columns and entries is missing");
  entries.nodes = reader.whole("the number of rows");
  const std::int64_t cols = reader.whole("the number of columns");
  const std::int64_t count = reader.whole("the number of entries");
  reader.end_of_line();
  if (entries.nodes < 0 || cols < 0 || count < 0) reader.fail("a negative size");
  if (entries.nodes != cols) {
    reader.fail(std::to_string(entries.nodes) + " rows and " + std::to_string(cols) +
                " columns; a graph's matrix is square");
  }
  if (entries.nodes > kMostNodes) {
    reader.fail(std::to_string(entries.nodes) + " rows and columns; at most " +
                std::to_string(kMostNodes) + " are read");
  }
  // No more than the text can hold, whatever it says: an entry takes four characters.
  const auto most = std::min(static_cast<std::size_t>(count), text_bytes / 4 + 1);
  entries.rows.reserve(most);
  entries.cols.reserve(most);
  const auto position = [&](std::string_view what) {
    const std::int64_t one_based = reader.whole(what);
    if (one_based < 1 || one_based > entries.nodes) {
      reader.fail(std::string(what) + " " + std::to_string(one_based) + " is outside 1 to " +
                  std::to_string(entries.nodes));
    }
    return one_based - 1;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (!reader.next_entry()) {
      reader.fail("the file ends after " + std::to_string(i) + " of " + std::to_string(count) +
                  " entries");
    }
    entries.rows.push_back(position("row"));
    entries.cols.push_back(position("column"));
    if (header.field != Field::pattern) reader.skip_value(header.field);
    reader.end_of_line();
  }
  if (reader.next_entry()) {
    reader.fail("more than the " + std::to_string(count) + " entries that were announced");
  }
  return entries;
}

/// Rows together, each in the order of the entries.
Csr to_rows(const Entries& entries, bool symmetric) {
  Csr graph;
  graph.row_ptr.assign(static_cast<std::size_t>(entries.nodes) + 1, 0);
  const auto each = [&](auto use) {
    for (std::size_t i = 0; i < entries.rows.size(); ++i) {
      use(entries.rows[i], entries.cols[i]);
      if (symmetric && entries.rows[i] != entries.cols[i]) use(entries.cols[i], entries.rows[i]);
    }
  };
  each([&](std::int64_t row, std::int64_t) { ++graph.row_ptr[static_cast<std::size_t>(row) + 1]; });
  for (std::size_t v = 1; v < graph.row_ptr.size(); ++v) graph.row_ptr[v] += graph.row_ptr[v - 1];
  graph.col_idx.resize(static_cast<std::size_t>(graph.row_ptr.back()));
  // Each start moves up to the next row's while its row is filled, so that no second array of as
  // many nodes is needed; then all of them are put back by one place.
  each([&](std::int64_t row, std::int64_t col) {
    const std::int64_t at = graph.row_ptr[static_cast<std::size_t>(row)]++;
    graph.col_idx[static_cast<std::size_t>(at)] = col;
  });
  std::shift_right(graph.row_ptr.begin(), graph.row_ptr.end(), 1);
  graph.row_ptr.front() = 0;
  return graph;
}

}  // namespace

Csr parse_matrix_market(std::string_view text, const std::string& path) {
  return within_memory(path, [&] {
    Reader reader(text, path);
    const Header header = read_header(reader);
    return to_rows(read_entries(reader, header, text.size()), header.symmetric);
  });
}

Csr read_matrix_market(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const bool there = std::filesystem::exists(status);
  if (!there || !std::filesystem::is_regular_file(status)) {
    throw Failure(ExitCode::usage, path + (there ? ": not a regular file" : ": no such file"));
  }
  std::ifstream file(path, std::ios::binary);
  const auto bytes = file ? std::filesystem::file_size(path, error) : 0;
  std::string text = within_memory(path, [bytes] { return std::string(bytes, '\0'); });
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (error || static_cast<std::size_t>(file.gcount()) != text.size()) {
    throw Failure(ExitCode::usage, path + ": cannot be read");
  }
  return parse_matrix_market(text, path);
}

}  // namespace redux::data
