// Inputs as backends read them.
#include <algorithm>

#include "backend/backend.hpp"

namespace redux {

InputReader read_from(std::span<const HostTensor> inputs) {
  return [inputs](std::size_t input, std::size_t offset, std::size_t bytes) {
    return std::span<const std::byte>(inputs[input]).subspan(offset, bytes);
  };
}

void for_each_piece(const InputReader& read, std::size_t input, std::size_t bytes,
                    const std::function<void(std::size_t, std::span<const std::byte>)>& use) {
  constexpr std::size_t kPiece = std::size_t{64} << 20U;
  for (std::size_t offset = 0; offset < bytes; offset += kPiece) {
    use(offset, read(input, offset, std::min(kPiece, bytes - offset)));
  }
}

}  // namespace redux
