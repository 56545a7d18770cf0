// Where the graph of a case comes from: a generated kind with its parameters, or files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace redux {

struct GraphSource {
  std::string kind;         ///< "cyclic", ...; "file"; empty where the op takes tensors
  std::int64_t nodes = 0;   ///< of a generated graph, as all below but the files
  std::int64_t degree = 0;  ///< neighbours a node, as the kind means it
  std::optional<std::int64_t> edges = {};  ///< of all nodes, in place of `degree`
  std::optional<int> share = {};           ///< percent; nothing where the kind's default holds
  bool local = false;     ///< neighbours near their node in memory, not anywhere in the table
  std::string file = {};  ///< a Matrix Market file, or the .npy file of row_ptr
  std::string col_idx_file = {};  ///< the .npy file of col_idx, if it is a pair of arrays

  /// Stands in case ids: "cyclic-640-16", "hub-1720000-e7770000-s50", "with_empty-1000-16-local", a
  /// file's name without its ending.
  [[nodiscard]] std::string name() const;

  bool operator==(const GraphSource&) const = default;
};

}  // namespace redux
