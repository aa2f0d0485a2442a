#include "server/client/endpoint/endpoint.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "server/client/endpoint/retry_delays.h"

namespace magneto::server::client {
namespace {

TEST(Outcome, ReadsTypeAndTextOfErrors) {
  const Outcome missing = read_outcome(
      400,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"No"})");
  EXPECT_EQ(missing.error_type, "ResourceNotFoundException");
  EXPECT_EQ(missing.message, "No");
  EXPECT_FALSE(missing.retryable);
  const Outcome denied = read_outcome(400, R"({"__type":"AccessDeniedException","Message":"M"})");
  EXPECT_EQ(denied.error_type, "AccessDeniedException");
  EXPECT_EQ(denied.message, "M");
  const Outcome well = read_outcome(200, R"({"__type":"x"})");
  EXPECT_TRUE(well.succeeded());
  EXPECT_EQ(well.error_type, "");
}

TEST(Outcome, KnowsWhatPasses) {
  EXPECT_TRUE(read_outcome(400, R"({"__type":"a#ThrottlingException"})").retryable);
  EXPECT_TRUE(
      read_outcome(400, R"({"__type":"ProvisionedThroughputExceededException"})").retryable);
  EXPECT_TRUE(read_outcome(500, R"({"__type":"InternalServerError"})").retryable);
  EXPECT_TRUE(read_outcome(503, "").retryable);
  EXPECT_TRUE(read_outcome(429, "").retryable);
  EXPECT_FALSE(read_outcome(400, R"({"__type":"ValidationException"})").retryable);
}

TEST(Outcome, TakesWhatIsNoJsonAsItIs) {
  const Outcome proxy = read_outcome(502, "<html>Bad Gateway</html>");
  EXPECT_EQ(proxy.error_type, "HTTP 502");
  EXPECT_EQ(proxy.message, "<html>Bad Gateway</html>");
  EXPECT_LE(read_outcome(404, std::string(100'000, 'x')).message.size(), 1'000U);
  for (const char* const body : {"[]", "1", "{\"__type\":1,\"message\":[]}", "", "{"}) {
    EXPECT_EQ(read_outcome(400, body).error_type, "HTTP 400") << body;
  }
}

TEST(Outcome, TakesNoOtherTextForAnAnswer) {
  for (const char* const body : {"<html>log in</html>", "", " ", "null", "[]", R"({"Items":[)"}) {
    const Outcome outcome = read_outcome(200, body);
    EXPECT_FALSE(outcome.succeeded()) << body;
    EXPECT_FALSE(outcome.retryable) << body;
    EXPECT_NE(outcome.reason().find(body), std::string::npos);
  }
  EXPECT_TRUE(read_outcome(200, " {}\n").succeeded());
}

TEST(Outcome, TellsThrottlingFromFaults) {
  EXPECT_TRUE(read_outcome(400, R"({"__type":"a#ThrottlingException"})").throttled);
  EXPECT_TRUE(read_outcome(429, "").throttled);
  EXPECT_FALSE(read_outcome(500, "").throttled);
  EXPECT_EQ(read_outcome(400, R"({"__type":"a#B","message":"c"})").reason(), "B (c)");
  EXPECT_EQ(no_answer("gone", true).reason(), "gone");
}

TEST(ThrottlePatience, LastsFromWhatWasDoneLast) {
  ThrottlePatience none(std::chrono::milliseconds(0));
  EXPECT_FALSE(none.lasts());
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPatience{400};
  ThrottlePatience some(kPatience);
  std::this_thread::sleep_for(kPatience);
  EXPECT_FALSE(some.lasts());
  // Repeated if this thread stood still for that long.
  bool lasts = false;
  for (int i = 0; i < 100 && !lasts; ++i) {
    const Clock::time_point renewed = Clock::now();
    some.renew();
    lasts = some.lasts();
    if (!lasts) {
      EXPECT_GE(Clock::now() - renewed, kPatience);
    }
  }
  EXPECT_TRUE(lasts);
  std::this_thread::sleep_for(kPatience);
  EXPECT_FALSE(some.lasts());
}

TEST(RetryDelays, GrowAndEnd) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    RetryDelays delays(seed);
    std::chrono::milliseconds sum{0};
    int count = 0;
    for (auto longest = RetryDelays::kFirst; const auto delay = delays.next(); longest *= 2) {
      EXPECT_LE(*delay, std::min(longest, RetryDelays::kLongest));
      EXPECT_GE(*delay, std::min(longest, RetryDelays::kLongest) / 5);
      sum += *delay;
      ++count;
    }
    EXPECT_EQ(count, RetryDelays::kMaxAttempts - 1);
    EXPECT_LE(sum, std::chrono::seconds(23));
  }
}

TEST(RetryDelays, WaitBeyondTheLastAttemptForThePatient) {
  RetryDelays delays(1);
  EXPECT_TRUE(delays.wait(false, [] { return false; }));
  EXPECT_FALSE(delays.wait(true, [] { return true; }));
  while (delays.next()) {
  }
  EXPECT_FALSE(delays.wait(false, [] { return false; }));
  int asked = 0;
  EXPECT_FALSE(delays.wait(true, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace magneto::server::client
