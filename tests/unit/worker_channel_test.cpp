#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "worker/channel.hpp"

namespace redux::worker {
namespace {

TEST(WorkerChannel, LinesComeOutAsTheyWentInWhateverTheirLength) {
  auto [here, there] = Channel::pair();
  const std::string big(5'000'000, 'x');  // more than a socket holds
  std::thread sender([&there = there, &big] {
    EXPECT_TRUE(there.send("one"));
    EXPECT_TRUE(there.send(""));
    EXPECT_TRUE(there.send(big));
    EXPECT_TRUE(there.send("last"));
  });
  std::string line;
  for (const std::string& expected :
       {std::string("one"), std::string(), big, std::string("last")}) {
    ASSERT_EQ(here.receive(line, 10), Got::line);
    EXPECT_EQ(line, expected);
  }
  sender.join();
}

TEST(WorkerChannel, AnEndThatIsGoneIsNewsAndNoSignal) {
  std::string line;
  auto ends = Channel::pair();
  { const Channel gone = std::move(ends.second); }
  EXPECT_FALSE(ends.first.send("anybody there?"));
  EXPECT_EQ(ends.first.receive(line, std::nullopt), Got::closed);
}

TEST(WorkerChannel, HalfALineIsNone) {
  auto ends = Channel::pair();
  ASSERT_EQ(::write(ends.second.descriptor(), "half", 4), 4);
  std::string line;
  EXPECT_EQ(ends.first.receive(line, 0.05), Got::late);
  { const Channel gone = std::move(ends.second); }
  EXPECT_EQ(ends.first.receive(line, 10), Got::closed);
}

}  // namespace
}  // namespace redux::worker
