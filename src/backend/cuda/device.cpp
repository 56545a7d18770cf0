#include "backend/cuda/device.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "common/probes.hpp"

namespace redux::cuda {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> hex{};
    static_cast<void>(
        std::snprintf(hex.data(), hex.size(), "%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i]))));
    text += hex.data();
  }
  return text;
}

}  // namespace

DeviceFacts read_facts(int ordinal) {
  REDUX_CUDA_CHECK(cudaSetDevice(ordinal));
  cudaDeviceProp properties{};
  REDUX_CUDA_CHECK(cudaGetDeviceProperties(&properties, ordinal));
  const auto attribute = [ordinal](cudaDeviceAttr which) {
    int value = 0;
    REDUX_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, ordinal));
    return value;
  };
  DeviceFacts facts;
  facts.name = properties.name;
  facts.uuid = uuid_text(properties.uuid);
  facts.memory_bytes = properties.totalGlobalMem;
  facts.compute_major = attribute(cudaDevAttrComputeCapabilityMajor);
  facts.compute_minor = attribute(cudaDevAttrComputeCapabilityMinor);
  facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  facts.max_threads_per_multiprocessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts.shared_bytes_per_block =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  facts.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  return facts;
}

Device::Device(DeviceFacts facts)
    : facts_(std::move(facts)), nvml_(facts_.uuid), stream_(make_stream()) {}

std::shared_ptr<DeviceMemory> Device::take_arena(std::size_t bytes) {
  if (arena_.use_count() != 1 || arena_->bytes() < bytes) {
    arena_.reset();  // before the new one: both may not fit
    arena_ = std::make_shared<DeviceMemory>(bytes);
  }
  return arena_;
}

std::size_t Device::free_bytes() const {
  std::size_t free = 0;
  std::size_t total = 0;
  REDUX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free + (arena_.use_count() == 1 ? arena_->bytes() : 0);
}

void Device::enqueue_flush() {
  constexpr std::size_t kWord = 16;
  const std::size_t bytes = (beyond_cache_bytes() / kWord * kWord) + kWord;
  if (!flush_) {
    flush_ = std::make_unique<DeviceMemory>(bytes);
    sink_ = std::make_unique<DeviceMemory>(sizeof(std::uint64_t));
    REDUX_CUDA_CHECK(cudaMemsetAsync(flush_->data(), 0, bytes, stream()));
  }
  probe_read(exec(), flush_->data(), bytes, sink_->data());
}

void Device::enqueue_head_start() {
  if (!head_start_) {
    constexpr int kKernels = 100;
    probe_empty(exec());  // loads the kernel, which a capture should not have to
    synchronize();
    head_start_ = instantiate(capture(stream(),
                                      [this] {
                                        for (int i = 0; i < kKernels; ++i) probe_empty(exec());
                                      }),
                              stream());
  }
  REDUX_CUDA_CHECK(cudaGraphLaunch(head_start_.get(), stream()));
}

void Device::synchronize() const {
  REDUX_CUDA_CHECK(cudaStreamSynchronize(stream()));
}

std::string Device::throttled() {
  constexpr std::chrono::milliseconds kInterval{20};
  const auto now = std::chrono::steady_clock::now();
  if (now - throttle_asked_ >= kInterval) {
    throttle_asked_ = now;
    throttle_reasons_ = nvml_.throttle_reasons();
  }
  return throttle_reasons_;
}

void Device::note_errors(const std::string& case_id) noexcept {
  if (!lost_.empty()) return;
  static_cast<void>(cudaDeviceSynchronize());
  static_cast<void>(cudaGetLastError());  // takes away errors that do not stay
  const cudaError_t stays = cudaDeviceSynchronize();
  if (stays == cudaSuccess) return;
  try {
    lost_ = "not run: the device context was lost in case " + case_id + " (" +
            cudaGetErrorName(stays) + ": " + cudaGetErrorString(stays) + ")";
  } catch (...) {
    return;  // no memory for the message: the next case meets the error itself
  }
}

}  // namespace redux::cuda
