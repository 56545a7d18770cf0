// Under which schedules and on which simulated devices variants run, and the tally of what was
// checked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simt/simt_ground.hpp"

namespace redux::contract {

/// Under the address sanitizer the executor takes four times as long, and what it runs is the same:
/// the longest tests draw less there. They run in full in the plain build.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr std::array kMultiprocessors{1, 2, 13, 132};
inline constexpr std::array kThreadsAMultiprocessor{1024, 1536, 2048};

inline std::vector<DeviceFacts> simulated_devices() {
  std::vector<DeviceFacts> devices;
  for (const int multiprocessors : kMultiprocessors) {
    for (const int threads : kThreadsAMultiprocessor) {
      devices.push_back(simt::simulated_device(multiprocessors, threads));
    }
  }
  return devices;
}

/// Threads that the variant's main kernel starts.
inline std::int64_t threads_of(const Case& c, const Variant& variant, const DeviceFacts& device) {
  const Geometry g = geometry(variant, c, device);
  return static_cast<std::int64_t>(g.grid.x) * g.grid.y * g.grid.z * g.block.x * g.block.y *
         g.block.z;
}

/// Any of the three; a random one, which switches several times as often, rarely for many threads
/// and never for very many.
inline simt::Schedule draw_schedule(simt::Random& draw, std::int64_t threads) {
  if (threads > 100000)
    return {draw.below(2) == 0 ? simt::Order::ascending : simt::Order::descending};
  const std::uint64_t random_one_in = threads > 1500 ? 16 : 4;
  if (draw.below(random_one_in) == 0) return {simt::Order::random, draw.below(1000000)};
  return {draw.below(2) == 0 ? simt::Order::ascending : simt::Order::descending};
}

/// Each run under another schedule and on another device: drawn, so that no loop of a test keeps
/// step with them, from a fixed seed. Where `thins`, launches of more than 256 threads are run in
/// one case of 4 (8 where kSanitized), of more than 1500 in one of 16, of more than 15000 in one of
/// 64, likewise drawn; larger than `most_threads` never. Launches left out are counted as that.
class RotatingGround : public SimtGround {
 public:
  explicit RotatingGround(std::uint64_t seed, bool thins = true,
                          std::int64_t most_threads = 1000000)
      : draw_(seed), thins_(thins), most_threads_(most_threads) {}

  bool takes(const Case& c, const Variant& variant) override {
    setting().device = devices_[draw_.below(devices_.size())];
    const std::int64_t threads = threads_of(c, variant, device());
    if (threads > most_threads_) return false;
    if (!thins_ || threads <= 256) return true;
    const std::uint64_t one_in_few = kSanitized ? 8 : 4;
    return draw_.below(threads > 15000 ? 64 : threads > 1500 ? 16 : one_in_few) == 0;
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    setting().schedule = draw_schedule(draw_, threads_of(c, variant, device()));
    return SimtGround::run(c, variant, calls, outputs);
  }

 private:
  simt::Random draw_;
  std::vector<DeviceFacts> devices_ = simulated_devices();
  bool thins_;
  std::int64_t most_threads_;
};

/// Counts of the tests of one family, named by one of its ops; printed at the end of the process.
void add_to_simt_tally(std::string_view family, const Tally& tally);

/// Every variant of the family was checked, but those of a library, which were refused; then adds
/// them to the tally above.
void expect_all_variants(std::string_view family, const Tally& tally);

}  // namespace redux::contract
