#include "config/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "config/nearest.hpp"
#include "core/op.hpp"
#include "core/status.hpp"
#include "data/graph.hpp"

namespace redux {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Bytes of a tensor, as though its extents of 0 were 1, so that no product of some of its extents
/// overflows either; nothing where they exceed int64.
std::optional<std::int64_t> bytes_of(TensorSpec spec) {
  std::erase(spec.dims, 0);
  const auto count = Shape{std::move(spec.dims), {}}.elements();
  std::int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, size_of(spec.dtype), &bytes)) return std::nullopt;
  return bytes;
}

std::string fault_of(const Case& c) {
  // Without its zeros, so that partial products (of the rows alone, say) cannot overflow either.
  Shape extents = c.shape;
  std::erase(extents.dims, 0);
  // Nodes, edges and features are no extents of one tensor.
  if (!c.op->takes_graphs && !extents.elements()) {
    return fmt::format("is too large; the product of its extents exceeds {}", kMost);
  }
  if (c.op->check != nullptr) {
    if (std::string fault = c.op->check(c); !fault.empty()) return fault;
  }
  std::int64_t total = 0;
  for (const auto tensors : {c.op->inputs, c.op->outputs}) {
    for (const TensorSpec& spec : tensors(c)) {
      const auto bytes = bytes_of(spec);
      if (!bytes || __builtin_add_overflow(total, *bytes, &total)) {
        return fmt::format("is too large; with '{}' as {} its tensors exceed {} bytes", spec.name,
                           name_of(spec.dtype), kMost);
      }
    }
  }
  return {};
}

class Expander {
 public:
  explicit Expander(Report& report) : report_(&report) {}

  void add(const Sweep& sweep) {
    sweep_ = &sweep;
    merged_ = 0;
    // A sweep with faults elsewhere is still checked shape by shape, with a stand-in dtype if need
    // be, so that all faults are told at once.
    std::vector<DType> dtypes = sweep.dtypes;
    if (dtypes.empty()) dtypes.push_back(sweep.op->dtypes.front());
    for (const Sweep::Tuple& tuple : sweep.shapes) add_shape(*tuple.at, tuple.dims, dtypes);
    add_grid(dtypes);
    for (const Sweep::Graph& graph : sweep.graphs) add_graph(graph, dtypes);
    for (const Sweep::File& file : sweep.files) {
      for (const Index index : sweep.indices) {
        Case c = problem(file.dtype, file.dims, index);
        c.data = "file";
        c.data_file = file.path;
        if (is_sound(c, *file.at)) add_variants(c);
      }
    }
    if (merged_ > 0) {
      report_->notice(*sweep.at, fmt::format("{} of its cases repeat earlier ones and are merged "
                                             "with them, first {}",
                                             merged_, first_merged_));
    }
  }

  /// Brings the variants of each problem together, in the order of first appearance.
  std::vector<Case> take() {
    std::unordered_map<std::string, std::size_t> order;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const auto [problem, fresh] = order.try_emplace(cases_[i].problem_id(), order.size());
      places.emplace_back(problem->second, i);
    }
    std::ranges::sort(places);
    std::vector<Case> grouped;
    grouped.reserve(cases_.size());
    for (const auto& place : places) grouped.push_back(std::move(cases_[place.second]));
    return grouped;
  }

 private:
  [[nodiscard]] Case problem(DType dtype, const std::vector<std::int64_t>& dims,
                             Index index) const {
    Case c;
    c.op = sweep_->op;
    c.dtype = dtype;
    c.shape.dims = dims;
    if (graph_ != nullptr) {
      c.graph = *graph_;
      c.shape.graph = graph_->name();
    }
    c.attributes = sweep_->attributes;
    c.attributes.index = index;
    c.seed = sweep_->seed;
    c.compare_to = sweep_->compare_to;
    c.tags = sweep_->tags;
    return c;
  }

  bool is_sound(const Case& c, const json::Value& at) {
    const std::string fault = fault_of(c);
    if (fault.empty()) return true;
    report_->fault(at, fmt::format("shape {}: {}", c.shape.text(), fault));
    return false;
  }

  void add_shape(const json::Value& at, const std::vector<std::int64_t>& dims,
                 const std::vector<DType>& dtypes) {
    for (const DType dtype : dtypes) {
      for (const Index index : sweep_->indices) {
        Case c = problem(dtype, dims, index);
        if (!is_sound(c, at)) continue;
        for (const std::string& kind : sweep_->kinds) {
          c.data = kind;
          add_variants(c);
        }
      }
    }
  }

  void add_grid(const std::vector<DType>& dtypes) {
    if (sweep_->grid.empty()) return;
    std::vector<std::vector<std::int64_t>> axes;
    std::vector<std::int64_t> dims;
    for (const SizeList& list : sweep_->grid) {
      axes.push_back(redux::expand(list));
      dims.push_back(axes.back().front());
    }
    std::vector<std::size_t> at(axes.size(), 0);
    while (true) {
      add_shape(*sweep_->grid_at, dims, dtypes);
      std::size_t axis = axes.size();
      while (axis > 0 && ++at[axis - 1] == axes[axis - 1].size()) {
        at[axis - 1] = 0;
        dims[axis - 1] = axes[axis - 1].front();
        --axis;
      }
      if (axis == 0) return;
      dims[axis - 1] = axes[axis - 1][at[axis - 1]];
    }
  }

  void add_graph(const Sweep::Graph& graph, const std::vector<DType>& dtypes) {
    try {
      graph_ = &graph.source;
      const auto [nodes, edges] = graph_extents(graph.source, sweep_->seed);
      for (const std::int64_t features : redux::expand(sweep_->features)) {
        add_shape(*graph.at, {nodes, edges, features}, dtypes);
      }
    } catch (const Failure& failure) {
      report_->fault(*graph.at, failure.what());
    }
    graph_ = nullptr;
  }

  void add_variants(Case& c) {
    for (const Variant* variant : sweep_->variants) {
      c.variant = variant;
      const std::string id = c.id();
      const auto [known, fresh] = ids_.try_emplace(id, cases_.size());
      if (fresh) {
        cases_.push_back(c);
      } else {
        merge(c, cases_[known->second], id);
      }
    }
  }

  void merge(const Case& c, Case& first, const std::string& id) {
    if (c.graph != first.graph) {
      report_->fault(*sweep_->at,
                     fmt::format("two graphs would both be {}; rename one of the files", id));
      return;
    }
    if (c.data_file != first.data_file) {
      report_->fault(*sweep_->at,
                     fmt::format("{} and {} would both be {}; rename one of the files",
                                 in_quotes(first.data_file), in_quotes(c.data_file), id));
      return;
    }
    if (first.compare_to.empty()) first.compare_to = c.compare_to;
    for (const std::string& tag : c.tags) {
      if (std::ranges::find(first.tags, tag) == first.tags.end()) first.tags.push_back(tag);
    }
    if (merged_++ == 0) {
      first_merged_ = id;
      if (c.seed != first.seed) first_merged_ += fmt::format(" (with its seed {})", first.seed);
    }
  }

  Report* report_;
  const Sweep* sweep_ = nullptr;
  const GraphSource* graph_ = nullptr;  ///< of the case that is made
  std::vector<Case> cases_;
  std::unordered_map<std::string, std::size_t> ids_;
  std::int64_t merged_ = 0;
  std::string first_merged_;
};

}  // namespace

std::vector<Case> expand(const std::vector<Sweep>& sweeps, Report& report) {
  Expander expander(report);
  for (const Sweep& sweep : sweeps) {
    if (sweep.op != nullptr) expander.add(sweep);
  }
  return expander.take();
}

}  // namespace redux
