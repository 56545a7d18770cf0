#include "report/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace redux::report {
namespace {

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + 3) / 4 * 4;
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

std::string id_in(std::span<const unsigned char> notes) {
  constexpr std::string_view kOwner{"GNU\0", 4};
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header{};
    std::memcpy(&header, notes.data(), sizeof(header));
    notes = notes.subspan(sizeof(header));
    const std::size_t name = rounded(header.n_namesz);
    const std::size_t content = rounded(header.n_descsz);
    if (notes.size() < name + content) return {};
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == kOwner.size() &&
        std::memcmp(notes.data(), kOwner.data(), kOwner.size()) == 0) {
      return hexadecimal(notes.subspan(name, header.n_descsz));
    }
    notes = notes.subspan(name + content);
  }
  return {};
}

/// The first object is the executable itself.
int visit(dl_phdr_info* object, std::size_t /*size*/, void* result) {
  auto& id = *static_cast<std::string*>(result);
  for (std::size_t i = 0; i < object->dlpi_phnum && id.empty(); ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* at = reinterpret_cast<const unsigned char*>(object->dlpi_addr + part.p_vaddr);
    id = id_in({at, part.p_memsz});
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string id;
  ::dl_iterate_phdr(visit, &id);
  return id;
}

}  // namespace redux::report
