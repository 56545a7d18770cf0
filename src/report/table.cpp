#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/op.hpp"
#include "report/text.hpp"

namespace redux::report {
namespace {

struct Row {
  std::string shape;
  std::map<std::string, const Record*> by_variant;
  const Record* best = nullptr;
  std::string compare_to;
};

struct Group {
  std::string name;
  std::vector<Row> rows;              // in the order in which their shapes came
  std::vector<std::string> variants;  // likewise, then sorted
};

/// What the cases of one table share: the id without the variant and the shape, as words.
std::string group_name(const Case& c) {
  std::string id = c.problem_id();
  std::string shape = "/";
  shape += c.shape.text();
  const auto at = id.find(shape);
  if (at != std::string::npos) id.erase(at, shape.size());
  std::ranges::replace(id, '/', ' ');
  return id;
}

double time_of(const Record& record) {
  const Timing* timing = record.status == Status::ok ? primary_timing(record) : nullptr;
  return timing == nullptr ? std::numeric_limits<double>::infinity() : timing->median_us;
}

/// Mean log of the time over the best of its row; infinite for a variant that was never measured.
double distance(const Group& group, const std::string& variant) {
  double sum = 0;
  int rows = 0;
  for (const Row& row : group.rows) {
    const auto found = row.by_variant.find(variant);
    if (row.best == nullptr || found == row.by_variant.end()) continue;
    const double time = time_of(*found->second);
    if (!std::isfinite(time)) continue;
    sum += std::log(time / time_of(*row.best));
    ++rows;
  }
  return rows == 0 ? std::numeric_limits<double>::infinity() : sum / rows;
}

void place(Group& group, const Record& record) {
  const std::string shape = record.the_case.shape.text();
  auto row = std::ranges::find(group.rows, shape, &Row::shape);
  if (row == group.rows.end()) {
    row = group.rows.insert(row, Row{.shape = shape, .by_variant = {}, .compare_to = {}});
  }
  const std::string& variant = record.the_case.variant->name;
  row->by_variant[variant] = &record;
  row->compare_to = record.the_case.compare_to;
  if (std::isfinite(time_of(record)) &&
      (row->best == nullptr || time_of(record) < time_of(*row->best))) {
    row->best = &record;
  }
  if (std::ranges::find(group.variants, variant) == group.variants.end()) {
    group.variants.push_back(variant);
  }
}

std::vector<Group> groups_of(std::span<const Record> records) {
  std::vector<Group> groups;
  for (const Record& record : records) {
    const std::string name = group_name(record.the_case);
    auto group = std::ranges::find(groups, name, &Group::name);
    if (group == groups.end()) {
      group = groups.insert(group, Group{.name = name, .rows = {}, .variants = {}});
    }
    place(*group, record);
  }
  for (Group& group : groups) {
    std::ranges::stable_sort(group.variants, {}, [&group](const std::string& variant) {
      return distance(group, variant);
    });
  }
  return groups;
}

/// "graph cold; host variants stream cold": which timings the cells of a group hold.
std::string shown(const Group& group) {
  std::set<std::string> host;
  std::set<std::string> cuda;
  for (const Row& row : group.rows) {
    for (const auto& [name, record] : row.by_variant) {
      const Timing* timing = primary_timing(*record);
      if (timing == nullptr) continue;
      auto& labels = record->the_case.variant->side == Side::host ? host : cuda;
      labels.insert(fmt::format("{} {}", name_of(timing->mode), name_of(timing->cache)));
    }
  }
  if (cuda.empty()) return fmt::format("{}", fmt::join(host, ", "));
  std::string text = fmt::format("{}", fmt::join(cuda, ", "));
  if (!host.empty() && host != cuda) {
    text += fmt::format("; host variants {}", fmt::join(host, ", "));
  }
  return text;
}

Cell cell_of(const Row& row, const std::string& variant, bool verify_only) {
  const auto found = row.by_variant.find(variant);
  if (found == row.by_variant.end()) return {"-", Style::faint};
  const Record& record = *found->second;
  switch (record.status) {
    case Status::ok:
      break;
    case Status::unsupported:
      return {"unsup", Style::faint};
    case Status::skipped:
      return {"skip", Style::faint};
    case Status::wrong:
      return {"WRONG", Style::bad};
    case Status::error:
      return {"error", Style::bad};
    case Status::timeout:
      return {"timeout", Style::bad};
    case Status::invalid_timing:
      return {"invalid", Style::bad};
  }
  const Timing* timing = primary_timing(record);
  if (verify_only || timing == nullptr) return {"ok"};
  const bool best = row.best == &record;
  return {time_text(timing->median_us) + (record.launch_bound ? "~" : "") + (best ? "*" : ""),
          best ? Style::best : Style::plain};
}

std::string speed_up(const Row& row) {
  const auto base = row.by_variant.find(row.compare_to);
  if (row.best == nullptr || base == row.by_variant.end()) return "-";
  const double time = time_of(*base->second);
  return std::isfinite(time) ? fmt::format("{:.2f}x", time / time_of(*row.best)) : "-";
}

Table table_of(const Group& group, bool verify_only) {
  std::set<std::string> bases;
  bool shares = false;
  bool gathers = false;
  for (const Row& row : group.rows) {
    // A base that this run does not have (no GPU, filtered out) would be a column of dashes.
    if (row.by_variant.contains(row.compare_to)) bases.insert(row.compare_to);
    shares = shares || (row.best != nullptr && row.best->ceiling_share);
    gathers = gathers || (row.best != nullptr && row.best->gather_gbps);
  }
  if (verify_only) bases.clear();
  shares = shares && !verify_only;
  gathers = gathers && !verify_only;

  Table table;
  const std::string timings = shown(group);
  table.title = group.name;
  if (verify_only) table.title += ": verified only";
  if (!verify_only && !timings.empty()) table.title += ": median time of a call, " + timings;
  table.headers = {"shape"};
  if (!verify_only) table.headers.emplace_back("best");
  if (!bases.empty()) {
    table.headers.push_back(bases.size() == 1 ? "best over " + *bases.begin() : "speed-up");
  }
  if (shares) table.headers.emplace_back("of ceiling");
  if (gathers) table.headers.emplace_back("gather GB/s");
  table.headers.insert(table.headers.end(), group.variants.begin(), group.variants.end());
  table.left_aligned = verify_only ? 1 : 2;

  for (const Row& row : group.rows) {
    std::vector<Cell> cells{{row.shape}};
    if (!verify_only) {
      cells.push_back({row.best == nullptr ? "-" : row.best->the_case.variant->name});
    }
    if (!bases.empty()) {
      cells.push_back({speed_up(row) + (bases.size() > 1 ? " " + row.compare_to : "")});
    }
    if (shares) {
      const bool known = row.best != nullptr && row.best->ceiling_share.has_value();
      cells.push_back({known ? fmt::format("{:.1f}%", 100 * *row.best->ceiling_share) : "-"});
    }
    if (gathers) {
      const bool known = row.best != nullptr && row.best->gather_gbps.has_value();
      cells.push_back({known ? fmt::format("{:.0f}", *row.best->gather_gbps) : "-"});
    }
    for (const std::string& variant : group.variants) {
      cells.push_back(cell_of(row, variant, verify_only));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string extents(const Extent3& extent) {
  std::string text = std::to_string(extent.x);
  const auto add = [&text](std::uint32_t more) {
    text += 'x';
    text += std::to_string(more);
  };
  if (extent.y != 1 || extent.z != 1) add(extent.y);
  if (extent.z != 1) add(extent.z);
  return text;
}

std::string waves_text(double waves) {
  if (waves < 1) return fmt::format("{:.2g}", waves);
  return waves < 10 ? fmt::format("{:.1f}", waves) : fmt::format("{:.0f}", waves);
}

std::vector<Cell> launch_cells(const Record& record) {
  if (!record.launch) return std::vector<Cell>(9, Cell{"-", Style::faint});
  const LaunchFacts& launch = *record.launch;
  const Geometry& geometry = launch.geometry;
  return {{extents(geometry.grid)},
          {extents(geometry.block)},
          {std::to_string(geometry.shared_bytes + launch.static_shared_bytes.value_or(0))},
          {launch.registers ? std::to_string(*launch.registers) : "-"},
          {launch.occupancy ? fmt::format("{:.0f}%", 100 * *launch.occupancy) : "-"},
          {launch.waves ? waves_text(*launch.waves) : "-"},
          {std::to_string(record.workspace_bytes)},
          {fmt::format("{}+{}", geometry.kernels, geometry.memsets)},
          {geometry.picked.empty() ? "-" : geometry.picked}};
}

}  // namespace

const Timing* primary_timing(const Record& record) {
  const Timing* first = nullptr;
  for (const Timing& timing : record.timings) {
    if (timing.samples_us.empty()) continue;
    if (timing.cache == Cache::cold) return &timing;
    if (first == nullptr) first = &timing;
  }
  return first;
}

std::vector<Table> result_tables(std::span<const Record> records, bool verify_only) {
  std::vector<Table> tables;
  for (const Group& group : groups_of(records)) tables.push_back(table_of(group, verify_only));
  return tables;
}

Table detail_table(std::span<const Record> records) {
  Table table{.title = "every timing",
              .headers = {"case", "timing", "median", "MAD", "min", "p95", "95% low", "95% high",
                          "n", "calls", "grid", "block", "shared bytes", "registers", "occupancy",
                          "waves", "scratch bytes", "kernels+ memsets", "picked"},
              .rows = {},
              .left_aligned = 2};
  for (const Record& record : records) {
    if (record.status != Status::ok) continue;  // the time of a wrong case is no result
    for (const Timing& timing : record.timings) {
      std::vector<Cell> cells{{record.the_case.id()},
                              {fmt::format("{} {}", name_of(timing.mode), name_of(timing.cache))}};
      const bool measured = !timing.samples_us.empty();
      for (const double time : {timing.median_us, timing.mad_us, timing.min_us, timing.p95_us,
                                timing.ci95_us[0], timing.ci95_us[1]}) {
        cells.push_back({measured ? time_text(time) : "-"});
      }
      cells.push_back({std::to_string(timing.samples_us.size())});
      cells.push_back({std::to_string(timing.calls_per_sample)});
      for (Cell& cell : launch_cells(record)) cells.push_back(std::move(cell));
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

std::string legend(std::span<const Record> records) {
  const bool timed = std::ranges::any_of(
      records, [](const Record& record) { return std::isfinite(time_of(record)); });
  if (!timed) return {};
  std::string text = "* best of its row";
  if (std::ranges::any_of(records, [](const Record& record) { return record.launch_bound; })) {
    text += "; ~ launch-bound: within 1.5x of an empty kernel's time";
  }
  return text;
}

}  // namespace redux::report
