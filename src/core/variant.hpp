// One way of computing an op. A variant is one file that registers one of these (registry.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/device_facts.hpp"
#include "core/problem.hpp"

namespace redux {

enum class Side : std::uint8_t { host, cuda };

constexpr std::string_view name_of(Side side) {
  return side == Side::host ? "host" : "cuda";
}

struct Extent3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  bool operator==(const Extent3&) const = default;
};

/// How a call is launched; run() uses what launch() returns, so tables can print it.
struct Geometry {
  Extent3 grid;
  Extent3 block;
  std::uint32_t cluster = 1;           ///< blocks a cluster along x
  std::size_t shared_bytes = 0;        ///< dynamic shared memory a block
  static constexpr int kCounted = -1;  ///< for `kernels`: a library decides, the backend counts
  int kernels = 1;                     ///< kernels a call; 0 where nothing is launched
  int memsets = 0;                     ///< memsets a call
  const void* function = nullptr;      ///< the main kernel, for its registers and occupancy
  std::string picked = {};             ///< for `auto`: the variant that it chose
};

struct Variant {
  std::string op = {};    ///< filled in by the registrar
  std::string name = {};  ///< the technique, e.g. "warp_per_row"
  Side side = Side::host;
  std::string about;        ///< one line for --list-ops: what it does and when it wins
  std::string source = {};  ///< __FILE__, so that a test can count files against the registry
  std::size_t workspace_alignment = 1;  ///< bytes; what the variant asks of its workspace
  /// True: a call relies on what is there: zero before the first one, then what the call before it
  /// of the same case left. False: a call does not care.
  bool needs_zeroed_workspace = false;

  /// Why this variant cannot run the case on the device, or empty. Null: it can run every case.
  std::string (*unsupported)(const Case&, const DeviceFacts&) = nullptr;
  /// Scratch in bytes. Null: none.
  std::size_t (*workspace_bytes)(const Case&, const DeviceFacts&) = nullptr;
  /// Null for host variants.
  Geometry (*launch)(const Case&, const DeviceFacts&) = nullptr;
  /// Called by way of run(variant, ...) below.
  void (*run)(const Problem&, const Exec&) = nullptr;
};

/// The members above with their null cases resolved.
std::string why_unsupported(const Variant& variant, const Case& c, const DeviceFacts& device);
std::size_t workspace_bytes(const Variant& variant, const Case& c, const DeviceFacts& device);
Geometry geometry(const Variant& variant, const Case& c, const DeviceFacts& device);

/// One call. Throws std::invalid_argument, and launches nothing, where the workspace is smaller
/// than workspace_bytes() or not aligned to workspace_alignment.
void run(const Variant& variant, const Problem& problem, const Exec& exec);

}  // namespace redux
