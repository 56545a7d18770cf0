// The CUDA backend: one device, used by one case at a time.
#include "backend/backend.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "backend/cuda/device.hpp"
#include "backend/cuda/workload.hpp"

namespace redux {
namespace {

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(DeviceFacts facts)
      : device_(std::make_shared<cuda::Device>(std::move(facts))) {}

  [[nodiscard]] Side side() const override { return Side::cuda; }
  [[nodiscard]] const DeviceFacts& device() const override { return device_->facts(); }

  [[nodiscard]] std::string lost() const override { return device_->lost(); }

  void measure_ceilings(Ceilings& ceilings) override {
    require_context();
    device_->measure_ceilings(ceilings);
  }

  [[nodiscard]] MemoryNeed memory_need(const Case& c) override {
    require_context();
    return {ArenaLayout(c, device_->facts()).total_bytes(1), device_->free_bytes()};
  }

  std::unique_ptr<Workload> prepare(const Case& c, const InputReader& inputs, bool cold) override {
    require_context();
    try {
      return std::make_unique<cuda::CudaWorkload>(c, inputs, cold, device_);
    } catch (const CudaError&) {
      device_->note_errors(c.id());
      throw;
    }
  }

 private:
  void require_context() const {
    if (!device_->lost().empty()) throw std::runtime_error(device_->lost());
  }

  std::shared_ptr<cuda::Device> device_;
};

std::string device_list(int count) {
  std::string text;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties{};
    REDUX_CUDA_CHECK(cudaGetDeviceProperties(&properties, ordinal));
    text += (ordinal > 0 ? ", " : "") + std::to_string(ordinal) + " (" + properties.name + ")";
  }
  return text;
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int ordinal, std::string& why) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    why = "no CUDA device can be used";
    if (code != cudaSuccess) why += std::string(" (") + cudaGetErrorString(code) + ")";
    return nullptr;
  }
  if (ordinal < 0 || ordinal >= count) {
    throw Failure(ExitCode::environment, "there is no CUDA device " + std::to_string(ordinal) +
                                             "; the devices are " + device_list(count));
  }
  return std::make_unique<CudaBackend>(cuda::read_facts(ordinal));
}

}  // namespace redux
