// csr_max on one host thread: node after node, [nodes, F] features -> [nodes, F].
//
// A row of maxima stays in the first cache while neighbours' rows are folded in, whole rows at a
// time; rows of neighbours to come are prefetched. Wins on graphs of some thousand edges, where
// waking threads costs more.
#include "core/registry.hpp"
#include "csr_max/host_rows.hpp"

namespace redux::csr_max {
namespace {

void run(const Problem& problem, const Exec& /*exec*/) {
  with_types(*problem.the_case, [&]<class T>(T) {
    const auto graph = csr_of<typename T::Storage, typename T::Index>(problem);
    RowMaximum<T>(graph).reduce_nodes(0, graph.nodes);
  });
}

const RegisterVariant host_serial{{"csr_max"},
                                  Variant{.op = {},
                                          .name = "host_serial",
                                          .side = Side::host,
                                          .about = "one host thread, a node after the other; wins "
                                                   "on graphs of some thousand edges",
                                          .source = __FILE__,
                                          .run = run}};

}  // namespace
}  // namespace redux::csr_max
