// Variants on host memory, between guard bands.
#pragma once

#include <cstring>

#include "contract/contract.hpp"

namespace redux::contract {

class HostGround final : public Ground {
 public:
  [[nodiscard]] Side side() const override { return Side::host; }
  [[nodiscard]] const DeviceFacts& device() const override { return facts_; }

  void load_all(std::span<const Bytes> inputs, std::span<const InputPlace> places) override {
    inputs_.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t past =
          static_cast<std::size_t>(places[i].offset) * size_of(places[i].dtype);
      Banded& placed = inputs_.emplace_back(inputs[i].size(), past);
      if (!inputs[i].empty()) std::memcpy(placed.data(), inputs[i].data(), inputs[i].size());
    }
    originals_.assign(inputs.begin(), inputs.end());
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    std::vector<std::byte*> starts;
    for (Banded& input : inputs_) starts.push_back(input.data());
    const std::vector<View> ins = input_views(c, starts);
    std::vector<Banded> results;
    std::vector<View> views;
    for (const TensorSpec& out : c.op->outputs(c)) {
      results.emplace_back(out.bytes(), output_offset(out));
      views.push_back({results.back().data(), out.dtype, out.count()});
    }
    const std::size_t workspace_bytes = redux::workspace_bytes(variant, c, facts_);
    Banded workspace(workspace_bytes, variant.workspace_alignment);
    std::memset(workspace.data(), 0, workspace_bytes);
    for (int call = 0; call < calls; ++call) {
      for (Banded& result : results) std::memset(result.data(), kPoisonByte, result.bytes());
      redux::run(variant, {&c, ins, views, workspace.data(), workspace_bytes}, {nullptr, &facts_});
    }
    outputs.clear();
    for (Banded& result : results) {
      outputs.emplace_back(result.data(), result.data() + result.bytes());
      if (!result.intact()) return "wrote outside its output";
    }
    if (!workspace.intact()) return "wrote outside its workspace";
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i].intact()) return "wrote outside its input";
      if (!std::equal(originals_[i].begin(), originals_[i].end(), inputs_[i].data())) {
        return "changed its input";
      }
    }
    return {};
  }

 private:
  /// Bytes that start `offset` past a 256-byte boundary, with a band on either side.
  class Banded {
   public:
    explicit Banded(std::size_t bytes = 0, std::size_t offset = 0)
        : store_(bytes + offset + (3 * kBand), kGuard), bytes_(bytes) {
      const auto address = reinterpret_cast<std::uintptr_t>(store_.data()) + kBand;
      begin_ = kBand + ((kBand - (address % kBand)) % kBand) + offset;
    }
    [[nodiscard]] std::byte* data() { return store_.data() + begin_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] bool intact() const {
      const auto is_guard = [](std::byte b) { return b == kGuard; };
      const auto front = store_.begin() + static_cast<std::ptrdiff_t>(begin_);
      return std::all_of(store_.begin(), front, is_guard) &&
             std::all_of(front + static_cast<std::ptrdiff_t>(bytes_), store_.end(), is_guard);
    }

   private:
    static constexpr std::size_t kBand = 256;
    static constexpr std::byte kGuard{0x5A};
    Bytes store_;
    std::size_t begin_ = 0;
    std::size_t bytes_ = 0;
  };

  DeviceFacts facts_;
  std::vector<Banded> inputs_;
  std::vector<Bytes> originals_;
};

}  // namespace redux::contract
