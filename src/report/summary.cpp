#include "report/summary.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "report/text.hpp"

namespace redux::report {

Counts counts_of(std::span<const Record> records) {
  Counts counts;
  for (const Record& record : records) counts.add(record.status);
  return counts;
}

std::string summary_line(const Counts& counts, bool verify_only) {
  std::string text = fmt::format("{} of {} {}", counts.of(Status::ok), counts.total(),
                                 verify_only ? "verified" : "measured");
  std::string_view separator = ": ";
  for (const Status status : kAllStatuses) {
    if (counts.of(status) == 0) continue;
    text += fmt::format("{}{} {}", separator, counts.of(status), name_of(status));
    separator = ", ";
  }
  return text;
}

std::string fault_lines(std::span<const Record> records, bool all) {
  std::string text;
  std::map<std::pair<std::string, std::string>, int> unsupported;
  for (const Record& record : records) {
    if (record.status == Status::ok) continue;
    if (record.status == Status::unsupported && !all) {
      const Case& c = record.the_case;
      ++unsupported[{c.variant->op + "/" + c.variant->name, record.reason}];
      continue;
    }
    text += fmt::format("{}: {}: {}\n", name_of(record.status), printable(record.the_case.id()),
                        printable(record.reason));
    if (!record.repro.empty()) text += fmt::format("  reproduce: {}\n", printable(record.repro));
  }
  for (const auto& [key, count] : unsupported) {
    text += fmt::format("unsupported: {}: {} case{}: {}\n", key.first, count, count == 1 ? "" : "s",
                        printable(key.second));
  }
  return text;
}

}  // namespace redux::report
