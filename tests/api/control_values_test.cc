#include "api/control_values.h"

#include <gtest/gtest.h>

namespace magneto::api {
namespace {

using std::chrono::nanoseconds;

TEST(Durations, AreSumsOfNumbersWithUnits) {
  EXPECT_EQ(parse_duration("250ms"), std::chrono::milliseconds(250));
  EXPECT_EQ(parse_duration("1h30m"), std::chrono::minutes(90));
  EXPECT_EQ(parse_duration("1.5s"), std::chrono::milliseconds(1500));
  EXPECT_EQ(parse_duration("7d"), std::chrono::hours(168));
  EXPECT_EQ(parse_duration("0"), nanoseconds(0));
  EXPECT_EQ(parse_duration("0s"), nanoseconds(0));
  EXPECT_EQ(parse_duration("3us5ns"), nanoseconds(3005));
}

TEST(Durations, ThatCannotBeAreNone) {
  for (const char* const text :
       {"", "1", "s", "-1s", "+1s", "1 s", "1s ", "1y", "1e3s", "inf", "nan", "infs", "nand",
        "1..5s", "s1", "1sm", "99999999999999999999999d", "200000d", "1S"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  EXPECT_FALSE(parse_duration(std::string(101, '0') + "s"));
}

TEST(Durations, AreWrittenAsTheyAreRead) {
  for (const char* const text : {"250ms", "1h30m", "7d", "1d1h1m1s1ms1us1ns", "0s"}) {
    EXPECT_EQ(duration_text(*parse_duration(text)), text);
  }
  EXPECT_EQ(duration_text(std::chrono::milliseconds(1500)), "1s500ms");
}

TEST(Times, AreRfc3339InUtcWithMilliseconds) {
  using std::chrono::system_clock;
  const auto at = [](std::int64_t milliseconds) {
    return time_text(system_clock::time_point(std::chrono::milliseconds(milliseconds)));
  };
  EXPECT_EQ(at(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(at(1'795'420'800'123), "2026-11-23T08:00:00.123Z");
}

}  // namespace
}  // namespace magneto::api
