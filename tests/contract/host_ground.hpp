// Variants on host memory, between guard bands.
#pragma once

#include <cstring>

#include "contract/contract.hpp"

namespace redux::contract {

class HostGround final : public Ground {
 public:
  [[nodiscard]] Side side() const override { return Side::host; }
  [[nodiscard]] const DeviceFacts& device() const override { return facts_; }

  void load(const Bytes& input, DType dtype, std::int64_t offset) override {
    input_ = Banded(input.size(), static_cast<std::size_t>(offset) * size_of(dtype));
    if (!input.empty()) std::memcpy(input_.data(), input.data(), input.size());
    original_ = input;
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    const TensorSpec in = c.op->inputs(c).front();
    const View input_view{input_.data(), in.dtype, in.count()};
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
      redux::run(variant, {&c, {&input_view, 1}, views, workspace.data(), workspace_bytes},
                 {nullptr, &facts_});
    }
    outputs.clear();
    for (Banded& result : results) {
      outputs.emplace_back(result.data(), result.data() + result.bytes());
      if (!result.intact()) return "wrote outside its output";
    }
    if (!workspace.intact()) return "wrote outside its workspace";
    if (!input_.intact()) return "wrote outside its input";
    if (!std::equal(original_.begin(), original_.end(), input_.data())) {
      return "changed its input";
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
  Banded input_;
  Bytes original_;
};

}  // namespace redux::contract
