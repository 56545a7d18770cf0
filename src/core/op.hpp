// What a reduction is, apart from any way of computing it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/attributes.hpp"
#include "core/problem.hpp"

namespace redux {

/// How an output is compared with the reference.
enum class Match : std::uint8_t {
  bits,     ///< every bit
  ieee,     ///< as values: any NaN equals any NaN, -0 equals +0
  bounded,  ///< as ieee, or no further off than Op::allowed_differences says
};

/// What an input is filled with.
enum class Content : std::uint8_t {
  data,     ///< the case's kind of data, or its file
  row_ptr,  ///< of the case's graph
  col_idx,  ///< likewise
};

struct TensorSpec {
  std::string name;
  DType dtype = DType::float32;
  std::vector<std::int64_t> dims;
  Match match = Match::bits;
  Content content = Content::data;

  [[nodiscard]] std::int64_t count() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : dims) product *= extent;
    return product;
  }
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(count()) * size_of(dtype);
  }
};

/// One per op, registered by its folder's op.cpp (see registry.hpp). All functions are pure.
struct Op {
  std::string name;
  std::string about;  ///< one line for --list-ops
  Attributes defaults;
  std::vector<std::string> attributes;  ///< those that a config may set: "axis", "nan", ...
  std::vector<std::string> data_kinds;  ///< those that make sense for it
  std::vector<DType> dtypes;
  /// Its cases are over graphs: a shape is nodes, edges and features.
  bool takes_graphs = false;

  /// Why a config may not ask for this case, or empty. Called before anything else below.
  std::string (*check)(const Case&) = nullptr;
  std::vector<TensorSpec> (*inputs)(const Case&) = nullptr;
  std::vector<TensorSpec> (*outputs)(const Case&) = nullptr;
  /// Fills the outputs on the host with a plain loop that shares no comparison with any variant.
  void (*reference)(const Problem&) = nullptr;
  /// A line comes to the same where everything before an element is replaced by one element: the
  /// one that the output "indices" names there. So the reference can go along a line that is too
  /// long for host memory.
  bool continues = false;
  /// Each input read once, each output written once.
  std::int64_t (*bytes_moved)(const Case&) = nullptr;
  /// The same where it depends on what the inputs hold: what no edge names need not be read.
  /// Null: bytes_moved holds for all data.
  std::int64_t (*compulsory_bytes)(const Problem&) = nullptr;
  /// Bytes of the rows that edges name, once for each edge: more than is moved from memory where
  /// caches help. Null: the op gathers nothing.
  std::int64_t (*gathered_bytes)(const Case&) = nullptr;
  /// Bytes that suffice for these inputs, given the reference's outputs: a NaN may end a search
  /// early. Null: no data allows fewer than bytes_moved.
  std::int64_t (*least_bytes)(const Problem&) = nullptr;
  /// For the output of that number, if it is Match::bounded: how far each element may be from the
  /// reference's, given the reference's outputs; infinity where nothing can be said of it. Null: no
  /// output is bounded.
  void (*allowed_differences)(const Problem&, std::size_t output,
                              std::span<double> allowed) = nullptr;
};

}  // namespace redux
