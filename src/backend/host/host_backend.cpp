// Host variants: memory in one block with guard bands, steady_clock around batches of calls.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "backend/host/block.hpp"
#include "backend/host/host_probes.hpp"
#include "backend/host_memory.hpp"
#include "backend/layout.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

using host::Block;

/// Rotating copies may take this much where that exceeds three times the last-level cache.
constexpr std::size_t kMaxRotationBytes = std::size_t{128} << 20U;
/// Where it does not, copies are evicted before they are called, and few are enough.
constexpr std::size_t kEvictedRotationBytes = std::size_t{16} << 20U;

class HostWorkload final : public Workload {
 public:
  HostWorkload(Case c, ArenaLayout layout, std::int64_t copies, bool evicts,
               std::shared_ptr<Block> block, const InputReader& inputs, const DeviceFacts& device)
      : case_(std::move(c)),
        layout_(std::move(layout)),
        copies_(copies),
        evicts_(evicts),
        block_(std::move(block)),
        exec_{nullptr, &device} {
    std::byte* base = block_->data();
    std::memset(base, kGuardByte, layout_.stride_bytes());
    for (std::size_t i = 0; i < layout_.inputs().size(); ++i) {
      const Stretch place = layout_.inputs()[i].place;
      std::byte* start = base + place.offset;
      for_each_piece(inputs, i, place.bytes, [&](std::size_t at, std::span<const std::byte> piece) {
        host::parallel_copy(start + at, piece.data(), piece.size());
      });
      prints_.push_back(fingerprints(place.bytes, [&](const Stretch& place_of) {
        return std::span<const std::byte>(start + place_of.offset, place_of.bytes);
      }));
    }
    for (std::int64_t copy = 1; copy < copies_; ++copy) {
      host::parallel_copy(start_of(copy), base, layout_.stride_bytes());
    }
    const Stretch region = layout_.workspace_region(copies_);
    std::memset(base + region.offset, kGuardByte, region.bytes);
    workspace_ = layout_.workspace(base, copies_);
    std::memset(base + workspace_.offset, 0, workspace_.bytes);
    poison_outputs();
    for (std::int64_t copy = 0; copy < copies_; ++copy) {
      views_.push_back(layout_.views(base, copy));
    }
    for (const auto& views : views_) problems_.push_back(problem_over(views));
  }

  [[nodiscard]] std::int64_t copies() const override { return copies_; }

  void poison_outputs() override {
    for (std::int64_t copy = 0; copy < copies_; ++copy) {
      for (const Slot& slot : layout_.outputs()) {
        std::memset(start_of(copy) + slot.place.offset, kPoisonByte, slot.place.bytes);
      }
    }
  }

  void warm_up(Cache cache, std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) {
      call(cache == Cache::warm ? 0 : i % copies_);
    }
  }

  void set_up_batch(Mode /*mode*/, Cache cache, std::int64_t calls) override {
    cache_ = cache;
    calls_ = calls;
    next_copy_ = 0;
    called_copies_ = 0;
  }

  void handicap(double factor) override { handicap_ = factor; }

  double run_batch() override {
    double total_us = 0;
    for (std::int64_t left = calls_; left > 0;) {
      // Where eviction keeps the batch cold, each round meets every copy at most once.
      const bool cold = cache_ == Cache::cold;
      const std::int64_t round = cold && evicts_ ? std::min(left, copies_) : left;
      if (cold && evicts_) evict_next(round);
      using Clock = std::chrono::steady_clock;
      const auto start = Clock::now();
      if (cold) {
        for (std::int64_t i = 0; i < round; ++i) {
          call(next_copy_);
          if (++next_copy_ == copies_) next_copy_ = 0;
        }
      } else {
        for (std::int64_t i = 0; i < round; ++i) call(0);
      }
      auto end = Clock::now();
      const std::chrono::duration<double> own = end - start;
      while (handicap_ > 1 && end - start < own * handicap_) end = Clock::now();
      total_us += std::chrono::duration<double, std::micro>(end - start).count();
      called_copies_ = cold ? std::min(copies_, called_copies_ + round) : 1;
      left -= round;
    }
    return total_us;
  }

  [[nodiscard]] std::int64_t called_copies() const override { return called_copies_; }

  void read_outputs(const std::function<void(std::int64_t, std::span<const View>)>& visit,
                    std::optional<std::int64_t> limit) override {
    const std::int64_t count = std::min(copies_, limit.value_or(copies_));
    for (std::int64_t copy = 0; copy < count; ++copy) {
      visit(copy, problems_[static_cast<std::size_t>(copy)].outputs);
    }
  }

  void read_output(std::int64_t copy, std::size_t output, std::size_t offset,
                   std::span<std::byte> to) override {
    const View& view = problems_[static_cast<std::size_t>(copy)].outputs[output];
    std::memcpy(to.data(), view.as<std::byte>() + offset, to.size());
  }

  std::string damage() override {
    const auto bands = layout_.bands();
    const auto slots = layout_.slots();
    for (std::int64_t copy = 0; copy < copies_; ++copy) {
      for (std::size_t i = 0; i < bands.size(); ++i) {
        const std::span band{start_of(copy) + bands[i].offset, bands[i].bytes};
        std::string found = band_damage(band, i > 0 ? slots[i - 1].label : "",
                                        i < slots.size() ? slots[i].label : "", copy);
        if (!found.empty()) return found;
      }
    }
    if (std::string found = workspace_damage(); !found.empty()) return found;
    for (const std::int64_t copy : {std::int64_t{0}, copies_ - 1}) {
      for (std::size_t i = 0; i < prints_.size(); ++i) {
        const Slot& slot = layout_.inputs()[i];
        for (const Fingerprint& print : prints_[i]) {
          const std::span block{start_of(copy) + slot.place.offset + print.block.offset,
                                print.block.bytes};
          if (hash_bytes(block) != print.hash) return input_damage(slot, copy, print.block);
        }
      }
    }
    return {};
  }

  [[nodiscard]] std::optional<LaunchFacts> launch_facts() const override { return std::nullopt; }

 private:
  [[nodiscard]] std::byte* start_of(std::int64_t copy) const {
    return block_->data() + (static_cast<std::size_t>(copy) * layout_.stride_bytes());
  }

  [[nodiscard]] Problem problem_over(std::span<const View> views) const {
    const std::size_t inputs = layout_.inputs().size();
    return {.the_case = &case_,
            .inputs = views.first(inputs),
            .outputs = views.subspan(inputs),
            .workspace = workspace_.bytes > 0 ? block_->data() + workspace_.offset : nullptr,
            .workspace_bytes = workspace_.bytes};
  }

  void call(std::int64_t copy) const {
    run(*case_.variant, problems_[static_cast<std::size_t>(copy)], exec_);
  }

  void evict_next(std::int64_t count) const {
    const std::int64_t until_end = std::min(count, copies_ - next_copy_);
    const auto bytes = [this](std::int64_t n) {
      return static_cast<std::size_t>(n) * layout_.stride_bytes();
    };
    host::evict(start_of(next_copy_), bytes(until_end));
    if (count > until_end) host::evict(start_of(0), bytes(count - until_end));
  }

  [[nodiscard]] std::string workspace_damage() const {
    if (workspace_.bytes == 0) return {};
    const Stretch region = layout_.workspace_region(copies_);
    const std::byte* base = block_->data();
    const std::size_t end = workspace_.offset + workspace_.bytes;
    std::string found =
        band_damage({base + region.offset, workspace_.offset - region.offset}, "", "workspace", 0);
    if (!found.empty()) return found;
    return band_damage({base + end, region.offset + region.bytes - end}, "workspace", "", 0);
  }

  const Case case_;  // its own: the caller's may go first
  const ArenaLayout layout_;
  const std::int64_t copies_;
  const bool evicts_;
  const std::shared_ptr<Block> block_;
  const Exec exec_;
  Stretch workspace_;
  std::vector<std::vector<Fingerprint>> prints_;
  std::vector<std::vector<View>> views_;
  std::vector<Problem> problems_;
  Cache cache_ = Cache::warm;
  std::int64_t calls_ = 1;
  std::int64_t next_copy_ = 0;
  std::int64_t called_copies_ = 0;
  double handicap_ = 1;
};

class HostBackend final : public Backend {
 public:
  HostBackend() {
    facts_.name = read_environment(nullptr).cpu;
    facts_.multiprocessors = omp_get_max_threads();
    facts_.max_threads_per_multiprocessor = 1;
    facts_.shared_bytes_per_block = 0;
    facts_.l2_bytes = last_level_cache_bytes();
    facts_.memory_bytes = free_host_bytes();
  }

  [[nodiscard]] Side side() const override { return Side::host; }
  [[nodiscard]] const DeviceFacts& device() const override { return facts_; }

  void measure_ceilings(Ceilings& ceilings) override { host::measure_ceilings(ceilings); }

  [[nodiscard]] MemoryNeed memory_need(const Case& c) override {
    return {ArenaLayout(c, facts_).total_bytes(1), free_bytes()};
  }

  std::unique_ptr<Workload> prepare(const Case& c, const InputReader& inputs, bool cold) override {
    ArenaLayout layout(c, facts_);
    const std::size_t beyond_bytes = 3 * facts_.l2_bytes;
    const std::size_t most =
        beyond_bytes < kMaxRotationBytes ? kMaxRotationBytes : kEvictedRotationBytes;
    const std::size_t budget = std::min(most, free_bytes() / 2);
    const std::int64_t copies = cold ? layout.copies_beyond(beyond_bytes, budget) : 1;
    const bool evicts = static_cast<std::size_t>(copies) * layout.data_bytes() <= beyond_bytes;
    const std::size_t bytes = layout.total_bytes(copies);
    if (block_.use_count() != 1 || block_->bytes() < bytes) {
      block_.reset();  // before the new one: both may not fit
      if (bytes > free_host_bytes()) {
        throw OutOfMemory("needs " + bytes_text(bytes) + " of host memory, " +
                          bytes_text(free_host_bytes()) + " is free");
      }
      block_ = std::make_shared<Block>(bytes);
    }
    return std::make_unique<HostWorkload>(c, std::move(layout), copies, evicts, block_, inputs,
                                          facts_);
  }

 private:
  /// The block kept from the last case can be reused or freed.
  [[nodiscard]] std::size_t free_bytes() const {
    return free_host_bytes() + (block_.use_count() == 1 ? block_->bytes() : 0);
  }

  DeviceFacts facts_;
  /// Reused from case to case, because fresh pages cost more than filling.
  std::shared_ptr<Block> block_;
};

}  // namespace

std::unique_ptr<Backend> make_host_backend() {
  return std::make_unique<HostBackend>();
}

}  // namespace redux
