// Where variants of csr_max run in the executor.
#pragma once

#include "contract/csr_max_graphs.hpp"
#include "data/graph.hpp"
#include "simt/rotating_ground.hpp"

namespace redux::contract {

/// Variants may leave pieces and counts for their next call. With fix(), all runs are under one
/// setting and none is left out.
class GraphGround final : public RotatingGround {
 public:
  explicit GraphGround(std::uint64_t seed, bool thins = true, std::int64_t most_threads = 1000000)
      : RotatingGround(seed, thins, most_threads) {
    let_workspaces_keep_words();
  }

  void fix(const simt::Setting& to) {
    fixed_ = to;
    setting() = to;
  }

  bool takes(const Case& c, const Variant& variant) override {
    return fixed_ || RotatingGround::takes(c, variant);
  }

  std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) override {
    if (!fixed_) return RotatingGround::run(c, variant, calls, outputs);
    setting() = *fixed_;
    return SimtGround::run(c, variant, calls, outputs);
  }

 private:
  std::optional<simt::Setting> fixed_;
};

/// A case over a generated graph.
inline Case generated_case(const GraphChoice& choice, const GraphSource& source,
                           const std::string& data) {
  Case c = graph_case(choice, source.nodes, graph_extents(source, 42).edges);
  c.graph = source;
  c.shape.graph = source.name();
  c.data = data;
  return c;
}

}  // namespace redux::contract
