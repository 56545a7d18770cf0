// Variants in the SIMT executor. Buffers have their exact bounds there, so there are no bands.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>

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

/// The outputs of one case.
class Results {
 public:
  void add(const TensorSpec& spec, std::size_t offset) {
    auto& made = results_.emplace_back(std::make_unique<Result>(spec, offset));
    views_.push_back({made->bytes.data(), spec.dtype, spec.count()});
  }
  [[nodiscard]] std::span<const View> views() const { return views_; }
  /// Fills them with poison, which counts as never written.
  void poison() {
    for (const auto& result : results_) {
      std::memset(result->bytes.data(), kPoisonByte, result->bytes.bytes());
      result->buffer.forget(false);
    }
  }
  [[nodiscard]] Outputs copy() const {
    Outputs outputs;
    for (const auto& result : results_) {
      std::byte* data = result->bytes.data();
      outputs.emplace_back(data, data + result->bytes.bytes());
    }
    return outputs;
  }

 private:
  struct Result {
    Result(const TensorSpec& spec, std::size_t offset)
        : bytes(spec.bytes(), offset),
          buffer(bytes.data(), bytes.bytes(), simt::Role::written, "the output '" + spec.name + "'",
                 false) {}
    PlacedBytes bytes;
    simt::Buffer buffer;
  };
  std::vector<std::unique_ptr<Result>> results_;
  std::vector<View> views_;
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

  /// For families whose variants may leave words for their next call in a workspace that was zero.
  void let_workspaces_keep_words() { keeps_words_ = true; }
  /// Writes into a workspace what it might hold after earlier calls.
  using Preset = std::function<void(const Variant&, std::span<std::byte>)>;
  void preset(Preset write) { preset_ = std::move(write); }

  void load_all(std::span<const Bytes> inputs, std::span<const InputPlace> places) override {
    inputs_.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string name = inputs.size() == 1 ? "the input" : "input " + std::to_string(i);
      inputs_.push_back(std::make_unique<Input>(inputs[i], places[i], name));
    }
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    std::vector<std::byte*> starts;
    for (const auto& input : inputs_) starts.push_back(input->bytes.data());
    const std::vector<View> ins = input_views(c, starts);
    Results results;
    for (const TensorSpec& out : c.op->outputs(c)) results.add(out, output_offset(out));
    const std::size_t alignment = variant.workspace_alignment;
    PlacedBytes workspace(redux::workspace_bytes(variant, c, setting_.device),
                          alignment < 256 ? alignment : 0);
    const int fill = scratch_ == Scratch::zeroed ? 0 : 0xA7;
    std::memset(workspace.data(), fill, workspace.bytes());
    simt::Buffer scratch(workspace.data(), workspace.bytes(), simt::Role::written, "the workspace",
                         scratch_ == Scratch::zeroed);
    if (preset_) preset_(variant, {workspace.data(), workspace.bytes()});
    simt::set(setting_);
    std::string fault;
    try {
      for (int call = 0; call < calls; ++call) {
        results.poison();
        for (const auto& input : inputs_) {
          if (calls > 1) input->turn((calls - 1 - call) % 2 != 0);
        }
        redux::run(variant, {&c, ins, results.views(), workspace.data(), workspace.bytes()},
                   {nullptr, &setting_.device});
      }
    } catch (const simt::Fault& caught) {
      fault = caught.what();
      results.poison();
    }
    outputs = results.copy();
    if (!fault.empty()) return fault;
    const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
    const bool clean = std::all_of(workspace.data(), workspace.data() + workspace.bytes(), is_zero);
    if (variant.needs_zeroed_workspace && !keeps_words_ && !clean) {
      return "left its workspace other than zero";
    }
    return {};
  }

 private:
  struct Input {
    Input(const Bytes& input, const InputPlace& at, const std::string& name)
        : place(at),
          bytes(input.size(), static_cast<std::size_t>(at.offset) * size_of(at.dtype)),
          original(input),
          buffer(bytes.data(), input.size(), simt::Role::input, name, true) {
      if (!input.empty()) std::memcpy(bytes.data(), input.data(), input.size());
    }

    /// Every other call before the last has the elements of data in reverse order: what a call left
    /// behind is then not what the next one would have made.
    void turn(bool reversed) {
      if (!place.is_data) return;
      const auto width = static_cast<std::ptrdiff_t>(size_of(place.dtype));
      const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(bytes.bytes()) / width;
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        const std::ptrdiff_t from = reversed ? count - 1 - i : i;
        std::memcpy(bytes.data() + (i * width), original.data() + (from * width),
                    static_cast<std::size_t>(width));
      }
    }

    InputPlace place;
    PlacedBytes bytes;
    Bytes original;
    simt::Buffer buffer;
  };

  simt::Setting setting_;
  Scratch scratch_;
  std::vector<std::unique_ptr<Input>> inputs_;
  bool keeps_words_ = false;
  Preset preset_;
};

}  // namespace redux::contract
