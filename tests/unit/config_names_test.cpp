// Nearest names, quoting and the digest.
#include <gtest/gtest.h>

#include "config/nearest.hpp"
#include "config/sha256.hpp"

namespace redux {
namespace {

TEST(Config, EditDistance) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("dtpye", "dtype"), 1U);  // a swap of neighbours is one edit
  EXPECT_EQ(edit_distance("Float32", "float32"), 0U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Config, NearestNameIsCloseOrNone) {
  const std::vector<std::string> names{"shapes", "dtypes", "data"};
  EXPECT_EQ(nearest("dtpye", names), "dtypes");
  EXPECT_EQ(nearest("shape", names), "shapes");
  EXPECT_EQ(nearest("threshold", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100'000, 'd'), names), "");
  EXPECT_EQ(did_you_mean("datta", names), "; did you mean 'data'?");
  EXPECT_EQ(did_you_mean("zzz", names), "");
}

TEST(Config, QuotedTextIsSafeToPrint) {
  EXPECT_EQ(in_quotes("a'b"), "'a'b'");
  EXPECT_EQ(in_quotes("\x1b[31m\x7f"), "'\\x1b[31m\\x7f'");
  EXPECT_EQ(in_quotes("\xC2\x9B"
                      "31m"),
            "'\\xc2\\x9b31m'");  // U+009B: as ESC [ in one
  EXPECT_EQ(in_quotes("\xC2\xA0\xC3\x9B"), "'\xC2\xA0\xC3\x9B'");
  EXPECT_EQ(in_quotes(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  EXPECT_EQ(in_quotes(std::string(79, 'x') + "\xC3\xA4"), "'" + std::string(79, 'x') + "...'");
}

// FIPS 180-4's own examples, and lengths around the block.
TEST(Config, Sha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(sha256_hex(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256_hex(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256_hex(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

}  // namespace
}  // namespace redux
