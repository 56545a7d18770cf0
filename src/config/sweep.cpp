#include "config/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "config/nearest.hpp"
#include "config/sweep_parts.hpp"

namespace redux {
namespace {

const std::vector<std::string>& sweep_keys() {
  static const std::vector<std::string> keys{"op",         "variants", "exclude_variants",
                                             "compare_to", "dtypes",   "shapes",
                                             "grid",       "axis",     "nan",
                                             "empty",      "index",    "data",
                                             "seed",       "tags",     "graphs",
                                             "features"};
  return keys;
}

const Op* read_op(const json::Value& value, const SweepContext& context) {
  std::vector<std::string> names;
  for (const Op* op : context.registry->ops()) names.push_back(op->name);
  const auto name = read_choice(value, "op", names, *context.report);
  return name ? context.registry->find_op(*name) : nullptr;
}

/// Keys that are known but belong to ops of the other sort: the message need not call them
/// misspelt.
void refuse_keys_of_others(const json::Value& value, const Op& op, Report& report) {
  for (const json::Member& member : value.members) {
    const bool of_graphs = member.key == "graphs" || member.key == "features";
    const bool of_tensors = member.key == "shapes" || member.key == "grid";
    if (op.takes_graphs ? !of_tensors : !of_graphs) continue;
    report.fault(member.place, value.pointer,
                 op.takes_graphs
                     ? fmt::format("'{}' belongs to ops over tensors; {} takes graphs: give "
                                   "'graphs' and 'features'",
                                   member.key, op.name)
                     : fmt::format("'{}' belongs to ops over graphs; {} takes tensors: give "
                                   "'shapes' or 'grid'",
                                   member.key, op.name));
  }
}

template <class T>
std::optional<T> named(const json::Value& value, std::string_view what,
                       std::initializer_list<T> all, Report& report) {
  std::vector<std::string> names;
  for (const T one : all) names.emplace_back(name_of(one));
  const auto name = read_choice(value, what, names, report);
  if (!name) return std::nullopt;
  return *std::ranges::find_if(all, [&name](T one) { return name_of(one) == *name; });
}

// Every case has a copy of its sweep's tags.
constexpr std::size_t kMostTags = 32;
constexpr std::size_t kLongestTag = 64;

bool is_tag(std::string_view text) {
  return !text.empty() && text.size() <= kLongestTag && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

std::vector<std::string> read_tags(const json::Value& value, Report& report) {
  std::vector<std::string> tags;
  const auto* items = read_list(value, "tags", report);
  if (items == nullptr) return tags;
  if (items->size() > kMostTags) {
    report.fault(value, fmt::format("{} tags; at most {} are allowed", items->size(), kMostTags));
    return tags;
  }
  for (const json::Value& item : *items) {
    if (item.kind != json::Kind::string || !is_tag(item.text)) {
      report.fault(item, fmt::format("a tag must be a string of letters, digits, '_', '.' and '-', "
                                     "at most {} of them, found {}",
                                     kLongestTag, found(item)));
    } else if (std::ranges::find(tags, item.text) == tags.end()) {
      tags.push_back(item.text);
    }
  }
  return tags;
}

}  // namespace

void read_attributes(const Fields& fields, Report& report, Sweep& sweep) {
  if (sweep.op != nullptr) sweep.attributes = sweep.op->defaults;
  const auto allowed = [&](std::string_view key) -> const json::Value* {
    const json::Value* value = fields.find(key);
    if (value == nullptr || sweep.op == nullptr) return value;
    const auto& has = sweep.op->attributes;
    if (std::ranges::find(has, key) != has.end()) return value;
    report.fault(*value, fmt::format("{} has no attribute '{}' (it has: {})", sweep.op->name, key,
                                     has.empty() ? "none" : listed(has)));
    return nullptr;
  };
  if (const auto* axis = allowed("axis")) {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto read = read_integer(*axis, "axis", report, Limits::min(), Limits::max());
    sweep.attributes.axis = static_cast<int>(read.value_or(sweep.attributes.axis));
  }
  if (const auto* nan = allowed("nan")) {
    sweep.attributes.nan = named(*nan, "nan policy", {Nan::skip, Nan::propagate}, report)
                               .value_or(sweep.attributes.nan);
  }
  if (const auto* empty = allowed("empty")) {
    sweep.attributes.empty =
        named(*empty, "empty fill", {Empty::negative_infinity, Empty::zero}, report)
            .value_or(sweep.attributes.empty);
  }
  if (const auto* index = allowed("index")) {
    const auto* items = read_list(*index, "index types (int32, int64)", report);
    if (items != nullptr) {
      for (const json::Value& item : *items) {
        const auto one = named(item, "index type", {Index::int32, Index::int64}, report);
        if (one) sweep.indices.push_back(*one);
      }
    }
  }
  if (sweep.indices.empty()) sweep.indices.push_back(sweep.attributes.index);
}

Sweep read_sweep(const json::Value& value, const SweepContext& context) {
  Report& report = *context.report;
  Sweep sweep;
  sweep.at = &value;
  const Fields fields(value, sweep_keys(), report);
  if (!fields.is_object()) return sweep;
  if (const auto* op = fields.require("op", report)) sweep.op = read_op(*op, context);
  if (sweep.op != nullptr) refuse_keys_of_others(value, *sweep.op, report);
  read_variants(fields, context, sweep);
  read_attributes(fields, report, sweep);
  if (sweep.op != nullptr && sweep.op->takes_graphs) {
    read_graph_problems(fields, context, sweep);
  } else if (sweep.op != nullptr || fields.find("graphs") == nullptr) {
    read_problems(fields, context, sweep);
  }
  if (const auto* seed = fields.find("seed")) {
    sweep.seed = read_unsigned(*seed, "seed", report).value_or(sweep.seed);
  }
  if (const auto* tags = fields.find("tags")) sweep.tags = read_tags(*tags, report);
  return sweep;
}

std::int64_t Sweep::count() const {
  const auto size = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  // A list that was not understood is empty; the shapes are still walked once to check them.
  const auto factor = [&size](const auto& list) { return std::max<std::int64_t>(1, size(list)); };
  std::int64_t tuples = grid.empty() ? 0 : 1;
  for (const SizeList& axis : grid) tuples = saturating_multiply(tuples, count_of(axis));
  tuples = saturating_add(tuples, size(shapes));
  tuples = saturating_add(tuples, saturating_multiply(size(graphs), count_of(features)));
  const std::int64_t generated =
      saturating_multiply(saturating_multiply(tuples, factor(dtypes)), factor(kinds));
  const std::int64_t problems =
      saturating_multiply(saturating_add(generated, size(files)), factor(indices));
  return saturating_multiply(problems, factor(variants));
}

}  // namespace redux
