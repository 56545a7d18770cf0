#include "argminmax/cooperative.cuh"
#include "argminmax/scan.cuh"
#include "common/launch.hpp"
#include "simt/argminmax_widest_row.hpp"

namespace redux::argminmax {
namespace {

using simt_widest_row::kCols;
using simt_widest_row::kLanes;
using simt_widest_row::Walk;

constexpr int kThreads = 256 * kCooperativeThreads;  // of the widest cooperative launch
constexpr int kParts = 512;
constexpr int kPartThreads = 512;

template <bool Propagate>
using Largest = Order<Float16, true, Propagate>;

/// What signed integers do on the device: they go round.
__device__ int sum(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

/// scan_strided as ONNX Runtime pull request 32092 first had it: positions are sums, and those past
/// 2^31 are negative and so less than cols.
template <class O>
__device__ Candidate<O> scan_by_sums(const typename O::Storage* row, int cols, int thread) {
  auto best = O::worst();
  int index = static_cast<int>(Candidate<O>::kNone);
  for (int id = thread; id < cols; id = sum(id, kElementsInFlight * kThreads)) {
    for (int i = 0; i < kElementsInFlight; ++i) {
      const int at = sum(id, i * kThreads);
      const auto value = at < cols ? widen(row[at]) : O::worst();
      if (O::better(value, best)) {
        best = value;
        index = at;
      }
    }
  }
  return {O::key(best), static_cast<std::uint32_t>(index)};
}

template <class C>
__device__ std::int64_t index_of(const C& candidate) {
  return candidate.index == C::kNone ? -1 : static_cast<std::int64_t>(candidate.index);
}

template <class O>
__global__ void last_warp(Walk walk, const Float16* row, std::int64_t* indices) {
  const int lane = static_cast<int>(threadIdx.x);
  const int thread = kThreads - kLanes + lane;
  if (walk == Walk::differences) {
    const auto found =
        scan_strided<O, std::int32_t>(row, static_cast<std::int32_t>(kCols), thread, kThreads);
    indices[lane] = index_of(found);
  } else if (walk == Walk::differences_of_64_bits) {
    indices[lane] = index_of(scan_strided<O, std::int64_t>(row, kCols, thread, kThreads));
  } else if (walk == Walk::sums) {
    indices[lane] = index_of(scan_by_sums<O>(row, static_cast<int>(kCols), thread));
  } else {
    constexpr std::int64_t kVectors = ceil_div(kCols, 8);
    constexpr int kChunk = static_cast<int>(ceil_div(ceil_div(kVectors, kParts), 8) * 8);
    const Share last{kParts - 1, kParts, kChunk, kPartThreads - kLanes + lane, kPartThreads};
    indices[lane] = index_of(scan_row<O, 2, false>({row, indices, 1, kCols}, 0, last));
  }
}

}  // namespace
}  // namespace redux::argminmax

namespace simt_widest_row {

void scan_with_last_warp(Walk walk, bool propagate, const void* row, std::int64_t* indices) {
  using namespace redux::argminmax;
  redux::launch(propagate ? last_warp<Largest<true>> : last_warp<Largest<false>>,
                {.grid = {}, .block = {kLanes}}, nullptr, walk,
                static_cast<const redux::Float16*>(row), indices);
}

}  // namespace simt_widest_row
