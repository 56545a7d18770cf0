// How a table looks in a terminal and in Markdown.
#include <algorithm>
#include <string_view>

#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::report {
namespace {

constexpr std::string_view kGap = "  ";
/// Header lines are broken after '_' or a space beyond this, so that a long variant name does not
/// widen a column of short times.
constexpr std::size_t kHeaderWidth = 11;

struct Column {
  std::size_t index = 0;
  std::vector<std::string> header;  // its lines
  std::size_t width = 0;
};

std::vector<std::string> broken(const std::string& header) {
  std::vector<std::string> lines{""};
  std::string word;
  const auto flush = [&lines, &word] {
    const bool spaced = !word.empty() && word.back() == ' ';
    const std::size_t width = word.size() - (spaced ? 1 : 0);
    if (!lines.back().empty() && lines.back().size() + width > kHeaderWidth) lines.emplace_back();
    lines.back() += word;
    word.clear();
  };
  for (const char byte : header) {
    word += byte;
    if (byte == '_' || byte == ' ') flush();
  }
  flush();
  for (std::string& line : lines) {
    if (!line.empty() && line.back() == ' ') line.pop_back();
  }
  return lines;
}

std::vector<Column> columns_of(const Table& table) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.headers.size(); ++i) {
    Column column{.index = i, .header = broken(table.headers[i])};
    for (const std::string& line : column.header) {
      column.width = std::max(column.width, width_of(line));
    }
    for (const auto& row : table.rows) {
      column.width = std::max(column.width, width_of(row.at(i).text));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

/// The first column and as many of the others as fit, at least one, from `next` on.
std::vector<const Column*> block_of(const std::vector<Column>& columns, std::size_t& next,
                                    std::size_t width) {
  std::vector<const Column*> block{columns.data()};
  std::size_t used = columns.front().width;
  while (next < columns.size()) {
    const std::size_t more = kGap.size() + columns[next].width;
    if (block.size() > 1 && used + more > width) break;
    used += more;
    block.push_back(&columns[next++]);
  }
  return block;
}

std::string_view code_of(Style style) {
  switch (style) {
    case Style::best:
      return "\x1b[1;32m";
    case Style::bad:
      return "\x1b[1;31m";
    case Style::faint:
      return "\x1b[2m";
    case Style::plain:
      break;
  }
  return {};
}

std::string styled(const std::string& text, std::string_view code, bool colour) {
  if (!colour || code.empty()) return text;
  return std::string(code) + text + "\x1b[0m";
}

std::string padding(const Column& column, std::string_view text) {
  std::string blanks;
  blanks.resize(column.width - width_of(text), ' ');
  return blanks;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string header_text(const Table& table, const std::vector<const Column*>& block, bool colour) {
  std::size_t height = 0;
  for (const Column* column : block) height = std::max(height, column->header.size());
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string row;
    for (const Column* column : block) {
      // Lines stand at the bottom, next to the numbers.
      const std::size_t above = height - column->header.size();
      const std::string part = line < above ? "" : column->header[line - above];
      if (column != block.front()) row += kGap;
      const bool left = column->index < table.left_aligned;
      row += left ? part + padding(*column, part) : padding(*column, part) + part;
    }
    row = trimmed(std::move(row));
    row.pop_back();
    text += styled(row, "\x1b[1m", colour) + "\n";
  }
  return text;
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kMarkup = "|*<\\[]`";  // a name may be a link, too
  std::string safe;
  for (const char byte : printable(text)) {
    if (kMarkup.find(byte) != std::string_view::npos) safe += '\\';
    safe += byte;
  }
  return safe;
}

}  // namespace

std::string terminal_text(const Table& table, std::size_t width, bool colour) {
  std::string text;
  if (!table.title.empty()) text += styled(printable(table.title), "\x1b[1;4m", colour) + "\n";
  const std::vector<Column> columns = columns_of(table);
  if (columns.empty()) return text;
  std::size_t next = 1;
  bool first = true;
  do {
    const auto block = block_of(columns, next, width);
    if (!first) text += "\n";
    first = false;
    text += header_text(table, block, colour);
    for (const auto& row : table.rows) {
      std::string line;
      for (const Column* column : block) {
        const Cell& cell = row.at(column->index);
        const std::string shown = printable(cell.text);
        const std::string pad = padding(*column, shown);
        if (column != block.front()) line += kGap;
        const std::string part = styled(shown, code_of(cell.style), colour);
        line += column->index < table.left_aligned ? part + pad : pad + part;
      }
      text += trimmed(std::move(line));
    }
  } while (next < columns.size());
  return text;
}

std::string markdown_text(const Table& table) {
  std::string text;
  if (!table.title.empty()) text += "### " + escaped(table.title) + "\n\n";
  std::string rule = "|";
  text += "|";
  for (std::size_t i = 0; i < table.headers.size(); ++i) {
    text += " ";
    text += escaped(table.headers[i]);
    text += " |";
    rule += i < table.left_aligned ? " --- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const Cell& cell : row) {
      std::string shown = escaped(cell.text);
      text += " ";
      if (cell.style == Style::best || cell.style == Style::bad) {
        // The mark of the best is its bold type here.
        if (shown.ends_with("\\*")) shown.resize(shown.size() - 2);
        shown.insert(0, "**").append("**");
      }
      text += shown;
      text += " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace redux::report
