// What the executor says of accesses outside buffers and of reads of what nobody wrote.
#include <memory>

#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

constexpr Geometry kOne{.grid = {1}, .block = {1}};
const std::string kFile = "executor_bounds_kernels.cu";
const std::string kFirst = "by thread (0, 0, 0) of block (0, 0, 0)";

void expect_bounds(const Outcome& outcome, const std::string& what, const std::string& tag) {
  expect_fault(outcome, FaultKind::out_of_bounds, {what, kFirst, here(kFile, tag)});
}

TEST(ExecutorBounds, ReadsOutsideTheInput) {
  const Words in(10, 1);
  expect_bounds(run(read_at, kOne, {.in = in, .n = 10}),
                "read of 4 bytes by thread (0, 0, 0) of block (0, 0, 0) at 0 bytes past the end of "
                "the input",
                "read");
  expect_bounds(run(read_at, kOne, {.in = in, .n = static_cast<Word>(-1)}),
                "4 bytes before the start of the input", "read");
  expect_bounds(run(read_at, kOne, {.in = in, .n = 1000}), "3960 bytes past the end of the input",
                "read");
  EXPECT_EQ(good(read_at, kOne, {.in = in, .n = 9}), Words{1});
}

TEST(ExecutorBounds, TheFaultNamesThreadBlockAndSchedule) {
  const Geometry geometry{.grid = {2}, .block = {5}};
  for (const Setting& setting : settings()) {
    expect_fault(run(write_at, geometry, {.out = 6, .n = 6}, setting), FaultKind::out_of_bounds,
                 {"write of 4 bytes by thread (3, 0, 0) of block (1, 0, 0) at 0 bytes past the end "
                  "of the output",
                  here(kFile, "write"), "schedule " + redux::simt::name_of(setting.schedule),
                  "132 multiprocessors"});
  }
  expect_fault(run(write_at, geometry, {.out = 6, .n = static_cast<Word>(-3)}),
               FaultKind::out_of_bounds, {"12 bytes before the start of the output"});
  EXPECT_EQ(good(write_at, geometry, {.out = 6, .n = 5})[5], 7U);
}

TEST(ExecutorBounds, NullPointers) {
  expect_bounds(run(read_null, kOne), "memory that no kernel can reach", "read null");
  expect_bounds(run(write_null, kOne), "memory that no kernel can reach", "write null");
}

TEST(ExecutorBounds, MemoryOfTheHost) {
  const auto heap = std::make_unique<Words>(8, 3);
  expect_bounds(run(read_elsewhere, kOne, {.elsewhere = heap->data()}), "read of 4 bytes",
                "read elsewhere");
  expect_bounds(run(write_elsewhere, kOne, {.elsewhere = heap->data()}), "write of 4 bytes",
                "write elsewhere");
  EXPECT_EQ((*heap)[1], 3U);
  Word local[4] = {1, 2, 3, 4};
  expect_bounds(run(write_elsewhere, kOne, {.elsewhere = local}), "write of 4 bytes",
                "write elsewhere");
  EXPECT_EQ(local[1], 2U);
}

TEST(ExecutorBounds, InputsAreNotWritten) {
  expect_fault(run(write_input, kOne, {.in = {1, 2}}), FaultKind::read_only,
               {"write of 4 bytes", kFirst, "byte 4 of the input", here(kFile, "write input")});
}

TEST(ExecutorBounds, VectorsAreAligned) {
  const Words in{1, 2, 3, 4, 5, 6, 7, 8};
  for (const Word past : {1U, 2U, 3U}) {
    expect_fault(run(misaligned_vector, kOne, {.in = in, .n = past}), FaultKind::misaligned,
                 {"16 bytes", std::to_string(4 * past) + " bytes past a multiple of 16",
                  here(kFile, "vector")});
  }
  EXPECT_EQ(good(misaligned_vector, kOne, {.in = in, .n = 4}), Words{26});
  // The compiler may read the four words one by one.
  for (const Word first : {8U, 5U * 4U}) {
    expect_bounds(run(misaligned_vector, kOne, {.in = in, .n = first}), "past the end of the input",
                  "vector");
  }
  expect_bounds(run(misaligned_vector, kOne, {.in = {1, 2, 3}}), "the input", "vector");
}

/// A device refuses it: ld.global of an address in shared memory.
TEST(ExecutorBounds, InstructionsForGlobalMemoryAreNotForSharedMemory) {
  expect_fault(run(global_load_of_shared, kOne, {.in = {1}}), FaultKind::out_of_bounds,
               {"for global memory on byte 0 of shared memory", here(kFile, "not global")});
}

TEST(ExecutorBounds, WideWordsAreAlignedAndCopiesOfBytesNeedNotBe) {
  expect_fault(run(misaligned_plain, kOne, {.in = {1, 2, 3}}), FaultKind::misaligned,
               {"8 bytes", "4 bytes past a multiple of 8", here(kFile, "plain")});
  EXPECT_EQ(good(unaligned_copy, kOne, {.in = {0x11000000U, 0x22334455U, 0x66778899U}, .out = 2}),
            (Words{0x33445511U, 0x77889922U}));
}

TEST(ExecutorBounds, SharedMemoryOfAnotherBlock) {
  expect_fault(
      run(read_shared_of_block_0, {.grid = {2}, .block = {1}}, {.work = Words(4, 0)}),
      FaultKind::out_of_bounds,
      {"read of 4 bytes by thread (0, 0, 0) of block (1, 0, 0)", here(kFile, "shared of block 0")});
}

TEST(ExecutorBounds, SharedObjectsEnd) {
  expect_bounds(run(shared_past_end, kOne, {.n = 8}), "0 bytes past the end of shared memory '",
                "past end");
  good(shared_past_end, kOne, {.n = 7});
  expect_bounds(run(shared_before, kOne, {.n = static_cast<Word>(-1)}),
                "4 bytes before the start of shared memory '", "before");
  const Geometry dynamic{.grid = {1}, .block = {1}, .shared_bytes = 22};
  expect_bounds(run(dynamic_past_end, dynamic, {.n = 6}),
                "2 bytes past the end of dynamic shared memory", "dynamic");
  expect_bounds(run(dynamic_past_end, dynamic, {.n = 5}),
                "byte 20 of dynamic shared memory, which has 22", "dynamic");
  good(dynamic_past_end, dynamic, {.n = 4});
  expect_bounds(run(dynamic_past_end, kOne, {.n = 0}), "write of 4 bytes", "dynamic");
}

TEST(ExecutorUnwritten, SharedMemory) {
  const Geometry geometry{.grid = {3}, .block = {5}};
  expect_fault(run(unwritten_shared, geometry, {.n = 5}), FaultKind::uninitialised,
               {"read of 4 bytes", kFirst, "byte 20 of shared memory '", "which nobody has written",
                here(kFile, "unwritten shared")});
  // What blocks before wrote in the same place does not count.
  good(unwritten_shared, {.grid = {1}, .block = {8}}, {.n = 7});
  expect_fault(run(unwritten_shared, {.grid = {1}, .block = {5}}, {.n = 7}),
               FaultKind::uninitialised, {"byte 28 of shared memory '"});
}

TEST(ExecutorUnwritten, OutputsAndWorkspaces) {
  expect_fault(
      run(unwritten_output, kOne, {.out = 3, .n = 2}), FaultKind::uninitialised,
      {"read of 4 bytes", kFirst, "byte 8 of the output", here(kFile, "unwritten output")});
  EXPECT_EQ(good(unwritten_output, kOne, {.out = 2, .n = 1})[1], 2U);
  const Words work{4, 5};
  expect_fault(run(unwritten_work, kOne, {.work = work, .n = 1, .work_written = false}),
               FaultKind::uninitialised,
               {"byte 4 of the workspace", here(kFile, "unwritten work")});
  EXPECT_EQ(good(unwritten_work, kOne, {.work = work, .n = 1}), Words{5});
  expect_fault(
      run(atomic_on_unwritten, kOne, {.work = work, .n = 1, .work_written = false}),
      FaultKind::uninitialised,
      {"atomic update of 4 bytes", "byte 4 of the workspace", here(kFile, "atomic on unwritten")});
}

TEST(ExecutorUnwritten, EveryByteOfAWordCounts) {
  const Memory memory{.work = {0}, .n = 3, .work_written = false};
  expect_fault(run(partly_written, kOne, memory), FaultKind::uninitialised,
               {"byte 0 of the workspace", here(kFile, "partly written")});
  Memory whole = memory;
  whole.n = 4;
  EXPECT_EQ(good(partly_written, kOne, whole), Words{0x01010101U});
}

TEST(ExecutorUnwritten, AMemsetWrites) {
  Words work(4, 9);
  const redux::simt::Buffer buffer(work.data(), 16, redux::simt::Role::written, "memory", false);
  redux::simt::memset_async(work.data() + 1, 1, 8, nullptr);
  EXPECT_EQ(work, (Words{9, 0x01010101U, 0x01010101U, 9}));
  const auto read = [&](Word i) {
    const Word* elsewhere = work.data() + i - 1;
    return run_once(read_elsewhere, kOne, {.elsewhere = const_cast<Word*>(elsewhere)}, {}).kind;
  };
  EXPECT_EQ(read(1), std::nullopt);
  EXPECT_EQ(read(2), std::nullopt);
  EXPECT_EQ(read(0), FaultKind::uninitialised);
  EXPECT_EQ(read(3), FaultKind::uninitialised);
  EXPECT_THROW(redux::simt::memset_async(work.data() + 3, 1, 8, nullptr), redux::simt::Fault);
}

TEST(ExecutorReports, HelpersAreNamedWithTheirCallers) {
  expect_fault(run(wrong_helper, kOne, {.in = {1, 2}, .n = 2}), FaultKind::out_of_bounds,
               {here(kFile, "helper") + ", called at " + here(kFile, "caller of the helper")});
}

}  // namespace
}  // namespace simt_tests
