// Atomic words of the executor.
#include <cstring>
#include <limits>

#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

constexpr Geometry kOne{.grid = {1}, .block = {1}};

template <class T>
Words words_of(const std::vector<T>& values) {
  Words words(values.size() * sizeof(T) / 4);
  std::memcpy(words.data(), values.data(), words.size() * 4);
  return words;
}

template <class T>
void expect_each_operation(Start kernel, T old, T operand, const std::vector<T>& expected) {
  const Words before = words_of(std::vector<T>(10, old));
  Memory memory{.in = words_of(std::vector<T>{operand}), .out = before.size(), .work = before};
  const Outcome outcome = run(kernel, kOne, memory);
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(outcome.out, before);  // all return what was there
  EXPECT_EQ(outcome.work, words_of(expected));
}

TEST(ExecutorAtomics, FourBytesUnsigned) {
  const Word old = 0xF000000FU;
  const Word operand = 0x20000001U;
  expect_each_operation<Word>(atomics_unsigned, old, operand,
                              {0x10000010U, 0xD000000EU, operand, operand, old, 0x20000001U & old,
                               old | operand, old ^ operand, operand, old});
}

TEST(ExecutorAtomics, FourBytesSignedWrapAround) {
  const int least = std::numeric_limits<int>::min();
  const int most = std::numeric_limits<int>::max();
  expect_each_operation<int>(atomics_signed, most, 1,
                             {least, most - 1, 1, 1, most, 1, most, most - 1, 1, most});
  expect_each_operation<int>(atomics_signed, -5, 3,
                             {-2, -8, 3, -5, 3, -5 & 3, -5 | 3, -5 ^ 3, 3, -5});
  expect_each_operation<int>(atomics_signed, least, 1,
                             {least + 1, most, 1, least, 1, 0, least + 1, least + 1, 1, least});
}

TEST(ExecutorAtomics, EightBytes) {
  const std::uint64_t old = 0xF00000000000000FU;
  const std::uint64_t operand = 0x2000000000000001U;
  expect_each_operation<std::uint64_t>(
      atomics_wide, old, operand,
      {0x1000000000000010U, 0xD00000000000000EU, operand, operand, old, old & operand,
       old | operand, old ^ operand, operand, old});
}

TEST(ExecutorAtomics, FloatingPoint) {
  Words work = words_of(std::vector<float>{2.5F, 0.0F});
  for (const Word word : words_of(std::vector<double>{0.5})) work.push_back(word);
  const Outcome outcome = run(atomics_float, kOne, {.out = 3, .work = work});
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(outcome.out, (Words{10, 16, 2}));
  Words after = words_of(std::vector<float>{8.0F, 0.0F});
  for (const Word word : words_of(std::vector<double>{0.75})) after.push_back(word);
  EXPECT_EQ(outcome.work, after);
}

TEST(ExecutorAtomics, IncrementsAndDecrementsWrap) {
  const Words out = good(atomic_wraps, kOne, {.out = 12, .work = {1, 9}, .n = 3});
  // 9 is more than the bound, so the decrement goes to the bound.
  EXPECT_EQ(out, (Words{1, 2, 3, 0, 1, 2, 9, 3, 2, 1, 0, 3}));
}

TEST(ExecutorAtomics, NoAdditionIsLost) {
  for (const Setting& setting : settings()) {
    const Outcome outcome =
        run(atomic_sum, {.grid = {9}, .block = {70}}, {.work = {0, 0}}, setting);
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(outcome.work, (Words{(9 * 69 * 35) + (70 * 36), 630}));
  }
}

TEST(ExecutorAtomics, SixteenBytesAreSwappedAsOne) {
  for (const Setting& setting : settings()) {
    const Outcome outcome = run(compare_and_swap_wide, {.grid = {1}, .block = {70}},
                                {.out = 2, .work = Words(4, 0)}, setting);
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(outcome.out, (Words{70, 70}));
    EXPECT_EQ(outcome.work, (Words{5, 0, 6, 0}));
  }
}

TEST(ExecutorAtomics, PublishedWordsArrive) {
  for (const Setting& setting : settings()) {
    const Words out = good(published_words, {.grid = {2}, .block = {1}},
                           {.out = 4, .work = Words(8, 0)}, setting);
    EXPECT_EQ(out, (Words{1, 3, 4, 9}));
  }
}

TEST(ExecutorAtomics, ASpinLockLetsOneInAfterAnother) {
  for (const Setting& setting : settings()) {
    const Outcome outcome = run(spin_lock, {.grid = {5}, .block = {40}}, {.work = {0, 0}}, setting);
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(outcome.work, (Words{0, 200}));
  }
}

TEST(ExecutorAtomics, ALockThatNobodyOpensIsADeadlock) {
  for (const Setting& setting : settings()) {
    const Outcome outcome = run(spin_lock, {.grid = {2}, .block = {3}}, {.work = {1, 0}}, setting);
    expect_fault(outcome, FaultKind::deadlock, {here("executor_atomic_kernels.cu", "lock")});
  }
}

TEST(ExecutorAtomics, WhatFencesPassOnDoesNotGrowWithTheRounds) {
  const Outcome outcome =
      run(fences_and_atomics, {.grid = {2}, .block = {2}}, {.work = {0}, .n = 500});
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(outcome.work, (Words{2000}));
}

}  // namespace
}  // namespace simt_tests
