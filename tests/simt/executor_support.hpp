// Runs a test kernel on buffers with exact bounds and says what came of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "backend/simt/fault.hpp"
#include "backend/simt/launch.hpp"
#include "backend/simt/memory.hpp"
#include "simt/executor_kernels.hpp"

namespace simt_tests {

using redux::Geometry;
using redux::simt::FaultKind;
using redux::simt::Order;
using redux::simt::Schedule;
using redux::simt::Setting;
using redux::simt::simulated_device;
using Words = std::vector<Word>;

/// What a kernel gets: the input, `out` unwritten words, and the workspace.
struct Memory {
  Words in = {};
  std::size_t out = 1;
  Words work = {};
  Word n = 0;
  bool work_written = true;  ///< else the workspace counts as never written
  Word* elsewhere = nullptr;
  int launches = 1;
};

struct Outcome {
  std::optional<FaultKind> kind;
  std::string text;  ///< of the fault
  Words out;
  Words work;
};

inline Outcome run_once(Start kernel, const Geometry& geometry, const Memory& memory,
                        const Setting& setting) {
  constexpr Word kPoison = 0xA7A7A7A7U;
  // Aligned, and never side by side.
  struct alignas(16) Place {
    Word words[1U << 14U];
  };
  static const std::vector<Place> places(3);
  const auto at = [](std::size_t i) { return const_cast<Word*>(places[i].words) + 1024; };
  std::copy(memory.in.begin(), memory.in.end(), at(0));
  std::fill_n(at(1), memory.out, kPoison);
  std::copy(memory.work.begin(), memory.work.end(), at(2));
  using redux::simt::Buffer;
  using redux::simt::Role;
  const Buffer in(at(0), memory.in.size() * 4, Role::input, "the input", true);
  const Buffer out(at(1), memory.out * 4, Role::written, "the output", false);
  const Buffer work(at(2), memory.work.size() * 4, Role::written, "the workspace",
                    memory.work_written);
  redux::simt::set(setting);
  Outcome outcome;
  try {
    for (int i = 0; i < memory.launches; ++i) {
      kernel(geometry, {at(0), at(1), at(2), memory.n, memory.elsewhere});
    }
  } catch (const redux::simt::Fault& fault) {
    outcome.kind = fault.kind();
    outcome.text = fault.what();
  }
  outcome.out.assign(at(1), at(1) + memory.out);
  outcome.work.assign(at(2), at(2) + memory.work.size());
  return outcome;
}

/// After a fault the next kernel has to work as if nothing had been.
inline void expect_still_works(const Setting& setting) {
  const Outcome after =
      run_once(barrier_passes_words, {.grid = {1}, .block = {64}}, {.out = 64}, setting);
  EXPECT_EQ(after.text, "");
  for (Word t = 0; t < 64; ++t) EXPECT_EQ(after.out[t], ((t + 1) % 64) + 2);
}

inline Outcome run(Start kernel, const Geometry& geometry, const Memory& memory = {},
                   const Setting& setting = {}) {
  Outcome outcome = run_once(kernel, geometry, memory, setting);
  if (outcome.kind) expect_still_works(setting);
  return outcome;
}

/// A run that has to end without a fault; its output.
inline Words good(Start kernel, const Geometry& geometry, const Memory& memory = {},
                  const Setting& setting = {}) {
  const Outcome outcome = run(kernel, geometry, memory, setting);
  EXPECT_EQ(outcome.text, "");
  return outcome.out;
}

/// "executor_race_kernels.cu:24": the line of that file in tests/simt that ends with "// here:
/// tag".
inline std::string here(const std::string& file, const std::string& tag) {
  std::ifstream text(std::string(REDUX_SOURCE_DIR) + "/tests/simt/" + file);
  const std::string mark = "// here: " + tag;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.ends_with(mark)) return file + ":" + std::to_string(number);
  }
  ADD_FAILURE() << "no line of " << file << " ends with " << mark;
  return "?";
}

/// A fault of that kind whose text has all of these in it, and the schedule.
inline void expect_fault(const Outcome& outcome, FaultKind kind,
                         std::initializer_list<std::string> parts) {
  ASSERT_TRUE(outcome.kind.has_value()) << "no fault";
  EXPECT_EQ(*outcome.kind, kind) << outcome.text;
  const std::string start = "[" + std::string(redux::simt::name_of(kind)) + "] ";
  EXPECT_TRUE(outcome.text.starts_with(start)) << outcome.text;
  for (const std::string& part : parts) {
    EXPECT_NE(outcome.text.find(part), std::string::npos) << "not in the text: " << part << "\n"
                                                          << outcome.text;
  }
}

/// Schedules under which what is right has to be right.
inline std::vector<Setting> settings() {
  std::vector<Setting> all{{{Order::ascending}}, {{Order::descending}}};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) all.push_back({{Order::random, seed}});
  return all;
}

}  // namespace simt_tests
