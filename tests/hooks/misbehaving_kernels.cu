// Variants of argmax whose kernels misbehave on purpose, for the SIMT executor alone: nvcc never
// sees this file. Each does what no kernel may, or is right under some schedules only.
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "core/registry.hpp"

namespace redux {
namespace {

__global__ void write_all_at_once(std::int64_t* indices) {
  indices[0] = static_cast<std::int64_t>(threadIdx.x);
}

__global__ void read_past_the_end(const float* input, std::int64_t count, std::int64_t* indices) {
  indices[0] = static_cast<std::int64_t>(input[count]);
}

/// Atomic, hence no race; but whichever block comes last decides. One column only: 0 is right.
__global__ void last_block_decides(std::uint64_t* indices) {
  publish(indices, std::uint64_t{1} - blockIdx.x);
}

/// Counts on in a workspace that it should have left as it was.
__global__ void count_calls(std::uint32_t* counter, std::int64_t* indices) {
  indices[0] = *counter;
  *counter += 1;
}

std::int64_t* indices_of(const Problem& problem) {
  return problem.outputs[0].as<std::int64_t>();
}

void race(const Problem& problem, const Exec& exec) {
  launch(write_all_at_once, {.grid = {1}, .block = {64}}, exec.stream, indices_of(problem));
}

void reads_past(const Problem& problem, const Exec& exec) {
  const View& input = problem.inputs[0];
  launch(read_past_the_end, {}, exec.stream, input.as<const float>(), input.count,
         indices_of(problem));
}

void by_order(const Problem& problem, const Exec& exec) {
  launch(last_block_decides, {.grid = {2}, .block = {1}}, exec.stream,
         problem.outputs[0].as<std::uint64_t>());
}

void by_call(const Problem& problem, const Exec& exec) {
  launch(count_calls, {}, exec.stream, static_cast<std::uint32_t*>(problem.workspace),
         indices_of(problem));
}

void too_wide(const Problem& problem, const Exec& exec) {
  launch(write_all_at_once, {.grid = {1}, .block = {2048}}, exec.stream, indices_of(problem));
}

std::size_t counter_bytes(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return sizeof(std::uint32_t);
}

Variant hook(const char* name, void (*run)(const Problem&, const Exec&)) {
  return Variant{
      .name = name, .side = Side::cuda, .about = "for tests", .source = __FILE__, .run = run};
}

Variant counting_hook() {
  Variant variant = hook("hook_by_call", by_call);
  variant.workspace_alignment = alignof(std::uint32_t);
  variant.workspace_bytes = counter_bytes;
  variant.needs_zeroed_workspace = true;
  return variant;
}

const RegisterVariant kRace{{"argmax"}, hook("hook_race", race)};
const RegisterVariant kReadsPast{{"argmax"}, hook("hook_reads_past", reads_past)};
const RegisterVariant kByOrder{{"argmax"}, hook("hook_by_order", by_order)};
const RegisterVariant kByCall{{"argmax"}, counting_hook()};
const RegisterVariant kTooWide{{"argmax"}, hook("hook_too_wide", too_wide)};

}  // namespace
}  // namespace redux
