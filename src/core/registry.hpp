// Ops and variants announce themselves from namespace-scope registrars, so that adding one is
// adding a file. The registry is function-local: it exists before the first registrar runs.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "core/op.hpp"
#include "core/variant.hpp"

namespace redux {

class Registry {
 public:
  static Registry& instance();

  /// Throws std::logic_error for a name that is there already.
  void add(Op op);
  void add(Variant variant);

  /// All ops by name; pointers stay valid for the life of the process.
  [[nodiscard]] std::vector<const Op*> ops() const;
  /// All variants of an op: host variants first, then by name.
  [[nodiscard]] std::vector<const Variant*> variants(std::string_view op) const;
  /// Null where there is none.
  [[nodiscard]] const Op* find_op(std::string_view name) const;
  [[nodiscard]] const Variant* find_variant(std::string_view op, std::string_view name) const;

 private:
  std::vector<std::unique_ptr<const Op>> ops_;
  std::vector<std::unique_ptr<const Variant>> variants_;
};

struct RegisterOp {
  explicit RegisterOp(Op op) { Registry::instance().add(std::move(op)); }
};

/// Registers one implementation under each op that it computes.
struct RegisterVariant {
  RegisterVariant(std::initializer_list<std::string_view> ops, const Variant& variant) {
    for (const std::string_view op : ops) {
      Variant named = variant;
      named.op = op;
      Registry::instance().add(std::move(named));
    }
  }
};

}  // namespace redux
