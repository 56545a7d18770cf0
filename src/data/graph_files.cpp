#include <cstring>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/data.hpp"
#include "data/graph.hpp"
#include "data/within_memory.hpp"

namespace redux::data {
namespace {

template <class Index>
void widen(const std::vector<std::byte>& bytes, std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Index value{};
    std::memcpy(&value, bytes.data() + (i * sizeof(Index)), sizeof(Index));
    values[i] = value;
  }
}

std::vector<std::int64_t> read_indices(const std::string& path, const char* name) {
  const NpyHeader header = read_npy_header(path, false);
  const bool whole = header.dtype == DType::int32 || header.dtype == DType::int64;
  if (!whole || header.dims.size() != 1) {
    throw Failure(ExitCode::usage, path + ": " + name +
                                       " has to be one row of int32 or int64, found " +
                                       std::string(name_of(header.dtype)) + " of shape (" +
                                       Shape{header.dims, {}}.text() + ")");
  }
  const std::vector<std::byte> bytes = read_npy(path, false);
  const auto count = static_cast<std::size_t>(header.dims.front());
  // The file may be another by now than when its header was read.
  if (bytes.size() != count * size_of(header.dtype)) {
    throw Failure(ExitCode::usage, path + ": changed while it was read");
  }
  std::vector<std::int64_t> values =
      within_memory(path, [count] { return std::vector<std::int64_t>(count); });
  if (header.dtype == DType::int32) {
    widen<std::int32_t>(bytes, values);
  } else {
    widen<std::int64_t>(bytes, values);
  }
  return values;
}

}  // namespace

Csr read_npy_pair(const std::string& row_ptr_path, const std::string& col_idx_path) {
  Csr graph{read_indices(row_ptr_path, "row_ptr"), read_indices(col_idx_path, "col_idx")};
  if (const std::string fault = csr_fault(graph.row_ptr, graph.col_idx); !fault.empty()) {
    const bool in_columns = fault.starts_with("col_idx");
    throw Failure(ExitCode::usage, (in_columns ? col_idx_path : row_ptr_path) + ": " + fault);
  }
  return graph;
}

}  // namespace redux::data
