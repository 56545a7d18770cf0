#include "report/markdown.hpp"

#include <fmt/format.h>

#include <iterator>

#include "redux_version.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::report {
namespace {

std::string facts_text(const RunFacts& facts, const Ceilings& ceilings) {
  const Environment& env = facts.environment;
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("- {}: {}\n", name, printable(value));
  };
  const auto number = [](const std::optional<double>& value, std::string_view unit) {
    return value ? fmt::format("{:.4g} {}", *value, unit) : std::string{};
  };
  add("Started", facts.started);
  add("Run", facts.run_id);
  add("redux-bench", fmt::format("{} ({}), {}", REDUX_VERSION, REDUX_GIT, env.build));
  if (env.gpu) {
    add("GPU", fmt::format("{}, {} multiprocessors, driver {}, CUDA {}", env.gpu->name,
                           env.gpu->multiprocessors, env.driver, env.cuda_runtime));
  }
  add("CPU", fmt::format("{}, {} threads", env.cpu, env.cpu_threads));
  add("System", env.os);
  add("Empty kernel, graph", number(ceilings.graph_floor_us, "us"));
  add("Empty kernel, stream", number(ceilings.stream_floor_us, "us"));
  add("Read ceiling", number(ceilings.read_gbps, "GB/s"));
  add("Copy ceiling", number(ceilings.copy_gbps, "GB/s"));
  add("Host read ceiling", number(ceilings.host_read_gbps, "GB/s"));
  add("Host copy ceiling", number(ceilings.host_copy_gbps, "GB/s"));
  return text;
}

}  // namespace

std::string markdown_report(const RunFacts& facts, const Ceilings& ceilings,
                            std::span<const Record> records) {
  std::string text =
      fmt::format("# redux-bench results\n\n{}\n\n{}\n",
                  summary_line(counts_of(records), facts.verify_only), facts_text(facts, ceilings));
  for (const Table& table : result_tables(records, facts.verify_only)) {
    text += markdown_text(table) + "\n";
  }
  if (const std::string marks = legend(records); !marks.empty()) {
    text += "Bold: best of its row." +
            std::string(marks.find('~') == std::string::npos
                            ? "\n"
                            : " ~: launch-bound, within 1.5x of an empty kernel's time.\n");
  }
  const std::string faults = fault_lines(records, true);
  if (!faults.empty()) text += "\n### Not ok\n\n```\n" + faults + "```\n";
  return text;
}

}  // namespace redux::report
