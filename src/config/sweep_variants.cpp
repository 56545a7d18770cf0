#include <fmt/format.h>

#include <algorithm>

#include "config/nearest.hpp"
#include "config/sweep_parts.hpp"

namespace redux {
namespace {

/// A config is written for a GPU and yet runs where nvcc was not there: a name that can only be
/// missing for that reason is then forgiven where forgiving cannot change what is measured.
bool has_cuda(const Registry& registry) {
  return std::ranges::any_of(registry.ops(), [&registry](const Op* op) {
    return std::ranges::any_of(registry.variants(op->name),
                               [](const Variant* one) { return one->side == Side::cuda; });
  });
}

std::vector<std::string> names_of(const std::vector<const Variant*>& variants) {
  std::vector<std::string> names;
  names.reserve(variants.size());
  for (const Variant* variant : variants) names.push_back(variant->name);
  return names;
}

class Chooser {
 public:
  Chooser(const SweepContext& context, const Op& op)
      : op_(&op),
        registry_(context.registry),
        report_(context.report),
        all_(registry_->variants(op.name)),
        cuda_(has_cuda(*registry_)) {}

  [[nodiscard]] const std::vector<const Variant*>& all() const { return all_; }
  [[nodiscard]] bool cuda() const { return cuda_; }

  [[nodiscard]] std::string unknown(const std::string& name) const {
    const auto names = names_of(all_);
    return fmt::format("{} has no variant {} in this build{} (it has: {}{})", op_->name,
                       in_quotes(name), did_you_mean(name, names),
                       names.empty() ? "none" : listed(names),
                       cuda_ ? "" : "; the build is without CUDA, so without CUDA variants");
  }

  /// Null, reported unless `tolerant`, where there is none of that name.
  const Variant* find(const json::Value& value, bool tolerant) {
    const auto name = read_string(value, "a variant", *report_);
    if (!name) return nullptr;
    const Variant* variant = registry_->find_variant(op_->name, *name);
    if (variant == nullptr && !tolerant) report_->fault(value, unknown(*name));
    return variant;
  }

  std::vector<const Variant*> chosen(const json::Value& value) {
    const auto* items = read_list(value, "variants, or [\"*\"] for all", *report_);
    if (items == nullptr) return {};
    const auto is_star = [](const json::Value& item) {
      return item.kind == json::Kind::string && item.text == "*";
    };
    if (items->size() == 1 && is_star(items->front())) return all_;
    std::vector<const Variant*> found;
    for (const json::Value& item : *items) {
      if (is_star(item)) {
        report_->fault(item, "'*' stands for all variants; it must be alone in its list");
      } else if (const Variant* variant = find(item, false)) {
        found.push_back(variant);
      }
    }
    return found;
  }

  void exclude(const json::Value& value, std::vector<const Variant*>& variants) {
    const auto* items = read_list(value, "variants", *report_);
    if (items == nullptr || variants.empty()) return;
    for (const json::Value& item : *items) {
      if (const Variant* variant = find(item, !cuda_)) std::erase(variants, variant);
    }
    if (variants.empty()) {
      report_->fault(value, "exclude_variants leaves no variant to run");
    }
  }

 private:
  const Op* op_;
  const Registry* registry_;
  Report* report_;
  std::vector<const Variant*> all_;
  bool cuda_;
};

}  // namespace

void read_variants(const Fields& fields, const SweepContext& context, Sweep& sweep) {
  if (sweep.op == nullptr) return;
  Chooser chooser(context, *sweep.op);
  const json::Value* list = fields.find("variants");
  sweep.variants = list == nullptr ? chooser.all() : chooser.chosen(*list);
  if (chooser.all().empty()) {
    context.report->fault(*sweep.at,
                          fmt::format("this build has no variant of {}", sweep.op->name));
  }
  if (const auto* excluded = fields.find("exclude_variants")) {
    chooser.exclude(*excluded, sweep.variants);
  }
  const json::Value* compare_to = fields.find("compare_to");
  if (compare_to == nullptr) return;
  if (const Variant* variant = chooser.find(*compare_to, !chooser.cuda())) {
    sweep.compare_to = variant->name;
  } else if (compare_to->kind == json::Kind::string && !chooser.cuda()) {
    context.report->notice(*compare_to,
                           "no speed-ups are shown: " + chooser.unknown(compare_to->text));
  }
}

}  // namespace redux
