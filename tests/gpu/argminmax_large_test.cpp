// Problems of gigabytes, made on the device, with answers that are known without a reference.
#include "gpu/device_ground.hpp"

namespace redux::contract {
namespace {

/// Of this family.
Tally& tally() {
  return device_tallies()["argmax"];
}

/// One thread a row walks a row of 2^31 elements in about a minute: not here.
constexpr std::int64_t kLongestForOneThread = std::int64_t{1} << 25;

std::uint64_t one_in(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x3C00;
    case DType::bfloat16:
      return 0x3F80;
    case DType::float32:
      return 0x3F800000;
    case DType::float64:
      return 0x3FF0000000000000;
    default:
      return 1;
  }
}

class ArgMaxLarge : public testing::Test {
 protected:
  /// False, with the test skipped, where the device has no room for the problem and its answers.
  bool zeros(DType dtype, std::int64_t rows, std::int64_t cols) {
    memory_.reset();
    c_ = make_case("argmax", dtype, {rows, cols});
    const std::size_t bytes = c_.op->inputs(c_).front().bytes();
    std::size_t free = 0;
    std::size_t total = 0;
    REDUX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const std::size_t needed = bytes + (std::size_t{1} << 30U);
    if (free < needed) {
      std::printf("%s: skipped, needs %zu bytes of device memory and %zu are free\n",
                  c_.problem_id().c_str(), needed, free);
      return false;
    }
    memory_ = std::make_unique<cuda::DeviceMemory>(bytes);
    REDUX_CUDA_CHECK(cudaMemset(memory_->data(), 0, bytes));
    return true;
  }

  void put(std::int64_t col, std::uint64_t bits) {
    const std::size_t width = size_of(c_.dtype);
    REDUX_CUDA_CHECK(cudaMemcpy(memory_->data() + (static_cast<std::size_t>(col) * width), &bits,
                                width, cudaMemcpyHostToDevice));
  }
  /// A one at `col` of every row.
  void put_in_rows(std::int64_t col) {
    const std::size_t width = size_of(c_.dtype);
    const auto rows = static_cast<std::size_t>(c_.shape.dims.front());
    const auto pitch = static_cast<std::size_t>(c_.shape.dims.back()) * width;
    const std::uint64_t one = one_in(c_.dtype);
    Bytes ones(rows * width);
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(ones.data() + (row * width), &one, width);
    }
    REDUX_CUDA_CHECK(cudaMemcpy2D(memory_->data() + (static_cast<std::size_t>(col) * width), pitch,
                                  ones.data(), width, width, rows, cudaMemcpyHostToDevice));
  }

  /// Every variant answers `col` for every row.
  void expect_all(std::int64_t col, const std::string& id) {
    const auto rows = static_cast<std::size_t>(c_.shape.dims.front());
    const std::vector<std::int64_t> indices(rows, col);
    Bytes expected(rows * sizeof(std::int64_t));
    std::memcpy(expected.data(), indices.data(), expected.size());
    for (const Variant* variant : variants_of("argmax", Side::cuda)) {
      c_.variant = variant;
      const bool refused = !why_unsupported(*variant, c_, device_facts()).empty();
      const bool slow =
          variant->name == "thread_per_row" && c_.shape.dims.back() > kLongestForOneThread;
      if (refused || slow) {
        ++tally().unsupported[variant->name];
        continue;
      }
      ++tally().checked[variant->name];
      call_.prepare(c_, *variant, stream_.get());
      call_.poison(stream_.get());
      call_.launch(memory_->data(), stream_.get());
      Outputs got;
      EXPECT_EQ(call_.read(got, stream_.get()), "") << id << " " << c_.id();
      expect_outputs(c_, got, {expected}, id + " " + c_.id());
    }
  }

  Case c_;
  std::unique_ptr<cuda::DeviceMemory> memory_;

 private:
  cuda::Stream stream_ = cuda::make_stream();
  Call call_;
};

TEST_F(ArgMaxLarge, TheLongestRowOfThirtyTwoBitPositions) {
  constexpr std::int64_t kCols = 2147483647;
  if (!zeros(DType::float16, 1, kCols)) GTEST_SKIP() << "too little device memory";
  expect_all(0, "all equal");
  for (const std::int64_t col : {kCols - 1, kCols / 2, std::int64_t{0}}) {
    put(col, one_in(DType::float16));
    expect_all(col, "planted");  // the ones before stay: a tie goes to the lower column
  }
}

TEST_F(ArgMaxLarge, A22AColumnThatNoFloatHolds) {
  if (!zeros(DType::bfloat16, 1, 16777220)) GTEST_SKIP() << "too little device memory";
  put(16777217, one_in(DType::bfloat16));
  expect_all(16777217, "A22");
}

TEST_F(ArgMaxLarge, A27EitherSideOfTwoGibibytes) {
  struct Shape {
    DType dtype;
    std::int64_t rows;
  };
  for (const auto& [dtype, rows] :
       {Shape{DType::float64, 4194304}, Shape{DType::float64, 4194305},
        Shape{DType::float32, 8388608}, Shape{DType::float32, 8388609},
        Shape{DType::float16, 16777216}, Shape{DType::float16, 16777217}}) {
    if (!zeros(dtype, rows, 64)) GTEST_SKIP() << "too little device memory";
    put_in_rows(32);
    expect_all(32, "A27");
  }
}

TEST_F(ArgMaxLarge, A28MoreColumnsThanThirtyTwoBitsCount) {
  for (const std::int64_t cols : {std::int64_t{2147483656}, std::int64_t{4294967297}}) {
    if (!zeros(DType::bfloat16, 1, cols)) GTEST_SKIP() << "too little device memory";
    put(cols - 1, one_in(DType::bfloat16));
    expect_all(cols - 1, "A28");
  }
}

}  // namespace
}  // namespace redux::contract
