// A .npy file, as the data of a case and as the indices of a graph. Of the first byte the lowest
// bit says whether uint16 is bfloat16; the file is what follows.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/data.hpp"
#include "data/graph.hpp"
#include "target.hpp"

namespace {

/// A file in memory, since the reader takes a path and a disk would be slow.
int memory_file() {
  static const int file = memfd_create("array.npy", 0);
  redux::fuzz::require(file >= 0, "a file in memory can be made");
  return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace redux;
  if (size == 0) return 0;
  const bool as_bfloat16 = (data[0] & 1U) != 0;
  const int file = memory_file();
  const auto bytes = static_cast<ssize_t>(size - 1);
  fuzz::require(ftruncate(file, 0) == 0 && pwrite(file, data + 1, size - 1, 0) == bytes,
                "the file can be written");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  try {
    const NpyHeader header = read_npy_header(path, as_bfloat16);
    const auto elements = Shape{header.dims, {}}.elements();
    fuzz::require(elements.has_value(), "an accepted shape has a number of elements");
    fuzz::require(read_npy(path, as_bfloat16).size() ==
                      static_cast<std::size_t>(*elements) * size_of(header.dtype),
                  "as many bytes are read as the header says");
  } catch (const Failure& failure) {
    fuzz::require_printable(failure.what());
  }
  try {
    const data::Csr graph = data::read_npy_pair(path, path);
    fuzz::require(csr_fault(graph.row_ptr, graph.col_idx).empty(), "an accepted graph is sound");
  } catch (const Failure& failure) {
    fuzz::require_printable(failure.what());
  }
  return 0;
}
