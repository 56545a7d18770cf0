// A case made ready on a CUDA device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/device.hpp"
#include "backend/layout.hpp"
#include "core/case.hpp"
#include "core/variant.hpp"

namespace redux::cuda {

class CudaWorkload final : public Workload {
 public:
  /// Allocates, uploads and copies. Throws OutOfMemory, or CudaError.
  CudaWorkload(Case c, const InputReader& inputs, bool cold, std::shared_ptr<Device> device);
  CudaWorkload(const CudaWorkload&) = delete;
  CudaWorkload& operator=(const CudaWorkload&) = delete;
  ~CudaWorkload() override;

  [[nodiscard]] std::int64_t copies() const override { return copies_; }
  void poison_outputs() override;
  /// The first call of it also captures one call and compares its nodes with the launch geometry
  /// that the variant declares; throws std::logic_error where they differ.
  void warm_up(Cache cache, std::int64_t calls) override;
  void start_capture() override;
  void stop_capture() noexcept override;
  void set_up_batch(Mode mode, Cache cache, std::int64_t calls) override;
  void handicap(double factor) override { handicap_ = factor; }
  double run_batch() override;
  [[nodiscard]] std::int64_t called_copies() const override;
  void read_outputs(const std::function<void(std::int64_t, std::span<const View>)>& visit,
                    std::optional<std::int64_t> limit) override;
  void read_output(std::int64_t copy, std::size_t output, std::size_t offset,
                   std::span<std::byte> to) override;
  /// Inputs are looked at in the first and the last copy, by their fingerprints.
  std::string damage() override;
  std::string throttled() override { return device_->throttled(); }
  [[nodiscard]] std::optional<LaunchFacts> launch_facts() const override;

 private:
  void upload(const InputReader& inputs);
  void check_nodes();
  void call(std::int64_t copy) const;
  void call_round() const;
  void make_ready();
  [[nodiscard]] std::string band_damage_in(std::size_t band) const;
  [[nodiscard]] std::string workspace_damage() const;
  [[nodiscard]] std::string input_damage_in(std::size_t input, std::int64_t copy) const;
  [[nodiscard]] std::byte* start_of(std::int64_t copy) const;
  /// Copies `bytes` at `offset` of each of `count` copies from `first` on to the host, packed.
  void gather(std::vector<std::byte>& to, const Stretch& place, std::int64_t first,
              std::int64_t count) const;

  const Case case_;  // its own: the caller's may go first
  const std::shared_ptr<Device> device_;
  const ArenaLayout layout_;
  std::int64_t copies_ = 1;
  std::shared_ptr<DeviceMemory> arena_;
  Stretch workspace_;
  std::vector<std::vector<Fingerprint>> prints_;
  std::vector<std::vector<View>> views_;
  std::vector<Problem> problems_;
  Stopwatch stopwatch_;
  GraphExec batch_graph_;
  Mode mode_ = Mode::stream;
  Cache cache_ = Cache::warm;
  std::int64_t calls_ = 1;
  std::int64_t calls_per_round_ = 1;  ///< what is between two events
  bool flushes_ = false;              ///< before each round
  double handicap_ = 1;
  double spin_us_ = 0;                ///< what a handicap adds to a round
  std::optional<Geometry> launched_;  ///< as found in a captured call, once one was checked
};

}  // namespace redux::cuda
