// Named ranges for profilers, in a domain of their own. Costs nothing where no profiler listens.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include <string>

namespace redux::cuda {

/// Open from construction to destruction, on this thread.
class Range {
 public:
  explicit Range(const std::string& name) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name.c_str();
    nvtxDomainRangePushEx(domain(), &attributes);
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() { nvtxDomainRangePop(domain()); }

 private:
  static nvtxDomainHandle_t domain() {
    static nvtxDomainHandle_t handle = nvtxDomainCreateA("redux-bench");
    return handle;
  }
};

}  // namespace redux::cuda
