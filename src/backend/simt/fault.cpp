#include "backend/simt/fault.hpp"

#include <array>

namespace redux::simt {

std::string_view name_of(FaultKind kind) {
  constexpr std::array<std::string_view, 11> kNames{
      "launch",    "out-of-bounds",     "write-to-input", "misaligned-access", "uninitialised-read",
      "data-race", "divergent-barrier", "lane-mask",      "cluster",           "deadlock",
      "hang"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace redux::simt
