#include "core/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace redux {

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::add(Op op) {
  if (find_op(op.name) != nullptr) throw std::logic_error("op registered twice: " + op.name);
  ops_.push_back(std::make_unique<const Op>(std::move(op)));
  std::ranges::sort(ops_, {}, [](const auto& entry) -> const std::string& { return entry->name; });
}

void Registry::add(Variant variant) {
  if (find_variant(variant.op, variant.name) != nullptr) {
    throw std::logic_error("variant registered twice: " + variant.op + "/" + variant.name);
  }
  variants_.push_back(std::make_unique<const Variant>(std::move(variant)));
  std::ranges::sort(variants_, {}, [](const auto& entry) {
    return std::tuple(entry->op, entry->side, entry->name);
  });
}

std::vector<const Op*> Registry::ops() const {
  std::vector<const Op*> all;
  for (const auto& entry : ops_) all.push_back(entry.get());
  return all;
}

std::vector<const Variant*> Registry::variants(std::string_view op) const {
  std::vector<const Variant*> found;
  for (const auto& entry : variants_) {
    if (entry->op == op) found.push_back(entry.get());
  }
  return found;
}

const Op* Registry::find_op(std::string_view name) const {
  for (const auto& entry : ops_) {
    if (entry->name == name) return entry.get();
  }
  return nullptr;
}

const Variant* Registry::find_variant(std::string_view op, std::string_view name) const {
  for (const auto& entry : variants_) {
    if (entry->op == op && entry->name == name) return entry.get();
  }
  return nullptr;
}

}  // namespace redux
