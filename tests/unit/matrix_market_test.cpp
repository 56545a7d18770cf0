// Matrix Market files: what is read, and what is refused with which words at which line.
#include <gtest/gtest.h>

#include <numeric>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/graph.hpp"

namespace redux::data {
namespace {

using Ids = std::vector<std::int64_t>;

/// The message with which the text is refused.
std::string refusal(const std::string& text) {
  try {
    parse_matrix_market(text, "g.mtx");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::usage);
    return failure.what();
  }
  return "accepted";
}

std::string with_header(const std::string& rest, const std::string& field = "pattern",
                        const std::string& symmetry = "general") {
  return "%%MatrixMarket matrix coordinate " + field + " " + symmetry + "\n" + rest;
}

TEST(MatrixMarket, GeneralKeepsTheOrderOfEntriesWithinARow) {
  const Csr graph = parse_matrix_market(with_header("3 3 5\n3 2\n1 3\n1 1\n1 2\n1 3\n"), "g");
  EXPECT_EQ(graph.row_ptr, (Ids{0, 4, 4, 5}));
  EXPECT_EQ(graph.col_idx, (Ids{2, 0, 1, 2, 1}));
}

TEST(MatrixMarket, SymmetricCountsAnEdgeForBothAndALoopOnce) {
  const Csr graph =
      parse_matrix_market(with_header("3 3 3\n2 1\n3 3\n3 1\n", "pattern", "symmetric"), "g");
  EXPECT_EQ(graph.row_ptr, (Ids{0, 2, 3, 5}));
  EXPECT_EQ(graph.col_idx, (Ids{1, 2, 0, 2, 0}));
}

TEST(MatrixMarket, ValuesAreCheckedAndDropped) {
  for (const std::string value : {"1", "-2.5", "+3.5e-7", "1E9", "nan", "inf"}) {
    const Csr graph = parse_matrix_market(with_header("2 2 1\n1 2 " + value + "\n", "real"), "g");
    EXPECT_EQ(graph.col_idx, (Ids{1})) << value;
  }
  EXPECT_EQ(parse_matrix_market(with_header("2 2 1\n1 2 -7\n", "integer"), "g").col_idx, (Ids{1}));
  EXPECT_EQ(refusal(with_header("2 2 1\n1 2 1.5\n", "integer")),
            "g.mtx:3: a value has to be a whole number, found '1.5'");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 2\n", "real")),
            "g.mtx:3: a value has to be a number, found the end of the line");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 2 5\n")),
            "g.mtx:3: '5' after the end of what the line holds");
}

TEST(MatrixMarket, CommentsBlankLinesBlanksAndCarriageReturnsDoNotMatter) {
  const Csr graph = parse_matrix_market(
      "%%matrixmarket MATRIX Coordinate PATTERN General\r\n% a\n%\n\n \t 2 2 2 \r\n%b\n 1\t2\r\n\n"
      "2   1\n\n%c",
      "g");
  EXPECT_EQ(graph.row_ptr, (Ids{0, 1, 2}));
  EXPECT_EQ(graph.col_idx, (Ids{1, 0}));
}

TEST(MatrixMarket, NoNodesAndNoEntriesAreFine) {
  EXPECT_EQ(parse_matrix_market(with_header("0 0 0\n"), "g").row_ptr, (Ids{0}));
  EXPECT_EQ(parse_matrix_market(with_header("2 2 0"), "g").row_ptr, (Ids{0, 0, 0}));
}

TEST(MatrixMarket, HeadersThatAreNotReadAreNamed) {
  EXPECT_EQ(refusal(""), "g.mtx:1: the file is empty");
  EXPECT_EQ(refusal("1 2 3\n"),
            "g.mtx:1: no Matrix Market file: its first line has to be %%MatrixMarket matrix "
            "coordinate FIELD SYMMETRY");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real general\n"),
            "g.mtx:1: format 'array' is not read; allowed: coordinate");
  EXPECT_EQ(refusal("%%MatrixMarket vector coordinate real general\n"),
            "g.mtx:1: object 'vector' is not read; allowed: matrix");
  EXPECT_EQ(refusal(with_header("", "complex")),
            "g.mtx:1: field 'complex' is not read; allowed: pattern, real, integer");
  for (const std::string symmetry : {"skew-symmetric", "hermitian", ""}) {
    EXPECT_EQ(refusal(with_header("", "real", symmetry)),
              "g.mtx:1: symmetry '" + symmetry + "' is not read; allowed: general, symmetric");
  }
}

TEST(MatrixMarket, SizesAndEntriesThatCannotBeAreNamedWithTheirLine) {
  EXPECT_EQ(refusal(with_header("% only a comment\n")),
            "g.mtx:3: the line with rows, columns and entries is missing");
  EXPECT_EQ(refusal(with_header("2 3 1\n1 1\n")),
            "g.mtx:2: 2 rows and 3 columns; a graph's matrix is square");
  EXPECT_EQ(refusal(with_header("-1 -1 1\n")), "g.mtx:2: a negative size");
  EXPECT_EQ(refusal(with_header("2 2\n")),
            "g.mtx:2: the number of entries has to be a whole number, found the end of the line");
  EXPECT_EQ(refusal(with_header("2 2 1\n0 1\n")), "g.mtx:3: row 0 is outside 1 to 2");
  EXPECT_EQ(refusal(with_header("2 2 2\n1 1\n%\n1 3\n")), "g.mtx:5: column 3 is outside 1 to 2");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 -1\n")), "g.mtx:3: column -1 is outside 1 to 2");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 4294967297\n")),
            "g.mtx:3: column 4294967297 is outside 1 to 2");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 x\n")),
            "g.mtx:3: column has to be a whole number, found 'x'");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 99999999999999999999\n")),
            "g.mtx:3: column has to be a whole number, found '99999999999999999999'");
  EXPECT_EQ(refusal(with_header("2 2 3\n1 1\n1 2\n")),
            "g.mtx:5: the file ends after 2 of 3 entries");
  EXPECT_EQ(refusal(with_header("2 2 1\n1 1\n1 2\n")),
            "g.mtx:4: more than the 1 entries that were announced");
  EXPECT_EQ(refusal(with_header("+-2 2 1\n1 1\n")),
            "g.mtx:2: the number of rows has to be a whole number, found '+-2'");
  // Nodes are announced, not listed: a short text could ask for any memory.
  EXPECT_EQ(refusal(with_header("268435457 268435457 0\n")),
            "g.mtx:2: 268435457 rows and columns; at most 268435456 are read");
  EXPECT_EQ(refusal(with_header("9223372036854775807 9223372036854775807 1\n1 1\n")),
            "g.mtx:2: 9223372036854775807 rows and columns; at most 268435456 are read");
  EXPECT_EQ(refusal(with_header("9223372036854775808 9223372036854775808 1\n1 1\n")),
            "g.mtx:2: the number of rows has to be a whole number, found '9223372036854775808'");
  // What a line says of the number of entries is not believed before they are there.
  EXPECT_EQ(refusal(with_header("2 2 9223372036854775807\n1 1\n")),
            "g.mtx:4: the file ends after 1 of 9223372036854775807 entries");
}

TEST(MatrixMarket, ZacharysKarateClub) {
  const Csr graph = read_matrix_market(REDUX_SOURCE_DIR "/tests/graphs/karate.mtx");
  ASSERT_EQ(graph.row_ptr.size(), 35U);
  EXPECT_EQ(graph.col_idx.size(), 156U);
  const Ids degrees{16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2,  2,
                    2,  2, 3,  2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17};
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    EXPECT_EQ(graph.row_ptr[v + 1] - graph.row_ptr[v], degrees[v]) << "node " << v + 1;
  }
  EXPECT_EQ(std::accumulate(degrees.begin(), degrees.end(), std::int64_t{0}), 156);
  EXPECT_EQ(csr_fault(graph.row_ptr, graph.col_idx), "");
}

TEST(MatrixMarket, FilesThatCannotBeReadAreNamed) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      read_matrix_market(path);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("/no/such/file.mtx"), "/no/such/file.mtx: no such file");
  EXPECT_EQ(message(REDUX_SOURCE_DIR), REDUX_SOURCE_DIR ": not a regular file");
}

}  // namespace
}  // namespace redux::data
