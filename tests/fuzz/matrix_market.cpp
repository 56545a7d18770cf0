// A Matrix Market text: what is accepted is a sound graph.
#include <charconv>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/graph.hpp"
#include "target.hpp"

namespace {

/// Nodes without entries are legal and take memory that no byte of the text pays for: texts that
/// announce many would be slow, and nothing else.
bool is_slow(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\v\f+"), line.size()));
    if (line.empty() || line.front() == '%') continue;
    std::int64_t nodes = 0;
    std::from_chars(line.data(), line.data() + line.size(), nodes);
    return nodes > 100'000 && nodes <= 1 << 28;  // beyond that they are refused
  }
  return false;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace redux;
  const std::string_view text = fuzz::text_of(data, size);
  if (is_slow(text)) return 0;
  try {
    const data::Csr graph = data::parse_matrix_market(text, "g.mtx");
    fuzz::require(csr_fault(graph.row_ptr, graph.col_idx).empty(), "an accepted graph is sound");
  } catch (const Failure& failure) {
    fuzz::require(failure.code() == ExitCode::usage, "a bad file is a usage error");
    fuzz::require_printable(failure.what());
  }
  return 0;
}
