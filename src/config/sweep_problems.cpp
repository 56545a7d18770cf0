#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/nearest.hpp"
#include "config/sweep_parts.hpp"
#include "core/status.hpp"
#include "data/data.hpp"

namespace redux {
namespace {

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  names.reserve(kAllDTypes.size());
  for (const DType dtype : kAllDTypes) names.emplace_back(name_of(dtype));
  return names;
}

/// False, reported, where the op lacks the dtype.
bool op_has(const Op* op, DType dtype, const json::Value& at, Report& report) {
  if (op == nullptr || std::ranges::find(op->dtypes, dtype) != op->dtypes.end()) return true;
  std::vector<std::string> names;
  for (const DType one : op->dtypes) names.emplace_back(name_of(one));
  report.fault(at, fmt::format("{} does not take {} (it takes: {})", op->name, name_of(dtype),
                               listed(names)));
  return false;
}

bool is_file_name(std::string_view name, std::string_view ending) {
  if (name.size() <= ending.size() || !name.ends_with(ending)) return false;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (control_bytes(name, at) != 0) return false;
  }
  return true;
}

std::optional<std::string> read_file_name(const json::Value& value, const std::string& folder,
                                          Report& report) {
  const Fields fields(value, {"file"}, report);
  const json::Value* file = fields.require("file", report);
  if (file == nullptr) return std::nullopt;
  return read_path(*file, folder, ".npy", "file must be the path of a NumPy array", report);
}

/// Reads "data" into kinds or files (which have their paths only).
void read_data(const json::Value& value, const SweepContext& context, Sweep& sweep) {
  Report& report = *context.report;
  const auto add_file = [&](const json::Value& item) {
    const auto path = read_file_name(item, context.folder, report);
    sweep.files.push_back({&item, path.value_or(std::string{}), {}, {}});
  };
  sweep.kinds.clear();
  if (value.kind == json::Kind::object) {
    add_file(value);
    return;
  }
  const auto* items = read_list(value, R"(data kinds, or {"file": "x.npy"})", report);
  if (items == nullptr) return;
  bool named = false;
  for (const json::Value& item : *items) {
    if (item.kind == json::Kind::object) {
      add_file(item);
      continue;
    }
    named = true;
    if (sweep.op == nullptr) continue;
    const auto kind = read_choice(item, "data kind", sweep.op->data_kinds, report);
    if (kind) sweep.kinds.push_back(*kind);
  }
  if (named && !sweep.files.empty()) {
    report.fault(value, "data kinds and files cannot stand in one sweep; write two sweeps");
  }
}

/// Shape and dtype of each file from its header. `dtypes` may confirm the dtype, or ask for the
/// uint16 view that NumPy keeps bfloat16 in to be read as such. Files with faults are dropped.
void read_headers(const json::Value* asked, const SweepContext& context, Sweep& sweep) {
  Report& report = *context.report;
  const std::vector<Sweep::File> files = std::exchange(sweep.files, {});
  std::vector<DType> dtypes;
  if (asked != nullptr) {
    dtypes = read_dtypes(*asked, nullptr, report);
    if (asked->items.size() > 1) {
      report.fault(*asked, "a file has one dtype; leave dtypes out or give that one");
    }
    if (dtypes.size() != 1) return;
  }
  const bool as_bfloat16 = !dtypes.empty() && dtypes.front() == DType::bfloat16;
  for (const Sweep::File& file : files) {
    if (file.path.empty()) continue;
    try {
      const NpyHeader header = read_npy_header(file.path, as_bfloat16);
      if (!dtypes.empty() && dtypes.front() != header.dtype) {
        report.fault(*asked, fmt::format("dtypes asks for {}, but {} holds {} ('{}')",
                                         name_of(dtypes.front()), file.path, name_of(header.dtype),
                                         header.descr));
      }
      if (op_has(sweep.op, header.dtype, *file.at, report)) {
        sweep.files.push_back({file.at, file.path, header.dtype, header.dims});
      }
    } catch (const Failure& failure) {
      report.fault(*file.at, failure.what());
    }
  }
}

bool is_bearable_rank(const json::Value& list, Report& report) {
  if (list.items.size() <= kMostExtents) return true;
  report.fault(list, fmt::format("a shape of {} extents; at most {} are allowed", list.items.size(),
                                 kMostExtents));
  return false;
}

void read_shapes(const json::Value& value, Report& report, Sweep& sweep) {
  const auto* items = read_list(value, "shapes, each a list of extents", report);
  if (items == nullptr) return;
  for (const json::Value& item : *items) {
    const auto* extents = read_list(item, "extents", report);
    if (extents == nullptr || !is_bearable_rank(item, report)) continue;
    Sweep::Tuple tuple{&item, {}};
    for (const json::Value& extent : *extents) {
      if (const auto size = read_integer(extent, "extent", report)) tuple.dims.push_back(*size);
    }
    if (tuple.dims.size() == extents->size()) sweep.shapes.push_back(std::move(tuple));
  }
}

void read_grid(const json::Value& value, Report& report, Sweep& sweep) {
  const auto* axes = read_list(value, "axes, each a range or a list of extents and ranges", report);
  if (axes == nullptr || !is_bearable_rank(value, report)) return;
  sweep.grid_at = &value;
  for (const json::Value& axis : *axes) {
    sweep.grid.push_back(read_axis_sizes(axis, report));
    if (sweep.grid.back().empty()) {  // reported: a grid with an axis missing would mean another
      sweep.grid.clear();
      return;
    }
  }
}

}  // namespace

std::vector<DType> read_dtypes(const json::Value& value, const Op* op, Report& report) {
  std::vector<DType> dtypes;
  const auto* items = read_list(value, fmt::format("dtypes ({})", listed(dtype_names())), report);
  if (items == nullptr) return dtypes;
  for (const json::Value& item : *items) {
    const auto name = read_choice(item, "dtype", dtype_names(), report);
    if (!name) continue;
    const DType dtype = *parse_dtype(*name);
    if (op_has(op, dtype, item, report)) dtypes.push_back(dtype);
  }
  return dtypes;
}

std::optional<std::string> read_path(const json::Value& value, const std::string& folder,
                                     std::string_view ending, std::string_view what,
                                     Report& report) {
  if (value.kind != json::Kind::string || !is_file_name(value.text, ending)) {
    report.fault(value, fmt::format("{}, *{}, found {}", what, ending, found(value)));
    return std::nullopt;
  }
  if (value.text.starts_with('/') || folder.empty()) return value.text;
  return folder + "/" + value.text;
}

void read_problems(const Fields& fields, const SweepContext& context, Sweep& sweep) {
  Report& report = *context.report;
  const json::Value* dtypes = fields.find("dtypes");
  const json::Value* shapes = fields.find("shapes");
  const json::Value* grid = fields.find("grid");
  sweep.kinds = {"random"};
  if (const auto* data = fields.find("data")) read_data(*data, context, sweep);
  if (!sweep.files.empty()) {
    for (const json::Value* given : {shapes, grid}) {
      if (given != nullptr) report.fault(*given, "data comes from a file, and so does its shape");
    }
    read_headers(dtypes, context, sweep);
    return;
  }
  if (dtypes != nullptr) {
    sweep.dtypes = read_dtypes(*dtypes, sweep.op, report);
  } else {
    fields.require("dtypes", report);
  }
  if (shapes == nullptr && grid == nullptr) {
    report.fault(*sweep.at, "neither 'shapes' nor 'grid' is there; a sweep needs one or both");
  }
  if (shapes != nullptr) read_shapes(*shapes, report, sweep);
  if (grid != nullptr) read_grid(*grid, report, sweep);
}

}  // namespace redux
