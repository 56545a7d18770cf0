// Numbers: exact integers, ranges, and products that must not overflow.
#include <gtest/gtest.h>

#include <clocale>
#include <locale>

#include "config/ranges.hpp"
#include "config_support.hpp"

namespace redux::test {
namespace {

using Ids = std::vector<std::string>;

/// Extents of the second axis that a grid [[1], axis] gives.
Ids sizes(std::string_view axis) {
  Ids result;
  for (const Case& c :
       parse_config(with_sweep(R"({"op":"argmax","variants":["host_serial"],"dtypes":["float32"],)"
                               R"("grid":[[1],)" +
                               std::string(axis) + "]}"),
                    "c.json")
           .cases) {
    result.push_back(std::to_string(c.shape.dims.at(1)));
  }
  return result;
}

std::string grid_fault(std::string_view axis) {
  return only_fault(
      with_sweep(R"({"op":"argmax","dtypes":["float32"],"grid":[[1],)" + std::string(axis) + "]}"));
}

TEST(Config, F08_ExtentsBeyond32Bits) {
  const auto config = parse_config(argmax_over("[1,5500000000]"), "c.json");
  ASSERT_EQ(config.cases.size(), 1U);
  EXPECT_EQ(config.cases[0].shape.dims[1], 5'500'000'000);
  EXPECT_EQ(config.cases[0].id(), "argmax/host_serial/float32/1x5500000000");
}

TEST(Config, F09_ExtentsBeyond64BitsAreTooLarge) {
  EXPECT_EQ(only_fault(argmax_over("[1,18446744073709551615]")),
            "c.json:3:4: /sweeps/0/shapes/0/1: extent 18446744073709551615 is too large; at most "
            "9223372036854775807");
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,9223372036854775808]")),
                       "extent 9223372036854775808 is too large"));
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,-9223372036854775809]")),
                       "extent -9223372036854775809 is too small; at least 0"));
}

TEST(Config, F09_ProductsAreChecked) {
  // It fits as a number of elements, but not in bytes.
  EXPECT_EQ(only_fault(argmax_over("[1,9223372036854775807]")),
            "c.json:3:1: /sweeps/0/shapes/0: shape 1x9223372036854775807: is too large; with "
            "'input' as float32 its tensors exceed 9223372036854775807 bytes");
  EXPECT_TRUE(contains(only_fault(argmax_over("[4294967296,4294967296]")),
                       "shape 4294967296x4294967296: is too large; the product of its extents "
                       "exceeds 9223372036854775807"));
  // Rows alone: 2^60 indices of 8 bytes are 2^63 bytes.
  EXPECT_TRUE(contains(only_fault(argmax_over("[1152921504606846976,1]")),
                       "with 'indices' as int64 its tensors exceed"));
  // A zero does not hide an overflow of the other extents.
  EXPECT_TRUE(contains(only_fault(argmax_over("[4294967296,4294967296,0,5]")),
                       "the product of its extents exceeds"));
}

TEST(Config, F09_SeedsAreExact) {
  const auto seed = [](std::string_view text) {
    return parse_config(argmax_over("[1,2]", ",\"seed\":" + std::string(text)), "c.json")
        .cases.at(0)
        .seed;
  };
  EXPECT_EQ(seed("18446744073709551615"), 18'446'744'073'709'551'615U);
  EXPECT_EQ(seed("9007199254740993"), 9'007'199'254'740'993U);  // no double holds it
  EXPECT_EQ(seed("0"), 0U);
  EXPECT_EQ(parse_config(argmax_over("[1,2]"), "c.json").cases.at(0).seed, 42U);
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,2]", R"(,"seed":18446744073709551616)")),
                       "seed 18446744073709551616 is too large; at most 18446744073709551615"));
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,2]", R"(,"seed":-1)")),
                       "seed -1 is too small; at least 0"));
  EXPECT_TRUE(
      contains(only_fault(argmax_over("[1,2]", R"(,"seed":1e3)")), "seed must be a JSON integer"));
}

TEST(Config, F11_CountsAreJsonIntegers) {
  const std::string rule =
      "c.json:3:4: /sweeps/0/shapes/0/1: extent must be a JSON integer such as 1024 (no "
      "fraction, exponent, quotes or suffix), found ";
  const auto fault = [](std::string_view size) {
    return only_fault(argmax_over("[4," + std::string(size) + "]"));
  };
  EXPECT_EQ(fault("1024.0"), rule + "the number 1024.0");
  EXPECT_EQ(fault("1.024e3"), rule + "the number 1.024e3");
  EXPECT_EQ(fault("1e6"), rule + "the number 1e6");
  EXPECT_EQ(fault("4.5"), rule + "the number 4.5");
  EXPECT_EQ(fault("\"2M\""), rule + "the string '2M'");
  EXPECT_EQ(fault("\"1k\""), rule + "the string '1k'");
  EXPECT_EQ(fault("\"2^20\""), rule + "the string '2^20'");
  EXPECT_EQ(fault("\"4096\""), rule + "the string '4096'");
  EXPECT_EQ(fault("true"), rule + "true");
  EXPECT_EQ(fault("null"), rule + "null");
  EXPECT_EQ(fault("[5]"), rule + "a list");
}

TEST(Config, B14_OneSpellingOneId) {
  // What is not refused (F11) has one id, whatever the order of keys and the blanks.
  const Ids one{"argmax/host_serial/float32/4x1024"};
  EXPECT_EQ(ids(argmax_over("[4,1024]")), one);
  EXPECT_EQ(ids(argmax_over(" [ 4 ,\n\t1024 ] ")), one);
  EXPECT_EQ(ids(R"({"sweeps":[{"shapes":[[4,1024]],"dtypes":["float32"],
                 "variants":["host_serial"],"op":"argmax"}],"name":"t","version":1})"),
            one);
  EXPECT_EQ(ids(argmax_over("[4,1024]", R"(,"axis":1)")), one);
  EXPECT_EQ(ids(argmax_over("[4,1024]", R"(,"axis":-1,"nan":"skip","data":["random"])")), one);
}

TEST(Config, F11_Ranges) {
  EXPECT_EQ(sizes(R"({"pow2":[7,10]})"), (Ids{"128", "256", "512", "1024"}));
  EXPECT_EQ(sizes(R"({"pow2":[3,3]})"), (Ids{"8"}));
  EXPECT_EQ(sizes(R"({"geometric":[3,100,3]})"), (Ids{"3", "9", "27", "81"}));
  EXPECT_EQ(sizes(R"({"linear":[5,20,5]})"), (Ids{"5", "10", "15", "20"}));
  EXPECT_EQ(sizes(R"({"linear":[5,19,5]})"), (Ids{"5", "10", "15"}));
  EXPECT_EQ(sizes(R"([1,{"pow2":[1,2]},1000])"), (Ids{"1", "2", "4", "1000"}));
  // Up to the largest number, with no step beyond it.
  const SizeRange edge{9'223'372'036'854'775'800, 9'223'372'036'854'775'807, 5, false};
  EXPECT_EQ(expand({edge}),
            (std::vector<std::int64_t>{9'223'372'036'854'775'800, 9'223'372'036'854'775'805}));
  const SizeRange powers{1, 9'223'372'036'854'775'807, 2, true};
  EXPECT_EQ(powers.count(), 63);
  EXPECT_EQ(expand({powers}).back(), std::int64_t{1} << 62U);
}

TEST(Config, F11_BadRanges) {
  EXPECT_TRUE(contains(grid_fault(R"({"linear":[4096,1024,1]})"),
                       "the range runs from 4096 down to 1024; first must not exceed last"));
  EXPECT_TRUE(contains(grid_fault(R"({"pow2":[10,7]})"),
                       "the range runs from 10 down to 7; a must not exceed b"));
  EXPECT_TRUE(contains(grid_fault(R"({"linear":[1,9,0]})"), "step 0 is too small; at least 1"));
  EXPECT_TRUE(contains(grid_fault(R"({"linear":[1,9,-1]})"), "step -1 is too small; at least 0"));
  EXPECT_TRUE(
      contains(grid_fault(R"({"geometric":[1,9,1]})"), "factor 1 is too small; at least 2"));
  EXPECT_TRUE(contains(grid_fault(R"({"geometric":[0,9,2]})"), "first 0 is too small"));
  EXPECT_TRUE(contains(grid_fault(R"({"pow2":[1,63]})"), "2^63 is too large; at most 2^62"));
  EXPECT_TRUE(contains(grid_fault(R"({"pow2":[1]})"), "a range must be [a, b], found 1 items"));
  EXPECT_TRUE(contains(grid_fault(R"({"pow2":8})"), "must be [a, b], found the number 8"));
  EXPECT_TRUE(contains(grid_fault(R"({"from":1,"to":4})"), "unknown key 'from'"));
  EXPECT_TRUE(contains(grid_fault(R"({"pow2":[1,2],"linear":[1,2,1]})"), "found 2 keys"));
  EXPECT_TRUE(contains(grid_fault("{}"), "found 0 keys"));
  EXPECT_TRUE(contains(grid_fault("7"), "must be a list of sizes and ranges"));
}

TEST(Config, TooManyCasesAreCountedNotMade) {
  const auto sweep = [](std::string_view grid) {
    return with_sweep(R"({"op":"argmax","variants":["host_serial"],"dtypes":["float32","int32"],)"
                      R"("grid":)" +
                      std::string(grid) + "}");
  };
  EXPECT_EQ(only_fault(sweep(R"([{"linear":[1,1000,1]},{"linear":[1,501,1]}])")),
            "c.json:1:34: /sweeps: expands to 1002000 cases; at most 1000000 are allowed");
  EXPECT_TRUE(contains(only_fault(sweep(R"([{"linear":[0,9223372036854775807,1]},[1,2]])")),
                       "expands to 9223372036854775807 cases"));
  // A fault elsewhere in the sweep must not let the walk over its shapes run away.
  const auto all = faults(with_sweep(
      R"({"op":"argmax","variants":["no"],"dtypes":["no"],"grid":[{"linear":[1,90000000000,1]}]})"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0],
            "c.json:1:34: /sweeps: expands to 90000000000 cases; at most 1000000 are allowed");
}

TEST(Config, ListsOfASweepAreBounded) {
  std::string ones = "1", tags = "\"a\"";
  for (int i = 1; i < 32; ++i) {
    ones += ",1";
    tags += ",\"b" + std::to_string(i) + "\"";
  }
  EXPECT_EQ(parse_config(argmax_over("[" + ones + "]"), "c.json").cases.size(), 1U);
  EXPECT_EQ(only_fault(argmax_over("[" + ones + ",1]")),
            "c.json:3:1: /sweeps/0/shapes/0: a shape of 33 extents; at most 32 are allowed");
  std::string axes = "[1]";
  for (int i = 1; i < 33; ++i) axes += ",[1]";
  EXPECT_TRUE(contains(
      only_fault(with_sweep(R"({"op":"argmax","dtypes":["int32"],"grid":[)" + axes + "]}")),
      "/sweeps/0/grid: a shape of 33 extents; at most 32 are allowed"));
  EXPECT_EQ(parse_config(argmax_over("[1,2]", ",\"tags\":[" + tags + "]"), "c.json")
                .cases.at(0)
                .tags.size(),
            32U);
  EXPECT_EQ(only_fault(argmax_over("[1,2]", ",\"tags\":[" + tags + ",\"c\"]")),
            "c.json:4:10: /sweeps/0/tags: 33 tags; at most 32 are allowed");
  EXPECT_TRUE(contains(
      only_fault(argmax_over("[1,2]", ",\"tags\":[\"" + std::string(65, 't') + "\"]")),
      "a tag must be a string of letters, digits, '_', '.' and '-', at most 64 of them, found"));
}

TEST(Config, NumbersOfManyDigitsAreCutInMessages) {
  const std::string digits(5000, '9');
  const std::string shown = digits.substr(0, 40) + "...";
  EXPECT_EQ(only_fault(argmax_over("[1," + digits + "]")),
            "c.json:3:4: /sweeps/0/shapes/0/1: extent " + shown +
                " is too large; at most 9223372036854775807");
  EXPECT_TRUE(
      contains(only_fault(argmax_over("[1," + digits + ".5]")), ", found the number " + shown));
}

TEST(Config, ExtentsOfZeroDoNotHideProductsThatOverflow) {
  // No element, and yet a row alone has more bytes than int64 counts.
  EXPECT_TRUE(contains(only_fault(argmax_over("[0,4611686018427387904]")),
                       "shape 0x4611686018427387904: is too large; with 'input' as float32"));
  EXPECT_TRUE(contains(
      only_fault(with_sweep(R"({"op":"cummax","variants":["host_serial"],"dtypes":["float16"],)"
                            R"("shapes":[[4611686018427387904,0]]})")),
      "is too large; with 'input' as float16 its tensors exceed"));
  // One node, its edges and its features: each fits, what is gathered does not.
  EXPECT_TRUE(contains(
      only_fault(with_sweep(R"({"op":"csr_max","variants":["host_serial"],"dtypes":["float32"],)"
                            R"("index":["int64"],"features":[1099511627776],"graphs":[)"
                            R"({"kind":"uniform","nodes":1,"edges":1099511627776}]})")),
      "is too large; edges times features exceed 9223372036854775807 bytes"));
}

TEST(Config, FaultsWithoutEndAreCounted) {
  std::string sizes = "-1";
  for (int i = 1; i < 20'000; ++i) sizes += ",\n-1";
  const auto all = faults(with_sweep(
      R"({"op":"argmax","variants":["host_serial"],"dtypes":["int32"],"grid":[[)" + sizes + "]]}"));
  ASSERT_EQ(all.size(), 101U);
  EXPECT_TRUE(contains(all[0], "/sweeps/0/grid/0/0: size -1 is too small"));
  EXPECT_EQ(all[100], "c.json: and 19900 more faults");
}

class CommaDecimal : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Config, R09_NumbersAreReadTheSameUnderEveryLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaDecimal));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  const Config config = parse_config(
      R"({"version":1,"name":"t","gate":{"threshold":0.0625},"measure":{"max_seconds":2.5},
          "sweeps":[{"op":"argmax","dtypes":["int32"],"shapes":[[1,123456]]}]})",
      "c.json");
  const std::string fault = only_fault(argmax_over("[1,-1234567]"));
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  EXPECT_EQ(config.gate.threshold, 0.0625);
  EXPECT_EQ(config.measure.max_seconds, 2.5);
  EXPECT_EQ(config.cases.at(0).shape.text(), "1x123456");
  EXPECT_TRUE(contains(fault, "c.json:3:4: /sweeps/0/shapes/0/1: extent -1234567 is too small"));
}

}  // namespace
}  // namespace redux::test
