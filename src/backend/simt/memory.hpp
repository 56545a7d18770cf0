// Memory as a simulated device has it: buffers with their exact bounds, and for those that kernels
// write, who wrote and read each four bytes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/simt/ordering.hpp"

namespace redux::simt {

enum class Role : std::uint8_t {
  input,    ///< filled by the host; not to be written
  written,  ///< outputs and workspaces
};

/// History of four bytes. Two threads that write different bytes of them do not race.
struct Cell {
  Time write_time = 0;
  Time read_time = 0;
  std::uint32_t write_block = 0;
  std::uint32_t read_block = 0;
  std::uint32_t write_at = 0;  ///< code address, as an offset into the executable; 0: unknown
  std::uint16_t write_thread = 0;
  std::uint16_t read_thread = 0;
  std::uint8_t write_bytes = 0;  ///< of the last write, one bit a byte
  std::uint8_t read_bytes = 0;
  std::uint8_t valid = 0;        ///< bytes that somebody has written
  std::uint8_t flags = 0;        ///< below
  std::uint32_t read_lanes = 0;  ///< of read_thread's warp, those that have read side by side
};
inline constexpr std::uint8_t kAtomicWrite = 1;
inline constexpr std::uint8_t kAtomicRead = 2;
inline constexpr std::uint8_t kManyReaders = 4;  ///< of more than one warp

/// Cells for `bytes` bytes, zero until used.
class Cells {
 public:
  explicit Cells(std::size_t bytes);
  ~Cells();
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  [[nodiscard]] Cell& of(std::size_t byte) { return cells_[byte / 4]; }

 private:
  Cell* cells_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A buffer in global memory for as long as this lives. `initialised`: the host has written all of
/// it (always true of inputs); else a read before a write is a fault.
class Buffer {
 public:
  Buffer(void* data, std::size_t bytes, Role role, std::string name, bool initialised);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] std::uintptr_t begin() const { return begin_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] Role role() const { return role_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool initialised() const { return initialised_; }
  [[nodiscard]] Cell& cell(std::uintptr_t address) {
    return cells_->of(address - (begin_ & ~std::uintptr_t{3}));
  }
  /// Forgets all history: contents count as `initialised` or not.
  void forget(bool initialised);

 private:
  std::uintptr_t begin_;
  std::size_t bytes_;
  Role role_;
  std::string name_;
  bool initialised_;
  std::unique_ptr<Cells> cells_;  ///< null for inputs
};

/// A static __shared__ object, or the dynamic part; the same place in every block of a launch.
struct SharedObject {
  const void* key = nullptr;  ///< tells objects apart; null: the dynamic part
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::string name;
};

/// A block's shared memory, 227 KiB and gaps between objects.
struct SharedArena {
  static constexpr std::size_t kBytes = std::size_t{512} << 10U;
  SharedArena();
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;
  std::byte* memory = nullptr;
  Cells cells;
};

enum class Access : std::uint8_t { read, write, atomic_read, atomic_write, atomic_update };

/// Checks one access of the running thread. `frame`: see Thread::frame.
void check_access(const void* address, std::size_t bytes, Access access, const void* at,
                  const void* const* frame);

/// A memset of the host: the bytes count as written before any later launch.
void note_memset(const void* address, std::size_t bytes);

}  // namespace redux::simt
