// More blocks than a grid is wide in y and z, and rows of more elements than 32 bits count, whose
// answers are known without a reference.
#include <atomic>
#include <cstring>
#include <future>
#include <thread>

#include "contract/cumminmax_shapes.hpp"
#include "contract/encode.hpp"
#include "gpu/device_ground.hpp"

namespace redux::contract {
namespace {

/// Of this family.
Tally& tally() {
  return device_tallies()["cummax"];
}

TEST(CumMaxLarge, C07MoreBlocksThanAGridIsWide) {
  DeviceGround ground;
  for (const Scan& scan : {Scan{{65536, 1}, 1}, Scan{{65536, 3}, 1}, Scan{{2, 1280, 1280}, 0},
                           Scan{{3, 70000}, 0}, Scan{{70000, 2, 600}, 1}, Scan{{2, 33554433}, 0}}) {
    Case c = scan_case("cummax", DType::float32, scan);
    // Memory of a ground is made half as large again as it has to be.
    const auto bytes = static_cast<std::size_t>(c.op->bytes_moved(c));
    if (!has_room(c.problem_id(), 2 * bytes + (std::size_t{1} << 30U))) {
      GTEST_SKIP() << "too little device memory";
    }
    Bytes input = make_inputs(c).front();
    ground.load(input, c.dtype, 0);
    check_loaded(ground, c, reference_of(c, input), tally(), "C07");
  }
}

/// Zeros with a one near the end: an element's answer is itself up to the one, and from there on
/// the one.
class LongestRow {
 public:
  LongestRow(DType dtype, std::int64_t length, std::int64_t one)
      : c_(scan_case("cummax", dtype, {{length}, 0})),
        one_(one),
        input_(c_.op->inputs(c_).front().bytes()),
        values_(input_.bytes()),
        indices_(static_cast<std::size_t>(length) * sizeof(std::int64_t)) {
    const std::vector<std::byte> bits = encode(dtype, {1});
    REDUX_CUDA_CHECK(cudaMemset(input_.data(), 0, input_.bytes()));
    REDUX_CUDA_CHECK(cudaMemcpy(input_.data() + (static_cast<std::size_t>(one) * bits.size()),
                                bits.data(), bits.size(), cudaMemcpyHostToDevice));
  }
  [[nodiscard]] const Case& problem() const { return c_; }

  void run(const Variant& variant) {
    REDUX_CUDA_CHECK(cudaMemset(values_.data(), kPoisonByte, values_.bytes()));
    REDUX_CUDA_CHECK(cudaMemset(indices_.data(), kPoisonByte, indices_.bytes()));
    const std::size_t scratch_bytes = redux::workspace_bytes(variant, c_, device_facts());
    const cuda::DeviceMemory scratch(std::max<std::size_t>(scratch_bytes, 1));
    REDUX_CUDA_CHECK(cudaMemset(scratch.data(), 0, scratch.bytes()));
    REDUX_CUDA_CHECK(cudaDeviceSynchronize());  // the stream below does not wait for memsets
    const std::int64_t count = c_.shape.dims.front();
    const View input{input_.data(), c_.dtype, count};
    const std::array<View, 2> outputs{View{values_.data(), c_.dtype, count},
                                      View{indices_.data(), DType::int64, count}};
    const cuda::Stream stream = cuda::make_stream();
    redux::run(variant, {&c_, {&input, 1}, outputs, scratch.data(), scratch_bytes},
               {stream.get(), &device_facts()});
    REDUX_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  }

  /// Position of a wrong element (or where its piece begins), or -1. Read in pieces, since a host
  /// may lack the memory, by as many threads as it has: a row's outputs are 24 GiB.
  [[nodiscard]] std::int64_t a_wrong_one() const {
    constexpr std::int64_t kPiece = std::int64_t{1} << 23U;
    const std::int64_t length = c_.shape.dims.front();
    std::atomic<std::int64_t> next{0};
    std::atomic<std::int64_t> wrong{-1};
    const auto work = [&] {
      Piece piece(c_.dtype, kPiece);
      for (;;) {
        const std::int64_t begin = next.fetch_add(kPiece);
        if (begin >= length || wrong >= 0) return;
        const std::int64_t found = wrong_of(piece, begin, std::min(kPiece, length - begin));
        if (found >= 0) wrong = found;
      }
    };
    std::vector<std::future<void>> threads;
    for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1U, 16U); ++i) {
      threads.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& thread : threads) thread.get();
    return wrong;
  }

 private:
  struct Piece {
    Piece(DType dtype, std::int64_t count)
        : zeros(static_cast<std::size_t>(count) * size_of(dtype)),
          values(zeros.size()),
          indices(static_cast<std::size_t>(count)) {}
    Bytes zeros;
    Bytes values;
    std::vector<std::int64_t> indices;
  };

  [[nodiscard]] std::int64_t wrong_of(Piece& piece, std::int64_t begin, std::int64_t length) const {
    const std::size_t width = size_of(c_.dtype);
    const auto count = static_cast<std::size_t>(length);
    read(piece.values.data(), values_, begin, width, count);
    read(reinterpret_cast<std::byte*>(piece.indices.data()), indices_, begin, sizeof(std::int64_t),
         count);
    const Bytes one = encode(c_.dtype, {1});
    const auto before = static_cast<std::size_t>(std::clamp(one_ - begin, std::int64_t{0}, length));
    if (std::memcmp(piece.values.data(), piece.zeros.data(), before * width) != 0) return begin;
    for (std::size_t i = before; i < count; ++i) {
      if (std::memcmp(piece.values.data() + (i * width), one.data(), width) != 0) return begin;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t at = begin + static_cast<std::int64_t>(i);
      if (piece.indices[i] != std::min(at, one_)) return at;
    }
    return -1;
  }

  static void read(std::byte* to, const cuda::DeviceMemory& from, std::int64_t begin,
                   std::size_t width, std::size_t count) {
    REDUX_CUDA_CHECK(cudaMemcpy(to, from.data() + (static_cast<std::size_t>(begin) * width),
                                count * width, cudaMemcpyDeviceToHost));
  }

  Case c_;
  std::int64_t one_;
  cuda::DeviceMemory input_;
  cuda::DeviceMemory values_;
  cuda::DeviceMemory indices_;
};

class CumMaxLongest : public testing::TestWithParam<DType> {};

TEST_P(CumMaxLongest, ARowOfMoreElementsThanThirtyTwoBitsCount) {
  constexpr std::int64_t kLength = (std::int64_t{1} << 31U) + 8;
  // A thread or a warp for the whole row would take minutes.
  const std::set<std::string> slow{"thread_per_column", "fixed_16x32", "warp_per_row"};
  const auto bytes = static_cast<std::size_t>(kLength) * ((2 * size_of(GetParam())) + 8);
  if (!has_room("one row of 2^31 + 8", bytes + (std::size_t{2} << 30U))) {
    GTEST_SKIP() << "too little device memory";
  }
  LongestRow row(GetParam(), kLength, kLength - 5);
  for (const Variant* variant : variants_of("cummax", Side::cuda)) {
    if (!why_unsupported(*variant, row.problem(), device_facts()).empty() ||
        slow.contains(variant->name)) {
      ++tally().unsupported[variant->name];
      continue;
    }
    ++tally().checked[variant->name];
    row.run(*variant);
    EXPECT_EQ(row.a_wrong_one(), -1) << row.problem().problem_id() << " " << variant->name;
  }
}

std::string name_of_type(const testing::TestParamInfo<DType>& info) {
  return std::string(name_of(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, CumMaxLongest, testing::Values(DType::int32, DType::float16),
                         name_of_type);

}  // namespace
}  // namespace redux::contract
