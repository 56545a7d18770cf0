// A workload and a backend without memory, clocks or devices: they log what is asked of them and
// answer from a script.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/op.hpp"
#include "core/variant.hpp"
#include "verify/verify.hpp"

namespace redux::testing_fakes {

/// What a fake workload does; shared with the test, which reads the log afterwards.
struct Script {
  std::int64_t copies = 1;
  std::deque<double> calibrating_us{};     ///< of the first batches, a call; then `call_us`
  double call_us = 1;                      ///< while calibrating, and where `sample_us` is null
  std::function<double(int)> sample_us{};  ///< of the i-th sample after the last set-up, a call
  std::function<std::string(int)> throttled{};    ///< of the i-th question
  double clock_s = 0;                             ///< what seconds_now says
  double batch_s = 0;                             ///< what a batch adds to it
  std::int64_t answer = 7;                        ///< what calls write
  std::vector<std::int64_t> answers_of_copies{};  ///< instead, where given
  bool writes = true;
  std::string damage{};
  std::vector<std::string> ways{""};            ///< the options of each
  std::vector<std::string> faults_of_ways{};    ///< of a call under each; empty: none
  std::string faults_of_captures{};             ///< of a call in one; empty: none
  std::vector<std::int64_t> answers_of_ways{};  ///< instead of `answer`, where given
  std::vector<std::string> log{};
};

class FakeWorkload final : public Workload {
 public:
  explicit FakeWorkload(Script& script)
      : script_(script), outputs_(static_cast<std::size_t>(script.copies), 0) {}

  [[nodiscard]] std::int64_t copies() const override { return script_.copies; }
  void poison_outputs() override {
    script_.log.emplace_back("poison");
    for (auto& output : outputs_) std::memset(&output, kPoisonByte, sizeof(output));
    poisoned_ = true;
  }
  [[nodiscard]] std::int64_t ways() const override {
    return static_cast<std::int64_t>(script_.ways.size());
  }
  std::string choose_way(std::int64_t index) override {
    way_ = static_cast<std::size_t>(index);
    if (!script_.answers_of_ways.empty()) script_.answer = script_.answers_of_ways.at(way_);
    return script_.ways.at(way_);
  }
  void warm_up(Cache cache, std::int64_t calls) override {
    log("warm_up", cache, calls);
    if (captures_ && !script_.faults_of_captures.empty()) {
      throw std::runtime_error(script_.faults_of_captures);
    }
    if (way_ < script_.faults_of_ways.size() && !script_.faults_of_ways[way_].empty()) {
      throw KernelFault(script_.faults_of_ways[way_]);
    }
    write(cache == Cache::warm ? 1 : std::min(calls, script_.copies));
  }
  void start_capture() override {
    script_.log.emplace_back("capture");
    captures_ = true;
  }
  void stop_capture() noexcept override { script_.log.emplace_back("captured"); }
  void set_up_batch(Mode mode, Cache cache, std::int64_t calls) override {
    log("set_up " + std::string(name_of(mode)), cache, calls);
    calls_ = calls;
    sample_ = 0;
    cache_ = cache;
  }
  void handicap(double factor) override {
    script_.log.push_back("handicap " + std::to_string(factor).substr(0, 4));
  }
  double run_batch() override {
    script_.log.emplace_back("run");
    script_.clock_s += script_.batch_s;
    write(cache_ == Cache::warm ? 1 : std::min(calls_, script_.copies));
    if (!script_.calibrating_us.empty()) {
      const double first_us = script_.calibrating_us.front();
      script_.calibrating_us.pop_front();
      return first_us * static_cast<double>(calls_);
    }
    const bool timed = poisoned_ && script_.sample_us != nullptr;
    const double call_us = timed ? script_.sample_us(sample_++) : script_.call_us;
    return call_us * static_cast<double>(calls_);
  }
  [[nodiscard]] std::int64_t called_copies() const override {
    return std::min(calls_, script_.copies);
  }
  void read_outputs(const std::function<void(std::int64_t, std::span<const View>)>& visit,
                    std::optional<std::int64_t> limit) override {
    const std::int64_t count = limit.value_or(script_.copies);
    script_.log.push_back("read " + std::to_string(count));
    for (std::int64_t copy = 0; copy < count; ++copy) {
      const View view{&outputs_[static_cast<std::size_t>(copy)], DType::int64, 1};
      visit(copy, {&view, 1});
    }
    poisoned_ = false;  // the next timing calibrates again
  }
  void read_output(std::int64_t copy, std::size_t /*output*/, std::size_t offset,
                   std::span<std::byte> to) override {
    script_.log.push_back("read " + std::to_string(copy) + " from " + std::to_string(offset));
    const auto* from =
        reinterpret_cast<const std::byte*>(&outputs_[static_cast<std::size_t>(copy)]);
    std::copy_n(from + offset, to.size(), to.data());
  }
  std::string damage() override {
    script_.log.emplace_back("damage");
    return script_.damage;
  }
  std::string throttled() override {
    return script_.throttled ? script_.throttled(throttle_questions_++) : std::string{};
  }
  [[nodiscard]] std::optional<LaunchFacts> launch_facts() const override {
    LaunchFacts facts;
    facts.registers = 33;
    return facts;
  }

 private:
  void log(const std::string& what, Cache cache, std::int64_t calls) {
    script_.log.push_back(what + " " + std::string(name_of(cache)) + " " + std::to_string(calls));
  }
  void write(std::int64_t copies) {
    if (!script_.writes) return;
    for (std::size_t i = 0; i < static_cast<std::size_t>(copies); ++i) {
      outputs_[i] =
          script_.answers_of_copies.empty() ? script_.answer : script_.answers_of_copies[i];
    }
  }

  Script& script_;
  std::vector<std::int64_t> outputs_;
  std::int64_t calls_ = 1;
  Cache cache_ = Cache::warm;
  int sample_ = 0;
  std::size_t way_ = 0;
  int throttle_questions_ = 0;
  bool poisoned_ = false;
  bool captures_ = false;
};

class FakeBackend final : public Backend {
 public:
  explicit FakeBackend(Side side) : side_(side) {}

  [[nodiscard]] Side side() const override { return side_; }
  [[nodiscard]] const DeviceFacts& device() const override { return facts_; }
  void measure_ceilings(Ceilings& ceilings) override {
    ++ceilings_measured;
    if (next_read_gbps > 0) ceilings.read_gbps = next_read_gbps;
  }
  [[nodiscard]] MemoryNeed memory_need(const Case& /*c*/) override { return need; }
  std::unique_ptr<Workload> prepare(const Case& c, const InputReader& inputs, bool cold) override {
    script.log.emplace_back(cold ? "prepare cold" : "prepare");
    const auto specs = c.op->inputs(c);
    input_bytes = specs.empty() ? 0 : inputs(0, 0, specs[0].bytes()).size();
    if (on_prepare) on_prepare();
    return std::make_unique<FakeWorkload>(script);
  }

  Script script;
  MemoryNeed need{0, std::size_t{1} << 20U};
  std::function<void()> on_prepare;
  double next_read_gbps = 0;
  int ceilings_measured = 0;
  std::size_t input_bytes = 0;

 private:
  Side side_;
  DeviceFacts facts_;
};

}  // namespace redux::testing_fakes
