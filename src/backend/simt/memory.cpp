#include "backend/simt/memory.hpp"

#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "backend/simt/grid.hpp"
#include "backend/simt/history.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {
namespace {

std::vector<Buffer*>& buffers() {
  static std::vector<Buffer*> all;
  return all;
}

void* reserve(std::size_t bytes) {
  void* memory = ::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

std::size_t cell_bytes(std::size_t bytes) {
  return ((bytes + 3) / 4 + 1) * sizeof(Cell);
}

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// Where code and constants of the program and its libraries lie.
const std::vector<Range>& module_ranges() {
  static const std::vector<Range> ranges = [] {
    std::vector<Range> found;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t /*size*/, void* out) {
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& header = info->dlpi_phdr[i];
            if (header.p_type != PT_LOAD) continue;
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            static_cast<std::vector<Range>*>(out)->push_back({begin, begin + header.p_memsz});
          }
          return 0;
        },
        &found);
    return found;
  }();
  return ranges;
}

bool in_module(std::uintptr_t address) {
  return std::ranges::any_of(module_ranges(), [address](const Range& range) {
    return address >= range.begin && address < range.end;
  });
}

Buffer* buffer_at(std::uintptr_t address) {
  static Buffer* last = nullptr;
  const auto holds = [address](const Buffer* b) { return address - b->begin() < b->bytes(); };
  auto& all = buffers();
  if (last != nullptr && std::ranges::find(all, last) != all.end() && holds(last)) return last;
  for (Buffer* buffer : all) {
    if (holds(buffer)) return last = buffer;
  }
  return nullptr;
}

/// The block, of those the thread can reach, whose shared memory the address lies in.
Block* shared_at(std::uintptr_t address, Block& own) {
  const auto holds = [address](const Block* b) {
    return address - reinterpret_cast<std::uintptr_t>(b->shared->memory) < SharedArena::kBytes;
  };
  if (holds(&own)) return &own;
  for (const auto& block : own.cluster->blocks) {
    if (holds(block.get())) return block.get();
  }
  return nullptr;
}

std::string beyond(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes,
                   const std::string& name) {
  if (address >= begin + bytes) {
    return fmt::format("{} bytes past the end of {}", address - begin - bytes, name);
  }
  return fmt::format("{} bytes before the start of {}", begin - address, name);
}

/// Names the nearest thing that the address might have meant.
std::string neighbour(std::uintptr_t address, const Thread& thread) {
  std::string best = "memory that no kernel can reach";
  std::uintptr_t least = std::uintptr_t{1} << 40U;
  const auto consider = [&](std::uintptr_t begin, std::size_t bytes, const std::string& name) {
    const std::uintptr_t distance =
        address >= begin + bytes ? address - begin - bytes : begin - address;
    if (distance >= least) return;
    least = distance;
    best = beyond(address, begin, bytes, name);
  };
  for (const Buffer* buffer : buffers()) consider(buffer->begin(), buffer->bytes(), buffer->name());
  const auto arena = reinterpret_cast<std::uintptr_t>(thread.block->shared->memory);
  for (const SharedObject& object : executor().grid->shared_objects) {
    consider(arena + object.offset, object.bytes, object.name);
  }
  return best;
}

const SharedObject* object_at(std::size_t offset) {
  for (const SharedObject& object : executor().grid->shared_objects) {
    if (offset - object.offset < object.bytes) return &object;
  }
  return nullptr;
}

template <class Where>
[[noreturn]] void out_of_bounds(const Accessed& accessed, Where where) {
  raise(FaultKind::out_of_bounds, [&] {
    return fmt::format("{} at {}{}", text_of(accessed), where(), origin_text(accessed));
  });
}

}  // namespace

Cells::Cells(std::size_t bytes)
    : cells_(static_cast<Cell*>(reserve(cell_bytes(bytes)))), bytes_(cell_bytes(bytes)) {}

Cells::~Cells() {
  ::munmap(cells_, bytes_);
}

SharedArena::SharedArena() : memory(static_cast<std::byte*>(reserve(kBytes))), cells(kBytes) {}

SharedArena::~SharedArena() {
  ::munmap(memory, kBytes);
}

Buffer::Buffer(void* data, std::size_t bytes, Role role, std::string name, bool initialised)
    : begin_(reinterpret_cast<std::uintptr_t>(data)),
      bytes_(bytes),
      role_(role),
      name_(std::move(name)),
      initialised_(initialised) {
  if (role == Role::written) forget(initialised);
  buffers().push_back(this);
}

Buffer::~Buffer() {
  std::erase(buffers(), this);
  g_watch.input_bytes = 0;
}

void Buffer::forget(bool initialised) {
  initialised_ = initialised;
  cells_ = std::make_unique<Cells>(bytes_ + 3);
}

void check_access(const void* address, std::size_t bytes, Access access, const void* at,
                  const void* const* frame) {
  Thread& thread = *executor().thread;
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  const Accessed accessed{bytes, access, &thread, at, frame};
  if (Buffer* buffer = buffer_at(start)) {
    if (start - buffer->begin() + bytes > buffer->bytes()) {
      out_of_bounds(accessed, [&] {
        return fmt::format("byte {} of {}, which has {}", start - buffer->begin(), buffer->name(),
                           buffer->bytes());
      });
    }
    if (buffer->role() == Role::input) {
      g_watch.input_begin = buffer->begin();
      g_watch.input_bytes = buffer->bytes();
      if (access == Access::read || access == Access::atomic_read) return;
      raise(FaultKind::read_only, [&] {
        return fmt::format("{} at byte {} of {}{}", text_of(accessed), start - buffer->begin(),
                           buffer->name(), origin_text(accessed));
      });
    }
    const Place place{buffer->name(), start - buffer->begin(), 0, buffer->initialised()};
    check_history(accessed, place, start, bytes,
                  [buffer](std::uintptr_t a) -> Cell& { return buffer->cell(a); });
    return;
  }
  if (Block* owner = shared_at(start, *thread.block)) {
    const std::size_t offset = start - reinterpret_cast<std::uintptr_t>(owner->shared->memory);
    const SharedObject* object = object_at(offset);
    if (object == nullptr) out_of_bounds(accessed, [&] { return neighbour(start, thread); });
    if (offset + bytes > object->offset + object->bytes) {
      out_of_bounds(accessed, [&] {
        return fmt::format("byte {} of {}, which has {}", offset - object->offset, object->name,
                           object->bytes);
      });
    }
    if (owner != thread.block && (owner->live == 0 || !owner->any_started)) {
      raise(FaultKind::cluster, [&] {
        return fmt::format("{} at {} of block {}, which {}{}", text_of(accessed), object->name,
                           text_of(owner->index),
                           owner->live == 0 ? "has ended" : "has not started",
                           origin_text(accessed));
      });
    }
    const Place place{object->name, offset - object->offset, owner->start_time, false};
    check_history(accessed, place, offset, bytes,
                  [owner](std::uintptr_t a) -> Cell& { return owner->shared->cells.of(a); });
    return;
  }
  const Grid& grid = *executor().grid;
  const auto parameters = reinterpret_cast<std::uintptr_t>(grid.arguments);
  const bool reads = access == Access::read;
  if (reads && start - parameters < grid.argument_bytes) return;
  if (reads && in_module(start)) return;
  out_of_bounds(accessed, [&] { return neighbour(start, thread); });
}

void note_memset(const void* address, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  Buffer* buffer = bytes == 0 ? nullptr : buffer_at(start);
  if (bytes == 0) return;
  if (buffer == nullptr || start - buffer->begin() + bytes > buffer->bytes() ||
      buffer->role() == Role::input) {
    throw Fault(FaultKind::out_of_bounds,
                fmt::format("a memset of {} bytes does not lie within an output or workspace{}",
                            bytes, buffer == nullptr ? "" : ": " + buffer->name()));
  }
  for (std::uintptr_t a = start; a < start + bytes; ++a) {
    Cell& cell = buffer->cell(a);
    cell.valid |= static_cast<std::uint8_t>(1U << (a % 4));
    cell.write_bytes = 0;
    cell.read_bytes = 0;
    cell.flags = 0;
  }
}

}  // namespace redux::simt
