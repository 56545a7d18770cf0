// The line that runs a case again, as a shell and the filter's regex read it.
#include "measure/repro.hpp"

#include <gtest/gtest.h>

namespace redux {
namespace {

TEST(Reproduction, QuotesForTheShellAndEscapesForTheRegex) {
  EXPECT_EQ(quote_for_shell("a b.json"), "'a b.json'");
  EXPECT_EQ(quote_for_shell("it's"), R"('it'\''s')");
  EXPECT_EQ(quote_for_shell(""), "''");
  EXPECT_EQ(quote_for_shell("../a_b-1.json"), "../a_b-1.json");
  EXPECT_EQ(escape_regex("data=my.file(1).npy"), R"(data=my\.file\(1\)\.npy)");
  EXPECT_EQ(escape_regex("argmax/auto/int64/1x8/axis=-1"), "argmax/auto/int64/1x8/axis=-1");
}

}  // namespace
}  // namespace redux
