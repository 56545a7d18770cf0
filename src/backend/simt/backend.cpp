// The SIMT executor behind the harness's interfaces: CUDA variants on the CPU, to be verified.
#include "backend/backend.hpp"

#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backend/host/block.hpp"
#include "backend/host_memory.hpp"
#include "backend/layout.hpp"
#include "backend/simt/fault.hpp"
#include "backend/simt/launch.hpp"
#include "backend/simt/memory.hpp"
#include "backend/simt/variants.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

/// Calls under each schedule over the same workspace, as the calls of a graph replay are.
constexpr std::int64_t kCallsEach = 2;

[[noreturn]] void refuse_to_time() {
  throw std::logic_error("the SIMT executor verifies only: its times would mean nothing");
}

/// Only bounds are checked here that the executor knows exactly: each buffer's own. The layout's
/// guard bands keep buffers apart, so that none is reached from its neighbour by a few bytes.
class SimtWorkload final : public Workload {
 public:
  SimtWorkload(Case c, const ArenaLayout& layout, const InputReader& inputs,
               const DeviceFacts& device, std::vector<simt::Schedule> schedules)
      : case_(std::move(c)),
        block_(layout.total_bytes(1)),
        exec_{nullptr, &device},
        schedules_(std::move(schedules)),
        views_(layout.views(block_.data(), 0)),
        input_count_(layout.inputs().size()) {
    std::memset(block_.data(), kGuardByte, block_.bytes());
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const bool input = i < input_count_;
      const std::size_t bytes = views_[i].bytes();
      if (input) {
        for_each_piece(inputs, i, bytes, [&](std::size_t at, std::span<const std::byte> piece) {
          std::memcpy(views_[i].as<std::byte>() + at, piece.data(), piece.size());
        });
      }
      buffers_.push_back(std::make_unique<simt::Buffer>(
          views_[i].data, bytes, input ? simt::Role::input : simt::Role::written,
          layout.slots()[i].label, input));
    }
    if (const Stretch place = layout.workspace(block_.data(), 1); place.bytes > 0) {
      workspace_data_ = block_.data() + place.offset;
      workspace_ = std::make_unique<simt::Buffer>(workspace_data_, place.bytes, simt::Role::written,
                                                  "the workspace", true);
    }
  }

  [[nodiscard]] std::int64_t copies() const override { return 1; }

  [[nodiscard]] std::int64_t ways() const override {
    return static_cast<std::int64_t>(schedules_.size()) * kCallsEach;
  }

  std::string choose_way(std::int64_t index) override {
    const simt::Schedule& schedule = schedules_.at(static_cast<std::size_t>(index / kCallsEach));
    // A schedule starts from a fresh workspace: what it shows, it shows when it is run alone.
    if (index % kCallsEach == 0) {
      simt::set({schedule, *exec_.device});
      if (workspace_ != nullptr) {
        std::memset(workspace_data_, 0, workspace_->bytes());
        workspace_->forget(true);
      }
    }
    return "--simt-schedule " + simt::name_of(schedule);
  }

  void poison_outputs() override {
    for (std::size_t i = input_count_; i < views_.size(); ++i) {
      std::memset(views_[i].data, kPoisonByte, views_[i].bytes());
      buffers_[i]->forget(false);
    }
  }

  void warm_up(Cache /*cache*/, std::int64_t calls) override {
    const std::span views(views_);
    const Problem problem{.the_case = &case_,
                          .inputs = views.first(input_count_),
                          .outputs = views.subspan(input_count_),
                          .workspace = workspace_data_,
                          .workspace_bytes = workspace_ == nullptr ? 0 : workspace_->bytes()};
    try {
      for (std::int64_t i = 0; i < calls; ++i) run(*case_.variant, problem, exec_);
    } catch (const simt::Fault& fault) {
      throw KernelFault(fault.what());
    }
  }

  void set_up_batch(Mode /*mode*/, Cache /*cache*/, std::int64_t /*calls*/) override {
    refuse_to_time();
  }
  double run_batch() override { refuse_to_time(); }

  void read_outputs(const std::function<void(std::int64_t, std::span<const View>)>& visit,
                    std::optional<std::int64_t> limit) override {
    if (limit.value_or(1) > 0) visit(0, std::span(views_).subspan(input_count_));
  }

  void read_output(std::int64_t /*copy*/, std::size_t output, std::size_t offset,
                   std::span<std::byte> to) override {
    std::memcpy(to.data(), views_[input_count_ + output].as<std::byte>() + offset, to.size());
  }

  /// Every access was checked when it was made.
  std::string damage() override { return {}; }

  [[nodiscard]] std::optional<LaunchFacts> launch_facts() const override {
    return LaunchFacts{.geometry = geometry(*case_.variant, case_, *exec_.device)};
  }

 private:
  const Case case_;  // its own: the caller's may go first
  const host::Block block_;
  const Exec exec_;
  const std::vector<simt::Schedule> schedules_;
  const std::vector<View> views_;  ///< inputs first
  const std::size_t input_count_;
  std::vector<std::unique_ptr<simt::Buffer>> buffers_;  ///< of views_
  void* workspace_data_ = nullptr;
  std::unique_ptr<simt::Buffer> workspace_;  ///< null where there is none
};

class SimtBackend final : public Backend {
 public:
  explicit SimtBackend(const SimtSettings& settings)
      : facts_(simt::simulated_device(settings.multiprocessors)) {
    facts_.memory_bytes = free_host_bytes();
    if (settings.schedule.empty()) return;
    schedule_ = simt::schedule_of(settings.schedule);
    if (!schedule_) throw std::invalid_argument("no schedule: " + settings.schedule);
  }

  [[nodiscard]] Side side() const override { return Side::cuda; }
  [[nodiscard]] const DeviceFacts& device() const override { return facts_; }
  [[nodiscard]] bool in_host_memory() const override { return true; }

  void measure_ceilings(Ceilings& /*ceilings*/) override { refuse_to_time(); }

  [[nodiscard]] MemoryNeed memory_need(const Case& c) override {
    return {needed_bytes(ArenaLayout(c, facts_)), free_host_bytes()};
  }

  std::unique_ptr<Workload> prepare(const Case& c, const InputReader& inputs,
                                    bool /*cold*/) override {
    const ArenaLayout layout(c, facts_);
    const std::size_t free = free_host_bytes();
    if (const std::size_t bytes = needed_bytes(layout); bytes > free) {
      throw OutOfMemory("needs " + bytes_text(bytes) + " of host memory, " + bytes_text(free) +
                        " is free");
    }
    return std::make_unique<SimtWorkload>(c, layout, inputs, facts_, schedules_of(c));
  }

 private:
  /// With the history that the executor keeps of what kernels write.
  static std::size_t needed_bytes(const ArenaLayout& layout) {
    std::size_t written = layout.workspace_bytes();
    for (const Slot& slot : layout.outputs()) written += slot.place.bytes;
    return layout.total_bytes(1) + (written / 4 * sizeof(simt::Cell));
  }

  [[nodiscard]] std::vector<simt::Schedule> schedules_of(const Case& c) const {
    if (schedule_) return {*schedule_};
    return {{simt::Order::ascending}, {simt::Order::descending}, {simt::Order::random, c.seed}};
  }

  DeviceFacts facts_;
  std::optional<simt::Schedule> schedule_;
};

}  // namespace

std::unique_ptr<Backend> make_simt_backend(const SimtSettings& settings) {
  return std::make_unique<SimtBackend>(settings);
}

const Registry& simt_registry() {
  static const Registry all = [] {
    Registry merged;
    for (const Op* op : simt::registry().ops()) {
      merged.add(Op(*op));
      for (const Variant* variant : simt::registry().variants(op->name)) {
        merged.add(Variant(*variant));
      }
      for (const Variant* variant : Registry::instance().variants(op->name)) {
        if (variant->side == Side::host) merged.add(Variant(*variant));
      }
    }
    return merged;
  }();
  return all;
}

}  // namespace redux
