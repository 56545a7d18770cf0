// More outputs than 32 bits count bytes or elements of, and more edges than they count, whose
// answers are known without a reference.
#include <cstring>

#include "contract/csr_max_graphs.hpp"
#include "gpu/device_ground.hpp"

namespace redux::contract {
namespace {

/// Of this family.
Tally& tally() {
  return device_tallies()["csr_max"];
}

/// A problem on the device without guard bands, whose arrays are written in place.
class LargeGraph {
 public:
  LargeGraph(const GraphChoice& choice, std::int64_t nodes, std::int64_t edges)
      : c_(graph_case(choice, nodes, edges)) {
    for (const TensorSpec& spec : c_.op->inputs(c_)) {
      inputs_.push_back(std::make_unique<cuda::DeviceMemory>(spec.bytes()));
      starts_.push_back(inputs_.back()->data());
    }
    out_ = std::make_unique<cuda::DeviceMemory>(c_.op->outputs(c_).front().bytes());
  }
  [[nodiscard]] const Case& problem() const { return c_; }

  /// Writes elements of input `which` from `first` on.
  void write(std::size_t which, std::int64_t first, std::span<const std::byte> bytes,
             std::size_t width) {
    REDUX_CUDA_CHECK(cudaMemcpy(starts_[which] + (static_cast<std::size_t>(first) * width),
                                bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  }
  void clear(std::size_t which) {
    REDUX_CUDA_CHECK(cudaMemset(starts_[which], 0, inputs_[which]->bytes()));
  }

  void run(const Variant& variant) {
    REDUX_CUDA_CHECK(cudaMemset(out_->data(), kPoisonByte, out_->bytes()));
    const std::size_t scratch_bytes = redux::workspace_bytes(variant, c_, device_facts());
    const cuda::DeviceMemory scratch(std::max<std::size_t>(scratch_bytes, 1));
    REDUX_CUDA_CHECK(cudaMemset(scratch.data(), 0, scratch.bytes()));
    REDUX_CUDA_CHECK(cudaDeviceSynchronize());  // the stream below does not wait for memsets
    const std::vector<View> ins = input_views(c_, starts_);
    const TensorSpec spec = c_.op->outputs(c_).front();
    const View out{out_->data(), spec.dtype, spec.count()};
    const cuda::Stream stream = cuda::make_stream();
    redux::run(variant, {&c_, ins, {&out, 1}, scratch.data(), scratch_bytes},
               {stream.get(), &device_facts()});
    REDUX_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  }

  /// Output bytes from `offset` on.
  void read(std::size_t offset, std::span<std::byte> to) const {
    REDUX_CUDA_CHECK(
        cudaMemcpy(to.data(), out_->data() + offset, to.size(), cudaMemcpyDeviceToHost));
  }
  [[nodiscard]] Bytes read(std::size_t offset, std::size_t bytes) const {
    Bytes read_bytes(bytes);
    read(offset, read_bytes);
    return read_bytes;
  }

 private:
  Case c_;
  std::vector<std::unique_ptr<cuda::DeviceMemory>> inputs_;
  std::vector<std::byte*> starts_;
  std::unique_ptr<cuda::DeviceMemory> out_;
};

/// One edge a node, to itself: the output is the table. The last rows are compared first.
TEST(CsrMaxLarge, S19MoreOutputsThanThirtyTwoBitsCount) {
  constexpr std::int64_t kNodes = 16777217;
  constexpr std::int64_t kWidth = 128;
  constexpr std::int64_t kPeriod = 251;            // nodes after which rows repeat
  constexpr std::int64_t kPiece = kPeriod * 1024;  // nodes: every piece has the same bytes
  // Table and output, and keys of four bytes for the variant that has them.
  if (!has_room("16777217 nodes of 128 features", std::size_t{kNodes} * kWidth * 8 + (1U << 30U))) {
    GTEST_SKIP() << "too little device memory";
  }
  LargeGraph graph({.dtype = DType::bfloat16, .width = kWidth}, kNodes, kNodes);
  std::vector<BFloat16> table;
  table.reserve(static_cast<std::size_t>(kPiece * kWidth));
  for (std::int64_t v = 0; v < kPiece; ++v) {
    table.insert(table.end(), kWidth, to_bfloat16(static_cast<float>(v % kPeriod)));
  }
  const Bytes piece = encode_exactly(table);
  constexpr std::size_t kRow = kWidth * 2;
  for (std::int64_t first = 0; first < kNodes; first += kPiece) {
    const std::int64_t nodes = std::min(kPiece, kNodes - first);
    Ids ids(static_cast<std::size_t>(nodes) + 1);
    std::iota(ids.begin(), ids.end(), first);
    graph.write(0, first, encode_ids(ids, Index::int32), 4);
    ids.pop_back();
    graph.write(1, first, encode_ids(ids, Index::int32), 4);
    graph.write(2, first * kWidth, std::span(piece).first(static_cast<std::size_t>(nodes) * kRow),
                2);
  }
  Bytes got(piece.size());  // once: memory that is new at each read costs more than the copy
  const auto same_rows = [&](std::int64_t first, std::int64_t nodes) {
    const auto rows = std::span(got).first(static_cast<std::size_t>(nodes) * kRow);
    graph.read(static_cast<std::size_t>(first) * kRow, rows);
    return std::memcmp(rows.data(), piece.data(), rows.size()) == 0;
  };
  for (const Variant* variant : variants_of("csr_max", Side::cuda)) {
    if (!why_unsupported(*variant, graph.problem(), device_facts()).empty()) {
      ++tally().unsupported[variant->name];
      continue;
    }
    ++tally().checked[variant->name];
    graph.run(*variant);
    constexpr std::int64_t kLast = kNodes / kPeriod * kPeriod - (4 * kPeriod);  // some 1000 nodes
    EXPECT_TRUE(same_rows(kLast, kNodes - kLast)) << variant->name << ", the last rows";
    for (std::int64_t first = 0; first < kNodes; first += kPiece) {
      ASSERT_TRUE(same_rows(first, std::min(kPiece, kNodes - first)))
          << variant->name << " from node " << first;
    }
  }
}

/// All edges are to node 0 but the last, which is to node 1.
class ManyEdges : public testing::TestWithParam<bool> {};

TEST_P(ManyEdges, ThanThirtyTwoBitsCount) {
  constexpr std::int64_t kEdges = (std::int64_t{1} << 31U) + 1;
  const bool hub = GetParam();
  const std::int64_t nodes = hub ? 3 : std::int64_t{1} << 20U;
  // One thread, warp or block for all of a hub's edges would take minutes.
  const std::set<std::string> takes_hubs{"balanced", "feature_tiled", "auto", "edge_atomic"};
  if (!has_room("2^31 + 1 edges", static_cast<std::size_t>(kEdges) * 8 + (std::size_t{2} << 30U))) {
    GTEST_SKIP() << "too little device memory";
  }
  LargeGraph graph({.dtype = DType::float32, .width = 1, .index = Index::int64}, nodes, kEdges);
  Ids row_ptr(static_cast<std::size_t>(nodes) + 1);
  for (std::int64_t v = 0; v < nodes; ++v) {
    row_ptr[static_cast<std::size_t>(v)] = hub ? (v == 0 ? 0 : v == 1 ? 3 : kEdges) : v * 2048;
  }
  row_ptr.back() = kEdges;
  graph.write(0, 0, encode_ids(row_ptr, Index::int64), 8);
  graph.clear(1);
  graph.write(1, kEdges - 1, encode_ids({1}, Index::int64), 8);
  graph.clear(2);
  graph.write(2, 0, encode(DType::float32, {1, 5}), 4);
  std::vector<double> expected(static_cast<std::size_t>(nodes), 1);
  if (hub) {
    expected = {1, 5, -std::numeric_limits<double>::infinity()};
  } else {
    expected.back() = 5;
  }
  for (const Variant* variant : variants_of("csr_max", Side::cuda)) {
    if (hub && !takes_hubs.contains(variant->name)) {
      ++tally().left_out[variant->name];
      continue;
    }
    if (!why_unsupported(*variant, graph.problem(), device_facts()).empty()) {
      ++tally().unsupported[variant->name];
      continue;
    }
    ++tally().checked[variant->name];
    graph.run(*variant);
    const Outputs got{graph.read(0, static_cast<std::size_t>(nodes) * 4)};
    expect_outputs(graph.problem(), got, {encode(DType::float32, expected)}, variant->name);
  }
}

std::string name_of_graph(const testing::TestParamInfo<bool>& info) {
  return info.param ? "hub" : "uniform";
}

INSTANTIATE_TEST_SUITE_P(CsrMaxLarge, ManyEdges, testing::Bool(), name_of_graph);

}  // namespace
}  // namespace redux::contract
