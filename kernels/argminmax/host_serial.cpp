// argmax / argmin on one host thread (placeholder loop until the vectorised one lands).
#include "argminmax/reference.hpp"
#include "core/registry.hpp"

namespace redux::argminmax {
namespace {

void run(const Problem& problem, const Exec& /*exec*/) {
  reference(problem);
}

const RegisterVariant host_serial{{"argmax", "argmin"},
                                  Variant{.op = {},
                                          .name = "host_serial",
                                          .side = Side::host,
                                          .about = "one host thread, vectorised inner loop",
                                          .source = __FILE__,
                                          .run = run}};

}  // namespace
}  // namespace redux::argminmax
