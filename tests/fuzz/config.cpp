// Text -> JSON -> config -> cases, and of each case what --list and --dry-run ask.
#include "config/config.hpp"

#include <algorithm>

#include "config/parse.hpp"
#include "core/op.hpp"
#include "core/registry.hpp"
#include "target.hpp"

namespace {

// Enough for every branch; a million cases would be one input in ten seconds.
constexpr std::int64_t kEnough = 500;

/// Degrees of a power law are made to be counted, and other graphs' are not: with many nodes that
/// is slow and nothing else.
bool is_slow(std::string_view text) {
  if (text.find("power_law") == std::string_view::npos) return false;
  std::size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits == 6) return true;
  }
  return false;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace redux;
  const std::string_view text = fuzz::text_of(data, size);
  if (is_slow(text)) return 0;
  try {
    const Config config = parse_config(text, "c.json", Registry::instance(), kEnough);
    fuzz::require(static_cast<std::int64_t>(config.cases.size()) <= kEnough,
                  "no more cases than are allowed");
    const DeviceFacts device;
    for (const Case& c : config.cases) {
      fuzz::require_printable(c.id());
      std::size_t bytes = 0;
      for (const auto tensors : {c.op->inputs, c.op->outputs}) {
        for (const TensorSpec& spec : tensors(c)) bytes += spec.bytes();
      }
      if (c.op->gathered_bytes != nullptr)
        bytes += static_cast<std::size_t>(c.op->gathered_bytes(c));
      fuzz::require(c.op->bytes_moved(c) >= 0, "bytes moved are no negative number");
      if (why_unsupported(*c.variant, c, device).empty()) workspace_bytes(*c.variant, c, device);
    }
    for (const std::string& notice : config.notices) fuzz::require_printable(notice);
  } catch (const ConfigError& error) {
    for (const std::string& message : error.messages()) fuzz::require_printable(message);
  }
  return 0;
}
