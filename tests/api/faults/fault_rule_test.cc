#include "api/faults/fault_rule.h"

#include <gtest/gtest.h>

#include "api/control_error.h"
#include "api/faults/draws.h"
#include "api/faults/fault_rule_json.h"

namespace magneto::api {
namespace {

FaultRule read(std::string text) {
  json::Document document;
  const auto value = document.parse(text);
  EXPECT_TRUE(value) << text;
  return read_fault_rule(value->object());
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const ControlError& error) {
    EXPECT_EQ(error.status(), 400);
    return error.sentence();
  }
  return "taken";
}

std::string refusal_of_fault(const std::string& fault) {
  return refusal(R"({"fault":)" + fault + "}");
}

TEST(FaultRule, MatchesPatterns) {
  EXPECT_TRUE(matches_pattern("user#1", "user#1"));
  EXPECT_FALSE(matches_pattern("user#12", "user#1"));
  EXPECT_TRUE(matches_pattern("user#12", "user#*"));
  EXPECT_TRUE(matches_pattern("user#", "user#*"));
  EXPECT_FALSE(matches_pattern("user", "user#*"));
  EXPECT_TRUE(matches_pattern("", "*"));
  EXPECT_TRUE(matches_pattern("abcabd", "a*abd"));
  EXPECT_TRUE(matches_pattern("abcbcd", "*b*c*d"));
  EXPECT_FALSE(matches_pattern("abc", "*b*c*b"));
  EXPECT_TRUE(matches_pattern("aaa", "***a"));
  EXPECT_FALSE(matches_pattern("ab", "ab*b"));
  EXPECT_FALSE(matches_pattern("", "a"));
}

TEST(FaultRule, ReadsEveryMember) {
  const FaultRule rule = read(
      R"({"operations":["PutItem","GetItem"],"table":"t","index":"i","key":{"pk":"a*","sk":"b"},)"
      R"("access_key":"AKID","probability":0.25,"seed":7,"skip":2,"count":3,"for":"1m30s",)"
      R"("fault":{"error":"ThrottlingException","message":"slow","status":400,)"
      R"("retry_after":"1s250ms",)"
      R"("reasons":["KeyRangeThroughputExceeded",{"reason":"TableReadAccountLimitExceeded",)"
      R"("resource":"arn:x"}]}})");
  ASSERT_EQ(rule.operations.size(), 2U);
  EXPECT_EQ(rule.operations[1]->name, "GetItem");
  EXPECT_EQ(rule.table, "t");
  EXPECT_EQ(rule.index, "i");
  ASSERT_EQ(rule.key.size(), 2U);
  EXPECT_EQ(rule.key[0].attribute, "pk");
  EXPECT_EQ(rule.key[0].pattern, "a*");
  EXPECT_EQ(rule.access_key, "AKID");
  EXPECT_EQ(rule.probability, 0.25);
  EXPECT_EQ(rule.seed, 7);
  EXPECT_EQ(rule.skip, 2U);
  EXPECT_EQ(rule.count, 3U);
  EXPECT_EQ(rule.lasts, std::chrono::seconds(90));
  const auto& error = std::get<InjectedError>(rule.fault);
  EXPECT_EQ(error.type, ErrorType::kThrottling);
  EXPECT_EQ(error.message, "slow");
  EXPECT_EQ(error.status, 400);
  EXPECT_EQ(error.retry_after, std::chrono::milliseconds(1'250));
  ASSERT_EQ(error.reasons.size(), 2U);
  EXPECT_EQ(error.reasons[1].detail, "arn:x");
}

TEST(FaultRule, ReadsEveryFault) {
  const auto latency = std::get<InjectedLatency>(read(R"({"fault":{"latency":"250ms"}})").fault);
  EXPECT_EQ(latency.low, std::chrono::milliseconds(250));
  EXPECT_EQ(latency.high, latency.low);
  const auto range =
      std::get<InjectedLatency>(read(R"({"fault":{"latency":{"min":"1ms","max":"2s"}}})").fault);
  EXPECT_EQ(range.high, std::chrono::seconds(2));
  EXPECT_FALSE(range.is_lognormal);
  EXPECT_TRUE(
      std::get<InjectedLatency>(read(R"({"fault":{"latency":{"p50":"1ms","p99":"1s"}}})").fault)
          .is_lognormal);
  EXPECT_TRUE(std::get<DroppedConnection>(read(R"({"fault":{"drop":"before"}})").fault).before);
  EXPECT_FALSE(std::get<DroppedConnection>(read(R"({"fault":{"drop":"after"}})").fault).before);
  EXPECT_EQ(std::get<LeftOutMembers>(read(R"({"fault":{"unprocessed":0.5}})").fault).fraction, 0.5);
  EXPECT_EQ(std::get<TruncatedAnswer>(read(R"({"fault":{"truncate":1}})").fault).fraction, 1);
}

TEST(FaultRule, GetsASeedByChance) {
  const std::string text = R"({"fault":{"drop":"after"}})";
  EXPECT_NE(read(text).seed, read(text).seed);
}

TEST(FaultRule, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal(R"({"skip":1,"skip":1,"fault":{"drop":"after"}})"),
            "The member 'skip' occurs twice in the rule.");
  EXPECT_EQ(refusal("{}"), "A rule needs the member 'fault', which says what goes wrong.");
  const std::string fault = R"("fault":{"drop":"after"}})";
  EXPECT_EQ(
      refusal(R"({"tabel":"t",)" + fault),
      "There is no member 'tabel' in the rule. The members are operations, table, index, key, "
      "access_key, probability, seed, skip, count, for, fault.");
  EXPECT_EQ(refusal(R"({"table":7,)" + fault), "'table' must be a string of 1 to 255 bytes.");
  EXPECT_EQ(refusal(R"({"table":null,)" + fault), "'table' must be a string of 1 to 255 bytes.");
  EXPECT_EQ(refusal(R"({"operations":"PutItem",)" + fault),
            "'operations' must be a list of 1 to 100 members.");
  EXPECT_EQ(refusal(R"({"operations":["Put"],)" + fault), "There is no operation 'Put'.");
  EXPECT_EQ(refusal(R"({"operations":[3],)" + fault), "There is no operation ''.");
  EXPECT_EQ(refusal(R"({"key":{},)" + fault),
            "'key' must name one attribute at least, with a pattern each.");
  EXPECT_EQ(refusal(R"({"key":{"pk":1},)" + fault), "'pk' must be a string of 1 to 256 bytes.");
  EXPECT_EQ(refusal(R"({"key":{"pk":")" + std::string(257, 'a') + R"("},)" + fault),
            "'pk' must be a string of 1 to 256 bytes.");
  EXPECT_EQ(refusal(R"({"probability":1.1,)" + fault),
            "'probability' must be a number from 0 to 1.");
  EXPECT_EQ(refusal(R"({"probability":"1",)" + fault),
            "'probability' must be a number from 0 to 1.");
  EXPECT_EQ(refusal(R"({"seed":-1,)" + fault),
            "'seed' must be a whole number from 0 to 9007199254740991.");
  EXPECT_EQ(refusal(R"({"count":0,)" + fault),
            "'count' must be a whole number from 1 to 1000000000000.");
  EXPECT_EQ(refusal(R"({"skip":1.5,)" + fault),
            "'skip' must be a whole number from 0 to 1000000000000.");
  EXPECT_EQ(refusal(R"({"for":"soon",)" + fault),
            R"('for' must be a duration of at most 365d, like "250ms", "10s" or "1h30m".)");
  EXPECT_EQ(refusal(R"({"for":10,)" + fault),
            R"('for' must be a duration of at most 365d, like "250ms", "10s" or "1h30m".)");
}

TEST(FaultRule, RefusesFaultsThatCannotBe) {
  const std::string one_of =
      "Exactly one of error, latency, drop, unprocessed and truncate is expected in 'fault'.";
  EXPECT_EQ(refusal_of_fault("{}"), one_of);
  EXPECT_EQ(refusal_of_fault(R"({"drop":"after","latency":"1s"})"), one_of);
  EXPECT_EQ(refusal_of_fault("null"), "A JSON object is expected for 'fault'.");
  EXPECT_EQ(refusal_of_fault(R"({"error":"Oops"})"),
            R"(There is no error 'Oops': it must be a name that DynamoDB has, like )"
            R"("ThrottlingException".)");
  EXPECT_EQ(refusal_of_fault(R"({"error":"InternalServerError","reasons":["None"]})"),
            "'reasons' does not go with InternalServerError.");
  EXPECT_EQ(refusal_of_fault(R"({"error":"ThrottlingException","reasons":["None"]})"),
            "There is no reason 'None' of this error.");
  EXPECT_EQ(refusal_of_fault(R"({"error":"TransactionCanceledException","reasons":[{}]})"),
            "There is no reason '' of this error.");
  EXPECT_EQ(refusal_of_fault(R"({"error":"ThrottlingException","reasons":[]})"),
            "'reasons' must be a list of 1 to 100 members.");
  EXPECT_EQ(refusal_of_fault(R"({"error":"ThrottlingException","status":200})"),
            "'status' must be a whole number from 400 to 599.");
  EXPECT_EQ(refusal_of_fault(R"({"drop":"after","status":500})"),
            "'status' goes with 'error' alone.");
  EXPECT_EQ(refusal_of_fault(R"({"latency":"1s","retry_after":"1s"})"),
            "'retry_after' goes with 'error' alone.");
  EXPECT_EQ(refusal_of_fault(R"({"error":"ThrottlingException","retry_after":50})"),
            R"('retry_after' must be a duration of at most 15m, like "250ms", "10s" or "1h30m".)");
  EXPECT_EQ(refusal_of_fault(R"({"drop":true})"), R"('drop' must be "before" or "after".)");
  EXPECT_EQ(refusal_of_fault(R"({"latency":"16m"})"),
            R"('latency' must be a duration of at most 15m, like "250ms", "10s" or "1h30m".)");
  EXPECT_EQ(refusal_of_fault(R"({"latency":{"min":"2s","max":"1s"}})"),
            "'min' is more than 'max' in 'latency'.");
  EXPECT_EQ(refusal_of_fault(R"({"latency":{"p50":"0s","p99":"1s"}})"),
            "'p50' must be more than nothing and at most 'p99' in 'latency'.");
  EXPECT_EQ(refusal_of_fault(R"({"latency":{"min":"2s","p99":"1s"}})"),
            "'latency' must be a duration, or an object of 'min' and 'max', or of 'p50' and "
            "'p99'.");
  EXPECT_EQ(refusal_of_fault(R"({"unprocessed":0})"),
            "'unprocessed' must be a number from 1e-06 to 1.");
  EXPECT_EQ(refusal_of_fault(R"({"truncate":2})"), "'truncate' must be a number from 1e-06 to 1.");
  EXPECT_EQ(refusal(R"({"operations":["PutItem"],"fault":{"unprocessed":1}})"),
            "'unprocessed' cannot happen to PutItem.");
  EXPECT_EQ(refusal(R"({"operations":["TransactGetItems","Scan"],)"
                    R"("fault":{"error":"TransactionCanceledException"}})"),
            "TransactionCanceledException cannot happen to Scan.");
  EXPECT_EQ(
      refusal(R"({"table":"t","fault":{"error":"ThrottlingException","message":")" +
              std::string(2'048, 'm') + R"("},"access_key":")" + std::string(255, 'k') + R"("})"),
      "taken");
}

TEST(Draws, DependOnSeedAndRequestAlone) {
  EXPECT_EQ(Draws(1, 5).next(), Draws(1, 5).next());
  EXPECT_NE(Draws(1, 5).next(), Draws(1, 6).next());
  EXPECT_NE(Draws(1, 5).next(), Draws(2, 5).next());
  double sum = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const double part = Draws(42, i).next_part();
    EXPECT_GE(part, 0);
    EXPECT_LT(part, 1);
    sum += part;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

}  // namespace
}  // namespace magneto::api
