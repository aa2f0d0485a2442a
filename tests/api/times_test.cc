#include "api/times.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

namespace magneto::api {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)
using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST(Times, DurationsAreSumsOfNumbersWithUnits) {
  EXPECT_EQ(read_duration("250ms"), 250ms);
  EXPECT_EQ(read_duration("1h30m"), 90min);
  EXPECT_EQ(read_duration("1.5s"), 1500ms);
  EXPECT_EQ(read_duration("7d"), 168h);
  EXPECT_EQ(read_duration("1h1.5d"), 37h);
  EXPECT_EQ(read_duration("0"), nanoseconds(0));
  EXPECT_EQ(read_duration("0s"), nanoseconds(0));
  EXPECT_EQ(read_duration("3us5ns"), nanoseconds(3005));
  EXPECT_EQ(read_duration("1d1h1m1s1ms1us1ns"), nanoseconds(90'061'001'001'001));
}

TEST(Times, DurationsThatCannotBeAreNone) {
  for (const char* const text :
       {"", "1", "s", "-1s", "+1s", "1 s", "1s ", "1y", "1e3s", "inf", "nan", "infs", "nand",
        "1..5s", "s1", "1sm", "99999999999999999999999d", "200000d", "1S"}) {
    EXPECT_FALSE(read_duration(text)) << text;
  }
  EXPECT_FALSE(read_duration(std::string(101, '0') + "s"));
}

TEST(Times, SignedDurationsAreRead) {
  const std::pair<std::string_view, microseconds> durations[] = {
      {"250ms", 250ms}, {"10s", 10s},  {"1h30m", 90min}, {"7d", 168h},
      {"1d12h", 36h},   {"0", 0s},     {"-2s", -2s},     {"-1d1h", -25h},
      {"1.5s", 1500ms}, {"+3m", 3min}, {"100us", 100us}, {"1500ns", 1us},
  };
  for (const auto& [text, duration] : durations)
    EXPECT_EQ(read_signed_duration(text), duration) << text;
  for (const std::string_view text :
       {"", "5", "soon", "inf", "-inf", "1 s", "--1s", "-+1s", "d", "1.5d", "-", "1dd", "1d-1h",
        "1d+1h", "99999999999999999999d", "200000000d", "1h1d", "0x1s"}) {
    EXPECT_EQ(read_signed_duration(text), std::nullopt) << text;
  }
  EXPECT_EQ(duration_text(250ms), "250ms");
  EXPECT_EQ(duration_text(90min), "1h30m");
  EXPECT_EQ(duration_text(-2s), "-2s");
  EXPECT_EQ(duration_text(0s), "0");
}

TEST(Times, TimesAreRead) {
  const auto noon = std::chrono::sys_days(std::chrono::year(2026) / 11 / 23) + 12h;
  EXPECT_EQ(read_time("2026-11-23T12:00:00Z"), noon);
  EXPECT_EQ(read_time("2026-11-23T12:00:00.250Z"), noon + 250ms);
  EXPECT_EQ(read_time("2026-11-23T14:00:00+02:00"), noon);
  for (const std::string_view text : {"", "2026-11-23", "now", "2026-11-23T25:00:00Z",
                                      "2026-11-23T12:00:00", "infinite-future"}) {
    EXPECT_EQ(read_time(text), std::nullopt) << text;
  }
  EXPECT_EQ(time_text(*read_time("9999-12-31T23:59:59Z")), "9999-12-31T23:59:59.000Z");
  EXPECT_EQ(time_text(TimePoint(noon + 1ms)), "2026-11-23T12:00:00.001Z");
  const auto at = [](std::int64_t milliseconds) {
    return time_text(
        std::chrono::system_clock::time_point(std::chrono::milliseconds(milliseconds)));
  };
  EXPECT_EQ(at(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(at(1'795'420'800'123), "2026-11-23T08:00:00.123Z");
}

TEST(Times, SecondsAreOfTheYears1To9999) {
  EXPECT_EQ(seconds_text(1'791'506'510.9), "2026-10-09T00:41:50Z");
  EXPECT_EQ(seconds_text(-0.5), "1969-12-31T23:59:59Z");
  EXPECT_EQ(seconds_text(-1e18), "0001-01-01T00:00:00Z");
  EXPECT_EQ(seconds_text(1e18), "9999-12-31T23:59:59Z");
}

}  // namespace
}  // namespace magneto::api
