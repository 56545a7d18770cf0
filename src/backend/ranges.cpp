#include "backend/ranges.hpp"

#ifdef REDUX_HAVE_CUDA
#include <nvtx3/nvToolsExt.h>

#include <array>
#endif

namespace redux {

#ifdef REDUX_HAVE_CUDA
namespace {

nvtxDomainHandle_t domain() {
  static nvtxDomainHandle_t handle = nvtxDomainCreateA("redux-bench");
  return handle;
}

nvtxStringHandle_t name_of_phase(Phase phase) {
  static const std::array<nvtxStringHandle_t, 3> names{
      nvtxDomainRegisterStringA(domain(), "warmup"), nvtxDomainRegisterStringA(domain(), "timed"),
      nvtxDomainRegisterStringA(domain(), "verify")};
  return names.at(static_cast<std::size_t>(phase));
}

void push(nvtxStringHandle_t name, std::int64_t payload) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = name;
  attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  attributes.payload.llValue = payload;
  nvtxDomainRangePushEx(domain(), &attributes);
}

}  // namespace

RangeName::RangeName(const std::string& text)
    : handle_(nvtxDomainRegisterStringA(domain(), text.c_str())) {}

Range::Range(const RangeName& name, std::int64_t bytes) {
  push(static_cast<nvtxStringHandle_t>(name.handle_), bytes);
}

Range::Range(Phase phase, std::int64_t calls) {
  push(name_of_phase(phase), calls);
}

Range::~Range() {
  nvtxDomainRangePop(domain());
}

#else

RangeName::RangeName(const std::string& /*text*/) {}
Range::Range(const RangeName& /*name*/, std::int64_t /*bytes*/) {}
Range::Range(Phase /*phase*/, std::int64_t /*calls*/) {}
Range::~Range() = default;

#endif

}  // namespace redux
