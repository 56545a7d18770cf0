// What csr_max's `auto` picks, on a device of an H200's size.
#include "simt/graph_ground.hpp"

namespace redux::contract {
namespace {

struct Choice {
  GraphSource source;
  std::int64_t width;
  DType dtype;
  std::string expected;
};

std::string pick_of(const Choice& choice) {
  const Case c = generated_case({choice.dtype, choice.width}, choice.source, "random");
  DeviceFacts device = simt::simulated_device();
  device.l2_bytes = std::size_t{60} << 20U;
  const Variant* picker = simt::registry().find_variant("csr_max", "auto");
  return geometry(*picker, c, device).picked;
}

/// By nodes, edges and bytes of a row: graphs of equal sizes get the same, however their degrees
/// differ.
TEST(SimtCsrMaxAuto, PicksBySizeAndNeverByDegrees) {
  const std::vector<Choice> choices{
      {{.kind = "cyclic", .nodes = 640, .degree = 16}, 80, DType::float32, "split_hubs"},
      {{.kind = "hub", .nodes = 640, .edges = 10234}, 80, DType::float32, "split_hubs"},
      // more blocks than the device holds at once
      {{.kind = "uniform", .nodes = 4000, .degree = 100}, 80, DType::bfloat16, "balanced"},
      // all of the table fits the cache
      {{.kind = "uniform", .nodes = 65536, .degree = 16}, 64, DType::float32, "balanced"},
      {{.kind = "hub", .nodes = 65536, .edges = 1048576}, 64, DType::float32, "balanced"},
      // it does not: rows that are read often, seldom
      {{.kind = "uniform", .nodes = 200000, .degree = 8}, 128, DType::float32, "feature_tiled"},
      {{.kind = "hub", .nodes = 200000, .edges = 1600000}, 128, DType::float32, "feature_tiled"},
      {{.kind = "uniform", .nodes = 200000, .degree = 1}, 128, DType::float32, "balanced"},
  };
  for (const Choice& choice : choices) {
    EXPECT_EQ(pick_of(choice), choice.expected) << choice.source.name() << "x" << choice.width;
  }
}

}  // namespace
}  // namespace redux::contract
