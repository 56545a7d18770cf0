// launch(): a geometry is checked as a GPU would, then every thread runs to its end.
#include <fmt/format.h>

#include <cstring>

#include "backend/simt/launch.hpp"
#include "backend/simt/scheduler.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {
namespace {

/// Limits of the CUDA programming guide for compute capability 9.0.
std::string why_refused(const Geometry& g, const DeviceFacts& device) {
  const auto beyond = [](const char* what, std::uint64_t found, std::uint64_t most) {
    return fmt::format("{} is {}, at least 1 and at most {} is allowed", what, found, most);
  };
  const auto fits = [](std::uint64_t value, std::uint64_t most) {
    return value >= 1 && value <= most;
  };
  if (!fits(g.grid.x, 2147483647)) return beyond("grid x", g.grid.x, 2147483647);
  if (!fits(g.grid.y, 65535)) return beyond("grid y", g.grid.y, 65535);
  if (!fits(g.grid.z, 65535)) return beyond("grid z", g.grid.z, 65535);
  if (!fits(g.block.x, 1024)) return beyond("block x", g.block.x, 1024);
  if (!fits(g.block.y, 1024)) return beyond("block y", g.block.y, 1024);
  if (!fits(g.block.z, 64)) return beyond("block z", g.block.z, 64);
  const std::uint64_t threads = std::uint64_t{g.block.x} * g.block.y * g.block.z;
  if (!fits(threads, 1024)) return beyond("threads a block", threads, 1024);
  if (g.shared_bytes > device.shared_bytes_per_block) {
    return fmt::format("{} bytes of dynamic shared memory, at most {} are allowed", g.shared_bytes,
                       device.shared_bytes_per_block);
  }
  if (!fits(g.cluster, 16)) return beyond("blocks a cluster", g.cluster, 16);
  if (g.grid.x % g.cluster != 0) {
    return fmt::format("grid x is {}, not a multiple of the {} blocks a cluster", g.grid.x,
                       g.cluster);
  }
  const std::uint64_t blocks = std::uint64_t{g.grid.x} * g.grid.y * g.grid.z;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
  if (blocks >= kMost) return beyond("blocks (in this executor)", blocks, kMost - 1);
  return {};
}

}  // namespace

void set(const Setting& setting) {
  Executor& e = executor();
  e.schedule = setting.schedule;
  e.random = Random(setting.schedule.seed);
  e.device = setting.device;
}

void run_grid(const Geometry& geometry, const void* function, void (*body)(const void*),
              const void* arguments, std::size_t argument_bytes) {
  Executor& e = executor();
  if (e.grid != nullptr) throw Fault(FaultKind::launch, "a kernel cannot start a kernel here");
  if (const std::string why = why_refused(geometry, e.device); !why.empty()) {
    throw Fault(FaultKind::launch, "invalid configuration: " + why);
  }
  Grid grid;
  grid.geometry = geometry;
  grid.function = function;
  grid.body = body;
  grid.arguments = arguments;
  grid.argument_bytes = argument_bytes;
  grid.begin_time = ++e.time;
  if (geometry.shared_bytes > 0) {
    grid.shared_objects.push_back({nullptr, 0, geometry.shared_bytes, "dynamic shared memory"});
  }
  e.grid = &grid;
  e.idle_loads = 0;
  begin_turn();
  Scheduler scheduler(grid);
  try {
    scheduler.run();
  } catch (...) {
    scheduler.abandon();
    e.grid = nullptr;
    throw;
  }
  e.grid = nullptr;
}

void memset_async(void* memory, int byte, std::size_t bytes, void* /*stream*/) {
  note_memset(memory, bytes);
  if (bytes > 0) std::memset(memory, byte, bytes);
}

}  // namespace redux::simt
