#include "core/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace redux {

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

// Entries live as long as the process; registrars run before main and cannot hand out owners.
void Registry::add(Op op) {
  if (find_op(op.name) != nullptr) throw std::logic_error("op registered twice: " + op.name);
  ops_.push_back(new Op(std::move(op)));
  std::ranges::sort(ops_, {}, [](const Op* entry) { return entry->name; });
}

void Registry::add(Variant variant) {
  if (find_variant(variant.op, variant.name) != nullptr) {
    throw std::logic_error("variant registered twice: " + variant.op + "/" + variant.name);
  }
  variants_.push_back(new Variant(std::move(variant)));
  std::ranges::sort(variants_, {}, [](const Variant* entry) {
    return std::tuple(entry->op, entry->side, entry->name);
  });
}

std::vector<const Op*> Registry::ops() const {
  return ops_;
}

std::vector<const Variant*> Registry::variants(std::string_view op) const {
  std::vector<const Variant*> found;
  std::ranges::copy_if(variants_, std::back_inserter(found),
                       [op](const Variant* entry) { return entry->op == op; });
  return found;
}

const Op* Registry::find_op(std::string_view name) const {
  const auto found = std::ranges::find(ops_, name, [](const Op* entry) { return entry->name; });
  return found == ops_.end() ? nullptr : *found;
}

const Variant* Registry::find_variant(std::string_view op, std::string_view name) const {
  const auto found = std::ranges::find_if(variants_, [op, name](const Variant* entry) {
    return entry->op == op && entry->name == name;
  });
  return found == variants_.end() ? nullptr : *found;
}

std::string why_unsupported(const Variant& variant, const Case& c, const DeviceFacts& device) {
  return variant.unsupported == nullptr ? std::string{} : variant.unsupported(c, device);
}

std::size_t workspace_bytes(const Variant& variant, const Case& c, const DeviceFacts& device) {
  return variant.workspace_bytes == nullptr ? 0 : variant.workspace_bytes(c, device);
}

Geometry geometry(const Variant& variant, const Case& c, const DeviceFacts& device) {
  return variant.launch == nullptr ? Geometry{} : variant.launch(c, device);
}

}  // namespace redux
