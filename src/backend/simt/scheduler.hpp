// Chooses who goes on in a launch. Internal to the executor.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/simt/grid.hpp"

namespace redux::simt {

/// Blocks are started in the schedule's order, no more at a time than the device holds, and no
/// sooner than needed: another is started when one has ended or all that run are waiting (or, in a
/// random schedule, by chance). That is what a GPU guarantees and nothing more.
class Scheduler {
 public:
  explicit Scheduler(Grid& grid);
  /// Until every thread has ended. Throws Fault.
  void run();
  /// Takes back what a fault left behind.
  void abandon();

 private:
  [[nodiscard]] bool can_start() const { return next_ < clusters_ && active().size() < resident_; }
  void start_cluster();
  void start_block(Block& block, Cluster& cluster, std::uint32_t number);
  /// Runs its threads as far as they get; true if any did more than load.
  bool run_block(Block& block);
  bool run_by_turns();
  bool run_by_chance();
  bool run_some_thread(Block& block);
  void resume(Thread& thread);
  void retire();
  void wake_pollers_or_fail();
  [[nodiscard]] std::vector<std::unique_ptr<Cluster>>& active() const { return grid_.active; }

  Grid& grid_;
  Executor& executor_;
  std::uint32_t clusters_ = 0;
  std::size_t resident_ = 1;  ///< clusters at a time
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> shuffled_;  ///< of a random schedule
  std::uint64_t idle_version_ = 0;
  int idle_rounds_ = 0;
  std::uint64_t idle_wakes_ = 0;
  bool turn_ended_ = false;  ///< of a thread that did nothing but load
};

/// Why nothing can go on: every thread, by where it waits (waiting.cpp).
std::string waiting_text(const Grid& grid);

}  // namespace redux::simt
