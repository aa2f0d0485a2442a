#include "server/system/times.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

namespace magneto::server::system {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)
using std::chrono::microseconds;

TEST(Times, DurationsAreRead) {
  const std::pair<std::string_view, microseconds> durations[] = {
      {"250ms", 250ms}, {"10s", 10s},  {"1h30m", 90min}, {"7d", 168h},
      {"1d12h", 36h},   {"0", 0s},     {"-2s", -2s},     {"-1d1h", -25h},
      {"1.5s", 1500ms}, {"+3m", 3min}, {"100us", 100us}, {"1500ns", 1us},
  };
  for (const auto& [text, duration] : durations) EXPECT_EQ(read_duration(text), duration) << text;
  for (const std::string_view text :
       {"", "5", "soon", "inf", "-inf", "1 s", "--1s", "-+1s", "d", "1.5d", "-", "1dd", "1d-1h",
        "1d+1h", "99999999999999999999d", "200000000d", "1h1d", "0x1s"}) {
    EXPECT_EQ(read_duration(text), std::nullopt) << text;
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
}

}  // namespace
}  // namespace magneto::server::system
