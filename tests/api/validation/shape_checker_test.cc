#include "api/validation/shape_checker.h"

#include <gtest/gtest.h>

#include "api/error.h"
#include "api/operation.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {
namespace {

// Returns the error of the check, or "" ("older" for a request that the older layer reads).
std::string check(std::string text, const Shape& shape) {
  json::Document document;
  const auto body = document.parse(text);
  if (!body) return "not JSON";
  try {
    return check_request(*body, shape).layer == json::Layer::kOlder ? "older" : "";
  } catch (const ApiError& error) {
    return (error.type() == ErrorType::kSerialization ? "S: " : "") + error.message();
  }
}

const Shape& input_of(std::string_view operation) { return find_operation(operation)->input; }
const Shape& kPut = input_of("PutItem");
const Shape& kUpdate = input_of("UpdateItem");

constexpr std::string_view kRange = "failed to satisfy constraint: Member must have length ";

// Captured facts, "PutItem".
TEST(ShapeChecker, ReportsTheCurrentLayersWords) {
  EXPECT_EQ(check(R"({"TableName":"","Item":{},"ReturnValues":"INVALID"})", kPut),
            "1 validation error detected: Value at 'TableName' " + std::string(kRange) +
                "greater than or equal to 1");
  EXPECT_EQ(
      check(R"({"TableName":"tab","Item":{},"ReturnConsumedCapacity":"INVALID",
                      "ReturnValues":"INVALID","ReturnItemCollectionMetrics":"INVALID"})",
            kPut),
      "3 validation errors detected: Value 'INVALID' at 'returnConsumedCapacity' failed to "
      "satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Failed "
      "to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
      "ALL_NEW, UPDATE_NEW, NONE]; Value 'INVALID' at 'returnItemCollectionMetrics' failed to "
      "satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]");
  EXPECT_EQ(check(R"({"TableName":"bad table!@#","Item":{}})", kPut),
            "1 validation error detected: Value 'bad table!@#' at 'tableName' failed to satisfy "
            "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

// Captured facts, "UpdateItem", "Validation ordering", and captured facts 3, U2 and U3.
TEST(ShapeChecker, FallsBackToTheOlderLayer) {
  EXPECT_EQ(check(R"({"TableName":""})", kUpdate),
            "2 validation errors detected: Value '' at 'tableName' " + std::string(kRange) +
                "greater than or equal to 1; Value null at 'key' failed to satisfy constraint: "
                "Member must not be null");
  EXPECT_EQ(check(R"({"ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID",
                      "TableName":"tab","Key":{}})",
                  kUpdate),
            "1 validation error detected: Failed to satisfy constraint: Member must satisfy enum "
            "value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]");
  EXPECT_EQ(
      check(R"({"ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID",
                      "TableName":""})",
            kUpdate),
      "4 validation errors detected: Value 'INVALID' at 'returnConsumedCapacity' failed to "
      "satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '' "
      "at 'tableName' " +
          std::string(kRange) +
          "greater than or equal to 1; Value 'INVALID' at 'returnValues' failed to satisfy "
          "constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, "
          "UPDATED_NEW]; Value null at 'key' failed to satisfy constraint: Member must not be null");
}

TEST(ShapeChecker, ChecksAttributeValuesAtEveryDepth) {
  const auto item = [](std::string_view value) {
    return R"({"TableName":"tab","Item":{"a":)" + std::string(value) + "}}";
  };
  EXPECT_EQ(check(item(R"({"M":{"a":{"L":[{"BS":["AAA="]},{"S":"x"}]},"b":{"S":""}}})"), kPut), "");
  EXPECT_EQ(check(item("1"), kPut), "S: Unexpected value type in payload");
  EXPECT_EQ(
      check(item("[]"), kPut),
      "S: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
  EXPECT_EQ(check(item(R"({"N":1})"), kPut), "S: NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(check(item(R"({"B":"23456"})"), kPut),
            "S: Base64 encoded length is expected a multiple of 4 bytes but found: 5");
  EXPECT_EQ(check(item(R"({"B":"+/+="})"), kPut),
            "S: Invalid last non-pad Base64 character dectected");
  EXPECT_EQ(check(item(R"({"B":1})"), kPut),
            "S: only base-64-encoded strings are convertible to bytes");
  EXPECT_EQ(check(item(R"({"L":[{"SS":"x"}]})"), kPut), "S: Unexpected field type");
  EXPECT_EQ(check(item(R"({"M":{"a":{"L":[1]}}})"), kPut), "S: Unexpected value type in payload");
  EXPECT_EQ(check(item(R"({"M":[]})"), kPut),
            "S: Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_EQ(check(item(R"({"Other":1,"S":"x"})"), kPut), "");
}

// After the check, a structure has only members that its shape knows. The keys of maps and the
// types of values are unchanged.
TEST(ShapeChecker, DropsWhatTheShapeDoesNotKnow) {
  std::string text = R"({"Other":[1],"TableName":"t","Key":{"Other":{"S":"x","Other":true}},
      "Expected":{"Other":{"Exists":true,"Other":{"S":"x"},"Value":{"M":{"Other":{"N":"1"}}}}},
      "UpdateExpression":true,"Key":null,"Other":"x"})";
  json::Document document;
  const auto body = document.parse(text);
  ASSERT_TRUE(body);
  static constexpr MemberShape kMembers[] = {
      kItemTableName, {"Key", &kAttributeMapShape}, kExpected};
  static constexpr Shape kShape = older_request(kMembers);
  check_request(*body, kShape);
  std::string seen;
  json::append_compact(*body, seen);
  EXPECT_EQ(
      seen,
      R"({"TableName":"t","Key":{"Other":{"S":"x","Other":true}},)"
      R"("Expected":{"Other":{"Exists":true,"Value":{"M":{"Other":{"N":"1"}}}}},"Key":null})");
}

TEST(ShapeChecker, RefusesWhatMagnetoDoesNotHave) {
  static constexpr MemberShape kMembers[] = {
      kItemTableName, {"First", &kUnsupportedShape}, {"Second", &kUnsupportedShape}};
  static constexpr Shape kShape = older_request(kMembers);
  const std::string refusal =
      "One or more parameter values were invalid: Magneto does not support ";
  EXPECT_EQ(check(R"({"TableName":"t","Second":[],"First":{"a":1}})", kShape), refusal + "First");
  EXPECT_EQ(check(R"({"TableName":"t","Second":false})", kShape), refusal + "Second");
  EXPECT_EQ(check(R"({"TableName":"t","First":null})", kShape), "");
  EXPECT_EQ(check(R"({"TableName":"t","First":1,"First":null})", kShape), "");
  EXPECT_NE(check(R"({"First":1})", kShape),
            refusal + "First");  // missing members come first
}

// Captured facts, "BatchGetItem" and "BatchWriteItem".
constexpr Shape kKeysShape = with_range(list_shape(kAttributeMapShape), 1, 2);
constexpr MemberShape kKeysMembers[] = {
    {"Keys", &kKeysShape, Required::kYes, Wording::kCurrentRange}};
constexpr Shape kKeysAndAttributes = structure_shape("KeysAndAttributes", kKeysMembers);
constexpr Shape make_request_map() {
  Shape shape = with_min(map_shape(kKeysAndAttributes), 1);
  shape.key = &kResourceNameShape;
  shape.echo = Echo::kJson;
  return shape;
}
constexpr Shape kGetMap = make_request_map();
constexpr MemberShape kGetMembers[] = {
    {"RequestItems", &kGetMap, Required::kYes, Wording::kCurrentMinimum}, kReturnConsumedCapacity};
constexpr Shape kBatchGet = current_request(kGetMembers);

TEST(ShapeChecker, ChecksMaps) {
  EXPECT_EQ(check(R"({"RequestItems":{"t-1":{"Keys":[{},{}]}}})", kBatchGet), "");
  EXPECT_EQ(check(R"({"RequestItems":{}})", kBatchGet),
            "1 validation error detected: Value at 'RequestItems' " + std::string(kRange) +
                "greater than or equal to 1");
  EXPECT_EQ(check(R"({"RequestItems":{"t-1":{"Keys":[{},{},{}]}}})", kBatchGet),
            "1 validation error detected: Value at 'RequestItems.t-1.member.Keys' " +
                std::string(kRange) + "less than or equal to 2");
  EXPECT_EQ(
      check(
          R"({"ReturnConsumedCapacity":"B","RequestItems":{"bad!name":{"Keys":[{"a":{"S":"x"}}]}}})",
          kBatchGet),
      R"(2 validation errors detected: Value '{"bad!name":{"Keys":[{"a":{"S":"x"}}]}}' at )"
      "'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must "
      "have length less than or equal to 255, Member must have length greater than or equal to 3, "
      "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]; Value 'B' at "
      "'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: "
      "[INDEXES, TOTAL, NONE]");
  EXPECT_EQ(check(R"({"RequestItems":{"t-1":{"Keys":[1]}}})", kBatchGet).substr(0, 60),
            "S: class sun.reflect.generics.reflectiveObjects.Parameterize");
}

constexpr Shape kListMapElement = with_range(list_shape(kStringShape), 1, 2);
constexpr Shape kShortKey = with_range(kStringShape, 1, 2);
constexpr Shape kListsByKey{.kind = Kind::kMap, .element = &kListMapElement, .key = &kShortKey};
constexpr MemberShape kKeysLastMembers[] = {
    {"Lists", &kListsByKey, Required::kNo, Wording::kKeysLast}, kReturnConsumedCapacity};
constexpr Shape kKeysLast = older_request(kKeysLastMembers);

// Captured facts 3, B2.
TEST(ShapeChecker, HidesKeysBehindOtherProblems) {
  const std::string keys =
      "1 validation error detected: Value '{long=[x]}' at 'lists' failed to satisfy constraint: "
      "Map keys must satisfy constraint: [Member must have length less than or equal to 2, Member "
      "must have length greater than or equal to 1]";
  const std::string values =
      "Value '{long=[]}' at 'lists' failed to satisfy constraint: Map value must satisfy "
      "constraint: [Member must have length less than or equal to 2, Member must have length "
      "greater than or equal to 1]";
  const std::string capacity =
      "Value 'B' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
      "enum value set: [INDEXES, TOTAL, NONE]";
  EXPECT_EQ(check(R"({"Lists":{"long":["x"]}})", kKeysLast), keys);
  EXPECT_EQ(check(R"({"Lists":{"long":["x"]},"ReturnConsumedCapacity":"B"})", kKeysLast),
            "1 validation error detected: " + capacity);
  EXPECT_EQ(check(R"({"Lists":{"long":[]}})", kKeysLast), "1 validation error detected: " + values);
  EXPECT_EQ(check(R"({"Lists":{"long":[]},"ReturnConsumedCapacity":"B"})", kKeysLast),
            "2 validation errors detected: " + values + "; " + capacity);
}

TEST(ShapeChecker, CountsUtf16Units) {
  static constexpr Shape kText = with_range(kStringShape, 2, 3);
  static constexpr MemberShape kMembers[] = {{"T", &kText}};
  static constexpr Shape kShape = older_request(kMembers);
  EXPECT_EQ(check(R"({"T":"éé"})", kShape), "");
  EXPECT_EQ(check(R"({"T":"😀"})", kShape), "");
  EXPECT_NE(check(R"({"T":"😀😀"})", kShape), "");
  EXPECT_NE(check(R"({"T":"é"})", kShape), "");
}

TEST(ShapeChecker, AcceptsAnArnForATableName) {
  EXPECT_EQ(
      check(R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/t","Item":{}})", kPut),
      "");
}

TEST(ShapeChecker, CutsLongEchoes) {
  const std::string name(200'000, 'a');
  const std::string message = check(R"({"TableName":")" + name + R"(","Item":{}})", kPut);
  EXPECT_LT(message.size(), 70'000u);
  EXPECT_NE(message.find("less than or equal to 255"), std::string::npos);
}

TEST(ShapeChecker, LikeDynamoDbLocalItTakesDigitsForANumber) {
  static constexpr MemberShape kMembers[] = {{"Limit", &kPageLimitShape}};
  static constexpr Shape kShape = current_request(kMembers);
  const auto check_like = [](std::string text, Profile profile) -> std::string {
    json::Document document;
    const auto body = document.parse(text);
    try {
      check_request(*body, kShape, profile);
      return std::to_string(body->object().find("Limit").truncated());
    } catch (const ApiError& error) {
      return error.message();
    }
  };
  EXPECT_EQ(check_like(R"({"Limit":"12"})", Profile::kDynamoDbLocal), "12");
  EXPECT_NE(check_like(R"({"Limit":"0"})", Profile::kDynamoDbLocal).find("'limit' failed"),
            std::string::npos);
  EXPECT_NE(check_like(R"({"Limit":"-1"})", Profile::kDynamoDbLocal).find("'limit' failed"),
            std::string::npos);
  for (const char* const text : {"", "x", "1.5", "1 ", "+1", "--1", "1234567890123456789", "-"}) {
    EXPECT_EQ(check_like(R"({"Limit":")" + std::string(text) + R"("})", Profile::kDynamoDbLocal),
              "STRING_VALUE cannot be converted to Integer");
  }
  EXPECT_EQ(check_like(R"({"Limit":"12"})", Profile::kAws),
            "STRING_VALUE cannot be converted to Integer");
}

}  // namespace
}  // namespace magneto::api
