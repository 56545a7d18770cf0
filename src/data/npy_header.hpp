// The header of a .npy file: a Python dict literal, of which NumPy's writer uses a small part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redux::data {

struct NpyDict {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Parses "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" followed by blanks: exactly
/// these three keys, once each, in any order (NumPy's format specification, numpy.lib.format).
/// Throws std::invalid_argument that says what was found and what is allowed.
NpyDict parse_npy_dict(std::string_view text);

}  // namespace redux::data
