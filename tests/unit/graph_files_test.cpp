// Pairs of .npy files as graphs, and the checks that every graph goes through.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/graph.hpp"

namespace redux {
namespace {

using Ids = std::vector<std::int64_t>;

std::string fault(const Ids& row_ptr, const Ids& col_idx) {
  const std::vector<std::int32_t> narrow_rows(row_ptr.begin(), row_ptr.end());
  const std::vector<std::int32_t> narrow_cols(col_idx.begin(), col_idx.end());
  const std::string wide = csr_fault(row_ptr, col_idx);
  EXPECT_EQ(wide, csr_fault(narrow_rows, narrow_cols));
  return wide;
}

TEST(GraphCheck, S13_ARowPointerThatDoesNotCoverTheEdges) {
  EXPECT_EQ(fault({0}, Ids(10, 0)), "row_ptr ends at 0 (position 0) but there are 10 edges");
  EXPECT_EQ(fault({}, {}), "row_ptr is empty; it has an entry for each node and one more");
  EXPECT_EQ(fault({0}, {}), "");
}

TEST(GraphCheck, S14_TheFirstBadPlaceIsNamed) {
  const Ids edges(8, 0);
  EXPECT_EQ(fault({0, 3, 7}, edges), "row_ptr ends at 7 (position 2) but there are 8 edges");
  EXPECT_EQ(fault({1, 8}, edges), "row_ptr is 1 at position 0, where it has to be 0");
  EXPECT_EQ(fault({0, 5, 3, 8}, edges), "row_ptr falls from 5 to 3 at position 2");
  EXPECT_EQ(fault({0, 3, 9}, edges), "row_ptr ends at 9 (position 2) but there are 8 edges");
  EXPECT_EQ(fault({-9, -1024, 0}, edges), "row_ptr is -9 at position 0, where it has to be 0");
  EXPECT_EQ(fault({0, -1, 8}, edges), "row_ptr falls from 0 to -1 at position 1");
  EXPECT_EQ(fault({0, 8, 8, 8}, edges), "");
}

TEST(GraphCheck, ColumnsOutsideTheTableAreNamed) {
  EXPECT_EQ(fault({0, 2, 3}, {0, 1, 2}), "col_idx is 2 at position 2, outside [0, 2)");
  EXPECT_EQ(fault({0, 2, 3}, {0, -1, 5}), "col_idx is -1 at position 1, outside [0, 2)");
  EXPECT_EQ(fault({0, 2, 3}, {1, 1, 0}), "");
  // 2^31 is not cut to a valid 32-bit column, nor is 2^32.
  for (const std::int64_t column : {std::int64_t{1} << 31U, std::int64_t{1} << 32U}) {
    EXPECT_EQ(csr_fault(Ids{0, 1}, Ids{column}),
              "col_idx is " + std::to_string(column) + " at position 0, outside [0, 1)");
  }
}

TEST(GraphCheck, TheFirstOfManyBadPlacesInALargeGraph) {
  constexpr std::int64_t kNodes = 1000000;
  Ids row_ptr(kNodes + 1);
  for (std::int64_t v = 0; v <= kNodes; ++v) row_ptr[static_cast<std::size_t>(v)] = 2 * v;
  Ids col_idx(2 * kNodes, 7);
  EXPECT_EQ(fault(row_ptr, col_idx), "");
  for (const std::size_t at : {1999999U, 1500000U, 131072U, 131071U, 65536U, 3U}) {
    col_idx[at] = kNodes;
    EXPECT_EQ(fault(row_ptr, col_idx),
              "col_idx is 1000000 at position " + std::to_string(at) + ", outside [0, 1000000)");
  }
  row_ptr[900000] = 0;
  row_ptr[70000] = 0;
  EXPECT_EQ(fault(row_ptr, col_idx), "row_ptr falls from 139998 to 0 at position 70000");
}

class NpyPair : public testing::Test {
 protected:
  NpyPair() : folder_(std::filesystem::path(testing::TempDir()) / "npy-pair") {
    std::filesystem::create_directories(folder_);
  }
  ~NpyPair() override { std::filesystem::remove_all(folder_); }

  template <class T>
  std::string write(const std::string& name, const std::string& descr, const std::vector<T>& values,
                    const std::string& shape = {}) {
    std::string text = "{'descr': '";
    text += descr;
    text += "', 'fortran_order': False, 'shape': ";
    text += shape.empty() ? row_shape(values.size()) : shape;
    text += ", }\n";
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(text.size());
    bytes += '\0';
    bytes += text;
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static std::string row_shape(std::size_t length) {
    std::string text = "(";
    text += std::to_string(length);
    text += ",)";
    return text;
  }

  static std::string refusal(const std::string& row_ptr, const std::string& col_idx) {
    try {
      data::read_npy_pair(row_ptr, col_idx);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::usage);
      return failure.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST_F(NpyPair, EitherWidthOfEither) {
  const Ids rows{0, 2, 2, 3};
  const Ids columns{2, 0, 1};
  const std::vector<std::int32_t> narrow_rows{0, 2, 2, 3};
  const std::vector<std::int32_t> narrow_columns{2, 0, 1};
  for (const std::string& row_ptr :
       {write("r4.npy", "<i4", narrow_rows), write("r8.npy", "<i8", rows)}) {
    for (const std::string& col_idx :
         {write("c4.npy", "<i4", narrow_columns), write("c8.npy", "<i8", columns)}) {
      const data::Csr graph = data::read_npy_pair(row_ptr, col_idx);
      EXPECT_EQ(graph.row_ptr, rows);
      EXPECT_EQ(graph.col_idx, columns);
      const GraphSource source{.kind = "file", .file = row_ptr, .col_idx_file = col_idx};
      EXPECT_EQ(graph_extents(source, 1), (GraphExtents{3, 3}));
      EXPECT_EQ(make_graph(source, 1, DType::int32).col_idx.size(), 12U);
      EXPECT_EQ(make_graph(source, 1, DType::int64).row_ptr.size(), 32U);
    }
  }
}

TEST_F(NpyPair, FaultsNameTheFile) {
  const std::string rows = write("rows.npy", "<i8", Ids{0, 2});
  const std::string columns = write("columns.npy", "<i8", Ids{0, 0});
  EXPECT_EQ(refusal(rows, columns), "accepted");
  const std::string far = write("far.npy", "<i8", Ids{0, std::int64_t{1} << 31U});
  EXPECT_EQ(refusal(rows, far), far + ": col_idx is 2147483648 at position 1, outside [0, 1)");
  const std::string falls = write("falls.npy", "<i8", Ids{0, 3, 2});
  EXPECT_EQ(refusal(falls, columns), falls + ": row_ptr falls from 3 to 2 at position 2");
  const std::string floats = write("floats.npy", "<f4", std::vector<float>{0, 2});
  EXPECT_EQ(refusal(floats, columns),
            floats + ": row_ptr has to be one row of int32 or int64, found float32 of shape (2)");
  const std::string flat = write("flat.npy", "<i8", Ids{0, 0}, "(2, 1)");
  EXPECT_EQ(refusal(rows, flat),
            flat + ": col_idx has to be one row of int32 or int64, found int64 of shape (2x1)");
  EXPECT_EQ(refusal(rows, "no.npy"), "no.npy: no such file");
}

}  // namespace
}  // namespace redux
