#include "backend/simt/variants.hpp"

namespace redux::simt {

Registry& VariantRegistry::instance() {
  static Registry variants;
  return variants;
}

const Registry& registry() {
  static Registry& whole = [&]() -> Registry& {
    Registry& variants = VariantRegistry::instance();
    for (const Op* op : Registry::instance().ops()) variants.add(Op(*op));
    return variants;
  }();
  return whole;
}

}  // namespace redux::simt
