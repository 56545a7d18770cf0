// Variants in the SIMT executor. Buffers have their exact bounds there, so there are no bands.
#pragma once

#include <cstring>
#include <optional>

#include "backend/simt/fault.hpp"
#include "backend/simt/launch.hpp"
#include "backend/simt/memory.hpp"
#include "backend/simt/variants.hpp"
#include "contract/contract.hpp"

namespace redux::contract {

/// What a workspace holds before the first call.
enum class Scratch : std::uint8_t {
  zeroed,   ///< as the harness hands it over
  garbage,  ///< never written, in the executor's eyes, and not zero
};

/// Bytes that start `offset` past a 256-byte boundary, with nothing in reach before and behind.
class PlacedBytes {
 public:
  explicit PlacedBytes(std::size_t bytes = 0, std::size_t offset = 0)
      : store_(bytes + offset + (2 * kAlignment)), bytes_(bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(store_.data());
    begin_ = ((kAlignment - (address % kAlignment)) % kAlignment) + offset;
  }
  [[nodiscard]] std::byte* data() { return store_.data() + begin_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kAlignment = 256;
  Bytes store_;
  std::size_t begin_ = 0;
  std::size_t bytes_ = 0;
};

class SimtGround : public Ground {
 public:
  explicit SimtGround(simt::Setting setting = {}, Scratch scratch = Scratch::zeroed)
      : setting_(std::move(setting)), scratch_(scratch) {}

  [[nodiscard]] Side side() const override { return Side::cuda; }
  [[nodiscard]] const Registry& registry() const override { return simt::registry(); }
  [[nodiscard]] const DeviceFacts& device() const override { return setting_.device; }
  [[nodiscard]] std::string how() const override {
    return "(" + simt::name_of(setting_.schedule) + ", " +
           std::to_string(setting_.device.multiprocessors) + " multiprocessors of " +
           std::to_string(setting_.device.max_threads_per_multiprocessor) + " threads)";
  }
  [[nodiscard]] simt::Setting& setting() { return setting_; }

  void load(const Bytes& input, DType dtype, std::int64_t offset) override {
    buffer_.reset();
    input_ = PlacedBytes(input.size(), static_cast<std::size_t>(offset) * size_of(dtype));
    if (!input.empty()) std::memcpy(input_.data(), input.data(), input.size());
    buffer_.emplace(input_.data(), input.size(), simt::Role::input, "the input", true);
  }

  std::string run(const Case& c, const Variant& variant, int calls, Bytes& output) override {
    const TensorSpec in = c.op->inputs(c).front();
    const TensorSpec out = c.op->outputs(c).front();
    PlacedBytes result(out.bytes());
    const std::size_t alignment = variant.workspace_alignment;
    PlacedBytes workspace(redux::workspace_bytes(variant, c, setting_.device),
                          alignment < 256 ? alignment : 0);
    const int fill = scratch_ == Scratch::zeroed ? 0 : 0xA7;
    std::memset(workspace.data(), fill, workspace.bytes());
    const View input_view{input_.data(), in.dtype, in.count()};
    const View output_view{result.data(), out.dtype, out.count()};
    simt::Buffer output_buffer(result.data(), result.bytes(), simt::Role::written, "the output",
                               false);
    simt::Buffer scratch(workspace.data(), workspace.bytes(), simt::Role::written, "the workspace",
                         scratch_ == Scratch::zeroed);
    simt::set(setting_);
    try {
      for (int call = 0; call < calls; ++call) {
        std::memset(result.data(), kPoisonByte, out.bytes());
        output_buffer.forget(false);
        redux::run(variant,
                   {&c, {&input_view, 1}, {&output_view, 1}, workspace.data(), workspace.bytes()},
                   {nullptr, &setting_.device});
      }
    } catch (const simt::Fault& fault) {
      output.assign(out.bytes(), std::byte{kPoisonByte});
      return fault.what();
    }
    output.assign(result.data(), result.data() + out.bytes());
    const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
    const bool clean = std::all_of(workspace.data(), workspace.data() + workspace.bytes(), is_zero);
    if (variant.needs_zeroed_workspace && !clean) return "left its workspace other than zero";
    return {};
  }

 private:
  simt::Setting setting_;
  Scratch scratch_;
  PlacedBytes input_;
  std::optional<simt::Buffer> buffer_;
};

}  // namespace redux::contract
