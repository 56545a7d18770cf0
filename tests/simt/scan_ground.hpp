// Where variants of cummax and cummin run in the executor.
#pragma once

#include "contract/cumminmax_shapes.hpp"
#include "simt/rotating_ground.hpp"

namespace redux::contract {

/// A RotatingGround that knows that a scan's threads may walk over a long line: where it thins, of
/// launches on more than 2048 elements it takes one in 4, on more than 10000 one in 16. And always,
/// of blocks of several rows, which sweep over them with a dozen barriers for each 32 elements, on
/// more than 1024 elements one in 16.
class ScanGround : public RotatingGround {
 public:
  explicit ScanGround(std::uint64_t seed, bool thins = true, std::int64_t most_threads = 1000000)
      : RotatingGround(seed, thins, most_threads), draw_(~seed), thins_(thins) {
    let_workspaces_keep_words();
  }

  /// From here on all runs are under this setting.
  void fix(const simt::Setting& to) {
    fixed_ = to;
    setting() = to;
  }

  bool takes(const Case& c, const Variant& variant) override {
    const std::int64_t elements = c.shape.elements().value();
    if (geometry(variant, c, device()).block.y > 1 && elements > 1024 && draw_.below(16) != 0) {
      return false;
    }
    if (fixed_) return true;
    if (thins_ && elements > 2048 && draw_.below(elements > 10000 ? 16 : 4) != 0) return false;
    return RotatingGround::takes(c, variant);
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    if (!fixed_) return RotatingGround::run(c, variant, calls, outputs);
    setting() = *fixed_;
    return SimtGround::run(c, variant, calls, outputs);
  }

 private:
  simt::Random draw_;
  bool thins_;
  std::optional<simt::Setting> fixed_;
};

}  // namespace redux::contract
