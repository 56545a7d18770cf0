// A graph as a file gives it, before its indices are narrowed to what a case asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redux::data {

struct Csr {
  std::vector<std::int64_t> row_ptr;
  std::vector<std::int64_t> col_idx;
};

/// A Matrix Market text (NIST's exchange format): coordinate; pattern, real or integer; general or
/// symmetric; square. Row i's entries are the neighbours of node i - 1, in the order of the text;
/// an entry of a symmetric matrix off the diagonal counts for both its nodes; values are checked
/// and dropped. Throws Failure(usage) "path:line: ..." for all else.
Csr parse_matrix_market(std::string_view text, const std::string& path);
/// The same for a file.
Csr read_matrix_market(const std::string& path);
/// A pair of vectors of int32 or int64, which are checked (csr_fault). Throws Failure(usage).
Csr read_npy_pair(const std::string& row_ptr_path, const std::string& col_idx_path);

}  // namespace redux::data
