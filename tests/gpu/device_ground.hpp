// Variants on device memory, between guard bands.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "backend/cuda/device.hpp"
#include "backend/cuda/owners.hpp"
#include "common/check.hpp"
#include "contract/contract.hpp"

namespace redux::contract {

inline constexpr std::size_t kBand = 256;
inline constexpr int kGuardByte = 0x5A;

/// Combinations over all tests of the process, printed at its end: by family, which one of its ops
/// names.
inline std::map<std::string, Tally, std::less<>>& device_tallies() {
  static std::map<std::string, Tally, std::less<>> tallies;
  return tallies;
}

inline const DeviceFacts& device_facts() {
  static const DeviceFacts facts = cuda::read_facts(0);
  return facts;
}

/// Whether that many bytes of device memory are free; says so where they are not.
inline bool has_room(const std::string& what, std::size_t needed) {
  std::size_t free = 0;
  std::size_t total = 0;
  REDUX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (free >= needed) return true;
  std::printf("%s: skipped, needs %zu bytes of device memory and %zu are free\n", what.c_str(),
              needed, free);
  return false;
}

/// Device memory that starts exactly `offset` bytes past a 256-byte boundary, between bands.
class BandedDeviceMemory {
 public:
  /// Reuses its allocation where that is large enough.
  void shape(std::size_t bytes, std::size_t offset) {
    const std::size_t needed = bytes + offset + (3 * kBand);
    if (!memory_ || memory_->bytes() < needed) {
      memory_.reset();
      memory_ = std::make_unique<cuda::DeviceMemory>(needed + (needed / 2));
    }
    bytes_ = bytes;
    begin_ = kBand + offset;
  }
  [[nodiscard]] std::byte* data() const { return memory_->data() + begin_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  void guard(cudaStream_t stream) const {
    REDUX_CUDA_CHECK(cudaMemsetAsync(memory_->data(), kGuardByte, begin_, stream));
    REDUX_CUDA_CHECK(cudaMemsetAsync(data() + bytes_, kGuardByte, kBand, stream));
  }
  void set(int byte, cudaStream_t stream) const {
    if (bytes_ > 0) REDUX_CUDA_CHECK(cudaMemsetAsync(data(), byte, bytes_, stream));
  }
  /// Everything with its bands, then whether those are whole; the contents go to `inside`.
  bool read(Bytes& inside, cudaStream_t stream) const {
    Bytes all(begin_ + bytes_ + kBand);
    REDUX_CUDA_CHECK(
        cudaMemcpyAsync(all.data(), memory_->data(), all.size(), cudaMemcpyDeviceToHost, stream));
    REDUX_CUDA_CHECK(cudaStreamSynchronize(stream));
    const auto front = all.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto back = front + static_cast<std::ptrdiff_t>(bytes_);
    inside.assign(front, back);
    const auto is_guard = [](std::byte b) { return b == std::byte{kGuardByte}; };
    return std::all_of(all.begin(), front, is_guard) && std::all_of(back, all.end(), is_guard);
  }

 private:
  std::unique_ptr<cuda::DeviceMemory> memory_;
  std::size_t bytes_ = 0;
  std::size_t begin_ = 0;
};

/// One variant's outputs and workspace for one case. The workspace is aligned to what the variant
/// asks for and to no more, and zero-filled once.
class Call {
 public:
  /// `offsets`: bytes past a 256-byte boundary at which the outputs start; none given, 0.
  void prepare(const Case& c, const Variant& variant, cudaStream_t stream,
               const std::vector<std::size_t>& offsets = {}) {
    the_case_ = &c;
    variant_ = &variant;
    const std::vector<TensorSpec> specs = c.op->outputs(c);
    outputs_.resize(specs.size());
    views_.clear();
    for (std::size_t i = 0; i < specs.size(); ++i) {
      outputs_[i].shape(specs[i].bytes(), offsets.empty() ? 0 : offsets[i]);
      outputs_[i].guard(stream);
      views_.push_back({outputs_[i].data(), specs[i].dtype, specs[i].count()});
    }
    const std::size_t alignment = variant.workspace_alignment;
    workspace_.shape(redux::workspace_bytes(variant, c, device_facts()),
                     alignment < kBand ? alignment : 0);
    workspace_.guard(stream);
    workspace_.set(0, stream);
  }
  void poison(cudaStream_t stream) const {
    for (const auto& output : outputs_) output.set(kPoisonByte, stream);
  }
  /// Inputs start at these addresses.
  void launch(std::span<std::byte* const> inputs, cudaStream_t stream) const {
    const std::vector<View> ins = input_views(*the_case_, inputs);
    redux::run(*variant_, {the_case_, ins, views_, workspace_.data(), workspace_.bytes()},
               {stream, &device_facts()});
  }
  /// The only input starts there.
  void launch(std::byte* input, cudaStream_t stream) const { launch({&input, 1}, stream); }
  /// What was damaged, or empty.
  std::string read(Outputs& outputs, cudaStream_t stream) const {
    outputs.resize(outputs_.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (!outputs_[i].read(outputs[i], stream)) return "wrote outside its output";
    }
    Bytes scratch;
    if (!workspace_.read(scratch, stream)) return "wrote outside its workspace";
    return {};
  }

 private:
  const Case* the_case_ = nullptr;
  const Variant* variant_ = nullptr;
  std::vector<BandedDeviceMemory> outputs_;
  BandedDeviceMemory workspace_;
  std::vector<View> views_;
};

/// A case's inputs on the device.
class PlacedInputs {
 public:
  void load(std::span<const Bytes> inputs, std::span<const InputPlace> places,
            cudaStream_t stream) {
    inputs_.resize(inputs.size());
    starts_.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Bytes& input = inputs[i];
      inputs_[i].shape(input.size(),
                       static_cast<std::size_t>(places[i].offset) * size_of(places[i].dtype));
      inputs_[i].guard(stream);
      if (!input.empty()) {
        REDUX_CUDA_CHECK(cudaMemcpyAsync(inputs_[i].data(), input.data(), input.size(),
                                         cudaMemcpyHostToDevice, stream));
      }
      starts_.push_back(inputs_[i].data());
    }
    originals_.assign(inputs.begin(), inputs.end());
  }
  [[nodiscard]] std::span<std::byte* const> starts() const { return starts_; }
  /// What was damaged, or empty; of small inputs alone, as reading large ones would only cost time.
  [[nodiscard]] std::string damage(cudaStream_t stream) const {
    constexpr std::size_t kComparedBytes = 65536;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (originals_[i].size() > kComparedBytes) continue;
      Bytes input;
      if (!inputs_[i].read(input, stream)) return "wrote outside its input";
      if (input != originals_[i]) return "changed its input";
    }
    return {};
  }

 private:
  std::vector<BandedDeviceMemory> inputs_;
  std::vector<std::byte*> starts_;
  std::vector<Bytes> originals_;
};

class DeviceGround final : public Ground {
 public:
  [[nodiscard]] Side side() const override { return Side::cuda; }
  [[nodiscard]] const DeviceFacts& device() const override { return device_facts(); }

  void load_all(std::span<const Bytes> inputs, std::span<const InputPlace> places) override {
    inputs_.load(inputs, places, stream_.get());
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    std::vector<std::size_t> offsets;
    for (const TensorSpec& spec : c.op->outputs(c)) offsets.push_back(output_offset(spec));
    call_.prepare(c, variant, stream_.get(), offsets);
    for (int i = 0; i < calls; ++i) {
      call_.poison(stream_.get());
      call_.launch(inputs_.starts(), stream_.get());
    }
    std::string damage = call_.read(outputs, stream_.get());
    return damage.empty() ? inputs_.damage(stream_.get()) : damage;
  }

 private:
  cuda::Stream stream_ = cuda::make_stream();
  PlacedInputs inputs_;
  Call call_;
};

}  // namespace redux::contract
