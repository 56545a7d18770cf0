// Memory of the host backend.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace redux::host {

/// Memory aligned to a huge page and, where the system lends them, made of huge pages, as NumPy's
/// big arrays are: with small ones a sweep over tens of MiB measures address translation as well.
class Block {
 public:
  explicit Block(std::size_t bytes)
      : bytes_(bytes), data_(static_cast<std::byte*>(::operator new(bytes, kAlignment))) {
    // Advice only: where there are no huge pages, small ones do.
    static_cast<void>(madvise(data_, bytes_, MADV_HUGEPAGE));
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { ::operator delete(data_, kAlignment); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  static constexpr std::align_val_t kAlignment{std::size_t{2} << 20U};
  std::size_t bytes_;
  std::byte* data_;
};

}  // namespace redux::host
