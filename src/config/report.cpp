#include "config/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/nearest.hpp"

namespace redux {
namespace {

constexpr std::size_t kMostLines = 100;
// A text may hold a million faults; which come first in it is still found among so many.
constexpr std::size_t kMostKept = 10'000;

}  // namespace

std::string Report::line(json::Place place, const std::string& pointer,
                         const std::string& message) const {
  return fmt::format("{}:{}:{}: {}{}{}", path_, place.line, place.column, without_controls(pointer),
                     pointer.empty() ? "" : ": ", message);
}

void Report::fault(json::Place place, const std::string& pointer, const std::string& message) {
  if (faults_.size() == kMostKept) {
    ++not_kept_;
    return;
  }
  std::string text = line(place, pointer, message);
  if (seen_.insert(text).second) faults_.push_back({place, std::move(text)});
}

void Report::fault(const json::Value& at, const std::string& message) {
  fault(at.place, at.pointer, message);
}

void Report::notice(const json::Value& at, const std::string& message) {
  if (notices_.size() == kMostLines) return;
  if (noticed_.insert(message).second) notices_.push_back(line(at.place, at.pointer, message));
}

std::vector<std::string> Report::messages() const {
  std::vector<Line> sorted = faults_;
  std::ranges::stable_sort(sorted, {}, [](const Line& fault) {
    return std::pair(fault.place.line, fault.place.column);
  });
  std::vector<std::string> lines;
  for (const Line& fault : sorted) {
    if (lines.size() == kMostLines) {
      lines.push_back(
          fmt::format("{}: and {} more faults", path_, sorted.size() - kMostLines + not_kept_));
      break;
    }
    lines.push_back(fault.text);
  }
  return lines;
}

}  // namespace redux
