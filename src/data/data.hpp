// Seeded inputs: the data kinds of SEMANTICS for tensors, and users' own arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/dtype.hpp"
#include "core/shape.hpp"

namespace redux {

/// Every data kind for tensors, in the order in which SEMANTICS lists them.
std::span<const std::string_view> tensor_data_kinds();

/// Fills `out` (dtype elements, row-major, view.outer x view.length x view.inner) with data of
/// `kind`. Counter-based: element i depends on (seed, i) alone, so the bytes are the same on every
/// machine and for any number of threads. Kinds that speak of positions (first, last, nan_middle,
/// ascending, document_starts ...) mean positions along the axis. Throws std::invalid_argument for
/// an unknown kind.
void fill(std::string_view kind, DType dtype, const AxisView& view, std::uint64_t seed,
          std::span<std::byte> out);
/// A stretch of what fill() makes: the elements from `first` on that `out` holds.
void fill_from(std::string_view kind, DType dtype, const AxisView& view, std::uint64_t seed,
               std::int64_t first, std::span<std::byte> out);

/// What a .npy file holds, from its header alone.
struct NpyHeader {
  std::string descr;  ///< as written, e.g. "<f4"
  DType dtype = DType::float32;
  std::vector<std::int64_t> dims;
  std::size_t data_offset = 0;
};

/// Reads and checks a .npy header (format 1 to 3, C order, little endian, one of the dtypes that
/// NumPy has; "<u2" is bfloat16 only where `as_bfloat16`). Throws Failure(usage) naming the file,
/// what was found and what is allowed, also for a file that is shorter than its header says.
NpyHeader read_npy_header(const std::string& path, bool as_bfloat16);
/// The array's bytes.
std::vector<std::byte> read_npy(const std::string& path, bool as_bfloat16);

/// The inputs of a case, in the order of Op::inputs: generated, or read from its file.
std::vector<std::vector<std::byte>> make_inputs(const Case& c);

}  // namespace redux
