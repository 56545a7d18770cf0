// A tool that NVTX loads by way of NVTX_INJECTION64_PATH: writes the ranges of every domain to the
// file that REDUX_NVTX_RECORD names, one line an event, so that tests see them without a GPU.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

namespace {

struct Name {
  std::string text;
};

std::mutex mutex;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// "push DOMAIN registered|plain PAYLOAD NAME".
void write(const std::string& line) {
  const std::lock_guard lock(mutex);
  static std::FILE* file = [] {
    const char* path = std::getenv("REDUX_NVTX_RECORD");
    return path == nullptr ? nullptr : std::fopen(path, "w");
  }();
  if (file == nullptr) return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fflush(file);
}

template <class Handle>
Handle named(const char* text) {
  // Never freed: handles stay valid as long as the process.
  return reinterpret_cast<Handle>(new Name{text});
}

const std::string& text_of(const void* handle) {
  return static_cast<const Name*>(handle)->text;
}

nvtxDomainHandle_t NVTX_API create_domain(const char* text) {
  write(std::string("domain ") + text);
  return named<nvtxDomainHandle_t>(text);
}

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t /*domain*/, const char* text) {
  return named<nvtxStringHandle_t>(text);
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  const bool registered = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  const std::string payload = attributes->payloadType == NVTX_PAYLOAD_TYPE_INT64
                                  ? std::to_string(attributes->payload.llValue)
                                  : std::string("none");
  const std::string text =
      registered ? text_of(attributes->message.registered) : attributes->message.ascii;
  write("push " + text_of(domain) + (registered ? " registered " : " plain ") + payload + " " +
        text);
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  write("pop " + text_of(domain));
  return 0;
}

}  // namespace

extern "C" int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* callbacks =
      static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks == nullptr ||
      callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0 ||
      size <= NVTX_CBID_CORE2_DomainCreateA) {
    return 0;
  }
  const auto set = [table](NvtxCallbackIdCore2 id, auto function) {
    *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
  };
  set(NVTX_CBID_CORE2_DomainRangePushEx, push);
  set(NVTX_CBID_CORE2_DomainRangePop, pop);
  set(NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  set(NVTX_CBID_CORE2_DomainCreateA, create_domain);
  return 1;
}
