// .npy files: what is read, and what is refused with which words.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/registry.hpp"
#include "core/status.hpp"
#include "data/data.hpp"
#include "data/npy_header.hpp"

namespace redux {
namespace {

class NpyRead : public testing::Test {
 protected:
  NpyRead()
      : folder_(
            std::filesystem::path(testing::TempDir()) /
            ("npy-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(folder_);
  }
  ~NpyRead() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& bytes) {
    const std::string path = (folder_ / "array.npy").string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static std::string file(const std::string& dict, const std::string& data, int major = 1,
                          int minor = 0) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(major);
    bytes += static_cast<char>(minor);
    const std::size_t width = major == 1 ? 2 : 4;
    for (std::size_t i = 0; i < width; ++i) {
      bytes += static_cast<char>((dict.size() >> (8 * i)) & 0xFFU);
    }
    return bytes + dict + data;
  }

  static std::string dict(const std::string& descr, const std::string& shape,
                          const std::string& order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape +
           ", }  \n";
  }

  /// The message with which the file is refused.
  std::string refusal(const std::string& bytes, bool as_bfloat16 = false) {
    const std::string path = write(bytes);
    try {
      read_npy(path, as_bfloat16);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::usage);
      const std::string message = failure.what();
      EXPECT_TRUE(message.starts_with(path + ": ")) << message;
      return message.substr(path.size() + 2);
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST_F(NpyRead, EveryDTypeAndFormat) {
  struct Row {
    const char* descr;
    DType dtype;
    bool as_bfloat16;
  };
  for (const auto& [descr, dtype, as_bfloat16] :
       {Row{"<f2", DType::float16, false}, Row{"<f4", DType::float32, false},
        Row{"<f8", DType::float64, false}, Row{"<i4", DType::int32, false},
        Row{"<i8", DType::int64, false}, Row{"<u2", DType::bfloat16, true}}) {
    for (const int major : {1, 2, 3}) {
      std::string data;
      for (std::size_t i = 0; i < 6 * size_of(dtype); ++i) data += static_cast<char>(i * 7);
      const std::string path = write(file(dict(descr, "(2, 3)"), data, major));
      const NpyHeader header = read_npy_header(path, as_bfloat16);
      EXPECT_EQ(header.descr, descr);
      EXPECT_EQ(header.dtype, dtype);
      EXPECT_EQ(header.dims, (std::vector<std::int64_t>{2, 3}));
      const auto bytes = read_npy(path, as_bfloat16);
      ASSERT_EQ(bytes.size(), data.size());
      EXPECT_EQ(std::memcmp(bytes.data(), data.data(), data.size()), 0);
    }
  }
}

TEST_F(NpyRead, ShapesOfAnyRank) {
  EXPECT_EQ(data::parse_npy_dict(dict("<f4", "()")).shape, (std::vector<std::int64_t>{}));
  EXPECT_EQ(data::parse_npy_dict(dict("<f4", "(7,)")).shape, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(data::parse_npy_dict(dict("<f4", "(0, 5)")).shape, (std::vector<std::int64_t>{0, 5}));
  EXPECT_EQ(
      data::parse_npy_dict("{\"shape\":(1,2,3,),\"fortran_order\":True,\"descr\":\"<i4\"}").shape,
      (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_F(NpyRead, RefusesWhatItCannotMean) {
  const std::string four(4, '\0');
  EXPECT_EQ(refusal(file(dict("<f4", "(1,)", "True"), four)),
            "Fortran order; only C order is allowed (save numpy.ascontiguousarray(array))");
  EXPECT_EQ(
      refusal(file(dict(">f4", "(1,)"), four)),
      "dtype '>f4' is big endian; allowed are <f2, <f4, <f8, <i4 and <i8 (little endian), and "
      "<u2 as bfloat16");
  EXPECT_NE(refusal(file(dict("<u2", "(2,)"), four)).find("\"bfloat16\""), std::string::npos);
  for (const char* descr : {"|b1", "<c8", "<u4", "|O", "<U3", "f4", ""}) {
    EXPECT_TRUE(refusal(file(dict(descr, "(1,)"), four))
                    .starts_with(std::string("dtype '") + descr + "'; allowed are <f2, "))
        << descr;
  }
  EXPECT_EQ(refusal("hello, this is no array"),
            "not a .npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(refusal(file(dict("<f4", "(1,)"), four, 4)),
            "format 4.0; allowed are 1.0, 2.0 and 3.0");
  EXPECT_EQ(refusal(file(dict("<f4", "(1,)"), four, 1, 1)),
            "format 1.1; allowed are 1.0, 2.0 and 3.0");
}

TEST_F(NpyRead, SizesMustAgreeExactly) {
  EXPECT_EQ(refusal(file(dict("<f4", "(2, 3)"), std::string(23, 'x'))),
            "23 bytes of data where shape 2x3 of float32 takes 24 (truncated)");
  EXPECT_EQ(refusal(file(dict("<f4", "(2, 3)"), std::string(25, 'x'))),
            "25 bytes of data where shape 2x3 of float32 takes 24 (bytes after the end)");
  EXPECT_EQ(refusal(file(dict("<f8", "(4611686018427387904, 2)"), "")),
            "shape 4611686018427387904x2 exceeds 2^63 - 1 bytes");
  EXPECT_EQ(refusal(file(dict("<f8", "(4611686018427387904,)"), "")),
            "shape 4611686018427387904 exceeds 2^63 - 1 bytes");
  EXPECT_EQ(refusal(""), "the file ends inside the magic string: 0 bytes in all");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\x01\x00\x10", 9)),
            "the file ends inside the header length: 9 bytes in all");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\x01\x00\x10\x00{'d", 13)),
            "the file ends inside the header: 13 bytes in all");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\x7F", 12)),
            "a header of 2147483647 bytes; at most 65536 are allowed");
}

TEST_F(NpyRead, TheDictionaryIsReadStrictly) {
  const auto fault = [](const std::string& text) -> std::string {
    try {
      data::parse_npy_dict(text);
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      return message.substr(message.find(": ") + 2);
    }
    return "accepted";
  };
  EXPECT_EQ(fault("{'descr': '<f4', 'fortran_order': False}"), "key 'shape' is missing");
  EXPECT_EQ(fault("{'descr': '<f4', 'descr': '<f4'}"), "key 'descr' appears twice");
  EXPECT_EQ(fault("{'dtype': '<f4'}"),
            "unknown key 'dtype'; allowed are descr, fortran_order and shape");
  EXPECT_EQ(fault("{'shape': (3)}"), "(n) is no tuple; one extent is written (n,)");
  EXPECT_EQ(fault("{'shape': (-3,)}"), "a negative extent, -3");
  EXPECT_EQ(fault("{'shape': (9223372036854775808,)}"), "an extent that exceeds 2^63 - 1");
  EXPECT_EQ(fault("{'shape': (1.5,)}"), "expected ',', found '.'");
  EXPECT_EQ(fault("{'shape': (,)}"), "expected an extent, found ','");
  EXPECT_EQ(fault("{'fortran_order': false}"), "expected True or False, found 'f'");
  EXPECT_EQ(fault("{'descr': [('a', '<f4')]}"),
            "a structured dtype; only plain element types are allowed");
  std::string extents;
  for (int i = 0; i < 32; ++i) extents += "1, ";
  EXPECT_EQ(data::parse_npy_dict(dict("<f4", "(" + extents + ")")).shape.size(), 32U);
  EXPECT_EQ(fault("{'shape': (" + extents + "1)}"), "a shape of more than 32 extents");
  // What stands in quotes is repeated in messages: no terminal may be steered by it.
  EXPECT_EQ(fault("{'descr': '\x1b]0;x'}"), "a string with byte value 27");
  EXPECT_EQ(fault("{'\xff': 1}"), "a string with byte value 255");
  EXPECT_EQ(fault("{'" + std::string(65, 'k') + "': 1}"),
            "a string of 65 characters; at most 64 are allowed");
  EXPECT_EQ(fault("{'descr': '<f4"), "a string without its closing quote");
  EXPECT_EQ(fault(dict("<f4", "(1,)") + "x"), "text after the closing '}'");
  EXPECT_EQ(fault(""), "expected '{', found the end");
}

TEST_F(NpyRead, FilesThatAreNotThere) {
  for (const auto& [path, what] : {std::pair{(folder_ / "none.npy").string(), "no such file"},
                                   {folder_.string(), "not a regular file"}}) {
    try {
      read_npy_header(path, false);
      ADD_FAILURE() << "accepted " << path;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::usage);
      EXPECT_EQ(std::string(failure.what()), path + ": " + what);
    }
  }
}

TEST_F(NpyRead, InputsOfACaseComeFromItsFile) {
  const std::vector<float> values{1, 5, 3, 2, 2, 6};
  std::string data(values.size() * sizeof(float), '\0');
  std::memcpy(data.data(), values.data(), data.size());
  Case c;
  c.op = Registry::instance().find_op("argmax");
  ASSERT_NE(c.op, nullptr);
  c.data = "file";
  c.data_file = write(file(dict("<f4", "(2, 3)"), data));
  c.shape.dims = {2, 3};
  const auto inputs = make_inputs(c);
  ASSERT_EQ(inputs.size(), 1U);
  ASSERT_EQ(inputs[0].size(), data.size());
  EXPECT_EQ(std::memcmp(inputs[0].data(), data.data(), data.size()), 0);
  c.shape.dims = {3, 2};
  try {
    make_inputs(c);
    FAIL() << "accepted another shape";
  } catch (const Failure& failure) {
    EXPECT_EQ(
        std::string(failure.what()),
        c.data_file + ": holds float32 of shape 2x3 where the case asks for float32 of shape 3x2");
  }
}

}  // namespace
}  // namespace redux
