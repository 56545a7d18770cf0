// The text itself: encodings, comments, commas, duplicate keys, places.
#include <gtest/gtest.h>

#include "config/json.hpp"
#include "config_support.hpp"

namespace redux::test {
namespace {

using Ids = std::vector<std::string>;
using std::string_literals::operator""s;

const Ids kOneCase{"argmax/host_serial/float32/2x3"};

std::string fault_of_json(std::string_view text) {
  std::vector<json::Fault> all;
  json::parse(text, all);
  if (all.empty()) return "none";
  return std::to_string(all.front().place.line) + ":" + std::to_string(all.front().place.column) +
         " " + all.front().message;
}

TEST(Config, F01_Utf8MarkIsAccepted) {
  EXPECT_EQ(ids("\xEF\xBB\xBF" + argmax_over("[2,3]")), kOneCase);
  // The mark takes no column.
  EXPECT_EQ(only_fault("\xEF\xBB\xBF["),
            "c.json:1:2: /0: expected a value, found the end of the file");
}

TEST(Config, F01_OtherEncodingsAreNamed) {
  const std::string advice = "; save it as UTF-8 (with or without a byte-order mark)";
  const std::string utf16 = "c.json:1:1: the file is in UTF-16" + advice;
  const std::string utf32 = "c.json:1:1: the file is in UTF-32" + advice;
  EXPECT_EQ(only_fault("\xFF\xFE{\0}\0"s), utf16);
  EXPECT_EQ(only_fault("\xFE\xFF\0{\0}"s), utf16);
  EXPECT_EQ(only_fault("{\0}\0"s), utf16);
  EXPECT_EQ(only_fault("\0{\0}"s), utf16);
  EXPECT_EQ(only_fault("\xFF\xFE\0\0{\0\0\0"s), utf32);
  EXPECT_EQ(only_fault("\0\0\xFE\xFF\0\0\0{"s), utf32);
  EXPECT_EQ(only_fault("{\0\0\0"s), utf32);
  EXPECT_EQ(only_fault("\0\0\0{"s), utf32);
}

TEST(Config, F01_InvalidUtf8HasItsPlace) {
  const std::string rest = " is not valid UTF-8 here; save the file as UTF-8";
  EXPECT_EQ(only_fault("{\n \"\xC3\xA4\x80\"}"), "c.json:2:4: byte 0x80" + rest);
  EXPECT_EQ(only_fault("\"\xC0\xAF\""), "c.json:1:2: byte 0xC0" + rest);          // overlong
  EXPECT_EQ(only_fault("\"\xED\xA0\x80\""), "c.json:1:2: byte 0xED" + rest);      // surrogate
  EXPECT_EQ(only_fault("\"\xF4\x90\x80\x80\""), "c.json:1:2: byte 0xF4" + rest);  // > U+10FFFF
  EXPECT_EQ(only_fault("\"\xE2\x82"), "c.json:1:2: byte 0xE2" + rest);            // cut short
}

TEST(Config, F03_DuplicateKeysAreNamedWithTheirPath) {
  EXPECT_EQ(only_fault(argmax_over("[2,3]", R"(,"shapes":[[4,9]])")),
            "c.json:4:3: /sweeps/0/shapes: duplicate key 'shapes'; the first is at 2:64");
  EXPECT_EQ(only_fault(R"({"version":1,"name":"t","name":"u","sweeps":[
    {"op":"argmax","dtypes":["int32"],"shapes":[[1,2]]}]})"),
            "c.json:1:25: /name: duplicate key 'name'; the first is at 1:14");
  // Escapes do not hide one.
  EXPECT_EQ(fault_of_json(R"({"a":1,"\u0061":2})"), "1:8 duplicate key 'a'; the first is at 1:2");
}

TEST(Config, F03_SiblingsMayHaveTheSameKey) {
  EXPECT_EQ(fault_of_json(R"([{"a":1,"b":{"a":2}},{"a":3}])"), "none");
}

TEST(Config, F04_TrailingCommaHasItsPlace) {
  EXPECT_EQ(fault_of_json("{\"a\": [1,\n  2,\n  ]}"), "2:4 trailing comma before ']'");
  EXPECT_EQ(fault_of_json("{\"a\": 1 , }"), "1:9 trailing comma before '}'");
  EXPECT_EQ(only_fault(argmax_over("[2,3]", ",")),
            "c.json:4:2: /sweeps/0: trailing comma before '}'");
}

TEST(Config, F04_ItIsReportedBesideOtherFaults) {
  const auto all = faults(argmax_over("[2,3,],[0,-1]", R"(,"sed":1)"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0], "c.json:3:5: /sweeps/0/shapes/0: trailing comma before ']'");
  EXPECT_EQ(all[1], "c.json:3:11: /sweeps/0/shapes/1/1: extent -1 is too small; at least 0");
  EXPECT_TRUE(contains(all[2], "c.json:4:3: /sweeps/0: unknown key 'sed'; did you mean 'seed'?"));
}

TEST(Config, F05_CommentsStandAnywhereBetweenTokens) {
  const std::string text = argmax_over("[2, // rows\n 3 /* cols */]");
  EXPECT_EQ(ids("/* a */ // b\n" + text + "\n// the end"), kOneCase);
  EXPECT_EQ(ids(text + "/* the end, with no newline */"), kOneCase);
  EXPECT_EQ(fault_of_json("[\"// no comment\", \"/* nor this */\"]"), "none");
}

TEST(Config, F05_TrailingCommaIsRefusedBesideComments) {
  EXPECT_EQ(fault_of_json("[1, // one\n 2, // two\n]"), "2:3 trailing comma before ']'");
  EXPECT_EQ(fault_of_json("[1, /* none */ ]"), "1:3 trailing comma before ']'");
  EXPECT_EQ(fault_of_json("{\"a\":1,/**/}"), "1:7 trailing comma before '}'");
}

TEST(Config, F05_BadComments) {
  EXPECT_EQ(fault_of_json("[1, /* no end"), "1:5 this comment has no end; it needs '*/'");
  EXPECT_EQ(fault_of_json("/*/"), "1:1 this comment has no end; it needs '*/'");
  EXPECT_EQ(fault_of_json("[1 / 2]"), "1:4 '/' starts no comment here; comments are // and /* */");
  EXPECT_EQ(fault_of_json("# x\n[]"), "1:1 expected a value, found '#'");
}

TEST(Config, JsonIsStrict) {
  EXPECT_EQ(fault_of_json(""), "1:1 the file holds no JSON value");
  EXPECT_EQ(fault_of_json("// only\n"), "2:1 the file holds no JSON value");
  EXPECT_EQ(fault_of_json("{} {}"), "1:4 text after the end of the JSON value: '{'");
  EXPECT_EQ(fault_of_json("[1 2]"), "1:4 expected ',' or ']', found '2'");
  EXPECT_EQ(fault_of_json("{'a':1}"), "1:2 expected a key in double quotes, found '''");
  EXPECT_EQ(fault_of_json("{\"a\" 1}"), "1:6 expected ':' after the key, found '1'");
  EXPECT_EQ(fault_of_json("[,1]"), "1:2 expected a value, found ','");
  EXPECT_EQ(fault_of_json("[NaN]"), "1:2 expected a value, found 'N'");
  EXPECT_EQ(fault_of_json("[truest]"), "1:6 expected ',' or ']', found 's'");
  EXPECT_EQ(fault_of_json("[01]"), "1:2 a number must not start with a zero");
  EXPECT_EQ(fault_of_json("[1.]"), "1:4 expected a digit, found ']'");
  EXPECT_EQ(fault_of_json("[-]"), "1:3 expected a digit, found ']'");
  EXPECT_EQ(fault_of_json("[1e+]"), "1:5 expected a digit, found ']'");
  EXPECT_EQ(fault_of_json("[\"a"), "1:2 this string has no closing quote");
  EXPECT_EQ(fault_of_json("[\"a\tb\"]"), "1:4 control character '\\x09' in a string; escape it");
  EXPECT_EQ(fault_of_json(R"(["\x"])"), "1:3 unknown escape '\\' before 'x'");
  EXPECT_EQ(fault_of_json(R"(["\u12g4"])"), "1:3 \\u takes four hexadecimal digits");
  EXPECT_EQ(fault_of_json(R"(["\ud800"])"), "1:3 half of a surrogate pair stands alone");
  EXPECT_EQ(fault_of_json("[\0]"s), "1:2 expected a value, found '\\x00'");
}

TEST(Config, JsonDepthIsBounded) {
  EXPECT_EQ(fault_of_json(std::string(33, '[') + std::string(33, ']')), "none");
  EXPECT_EQ(fault_of_json(std::string(100'000, '[')), "1:34 nested deeper than 32 levels");
}

TEST(Config, JsonValuesAndPointersAreBounded) {
  const auto list_of = [](std::size_t count) {
    std::string text = "[1";
    for (std::size_t i = 1; i < count; ++i) text += ",1";
    return text + "]";
  };
  EXPECT_EQ(fault_of_json(list_of(999'999)), "none");  // and the list itself
  EXPECT_EQ(fault_of_json(list_of(1'000'000)), "1:2000000 more than 1000000 values in one file");
  // A long key above many values would be in the pointer of each of them.
  const std::string key(256, 'k');
  EXPECT_EQ(fault_of_json("{\"" + key.substr(1) + "\": 1}"), "none");
  EXPECT_EQ(fault_of_json("{\"" + key + "\": " + list_of(500'000) + "}"),
            "1:2 key '" + key.substr(0, 80) +
                "...': with the keys around it, it is longer than 256 bytes");
  EXPECT_TRUE(contains(fault_of_json("{\"" + key.substr(9) + "\": {\"0123456789\": 1}}"),
                       "1:254 key '0123456789': with the keys around it"));
}

TEST(Config, JsonStringsAndPointers) {
  std::vector<json::Fault> all;
  const auto value = json::parse(R"({"a/b~c": ["\ud83d\ude00\u00e4\n\\"]})", all);
  ASSERT_TRUE(value.has_value());
  ASSERT_EQ(value->members.size(), 1U);
  const json::Value& text = value->members[0].value.items.at(0);
  EXPECT_EQ(text.text, "\xF0\x9F\x98\x80\xC3\xA4\n\\");
  EXPECT_EQ(text.pointer, "/a~1b~0c/0");
  EXPECT_EQ(text.place.column, 12);
}

TEST(Config, PointersOfFaultsAreSafeToPrint) {
  const auto all = faults(R"({"\u001b[2J\u009b": {"a": 1, "a": 2}})");
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(contains(all.back(), ": /\\x1b[2J\\xc2\\x9b/a: duplicate key 'a'")) << all.back();
  for (const std::string& one : all) EXPECT_EQ(one.find('\x1b'), std::string::npos);
}

TEST(Config, ColumnsCountCharacters) {
  EXPECT_EQ(fault_of_json("[\"\xC3\xA4\xF0\x9F\x98\x80\", ?]"), "1:8 expected a value, found '?'");
  EXPECT_EQ(fault_of_json("[\r\n\t?]"), "2:2 expected a value, found '?'");
}

}  // namespace
}  // namespace redux::test
