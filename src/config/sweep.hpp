// One entry of a config's "sweeps", read and checked but not yet expanded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/ranges.hpp"
#include "config/report.hpp"
#include "core/case.hpp"
#include "core/registry.hpp"

namespace redux {

struct Sweep {
  struct Tuple {
    const json::Value* at = nullptr;
    std::vector<std::int64_t> dims;
  };
  struct File {
    const json::Value* at = nullptr;
    std::string path;
    DType dtype = DType::float32;
    std::vector<std::int64_t> dims;
  };

  struct Graph {
    const json::Value* at = nullptr;
    GraphSource source;
  };

  const json::Value* at = nullptr;  ///< within the config's tree, which must outlive the sweep
  const Op* op = nullptr;           ///< null where it was not understood
  std::vector<const Variant*> variants;
  std::string compare_to;
  std::vector<DType> dtypes;  ///< of generated data; a file has its own
  std::vector<Tuple> shapes;  ///< explicit ones, before those of the grid
  const json::Value* grid_at = nullptr;
  std::vector<SizeList> grid;      ///< one list an axis, the last varies fastest
  std::vector<std::string> kinds;  ///< generated data; none where there are files
  std::vector<File> files;
  std::vector<Graph> graphs;  ///< of an op over graphs, in place of shapes and grid
  SizeList features;          ///< with each graph
  Attributes attributes;
  std::vector<Index> indices;  ///< each in turn in `attributes.index`
  std::uint64_t seed = 42;
  std::vector<std::string> tags;

  /// Cases that it expands to, before equal ones are merged; the largest int64 for more than that.
  [[nodiscard]] std::int64_t count() const;
};

/// What the reading of a sweep needs to know.
struct SweepContext {
  const Registry* registry = nullptr;
  std::string folder;  ///< of the config: data files are found from there
  Report* report = nullptr;
  std::int64_t most_cases = 0;  ///< of the whole config
};

/// Reports every fault; the parts that were understood are filled in.
Sweep read_sweep(const json::Value& value, const SweepContext& context);

}  // namespace redux
