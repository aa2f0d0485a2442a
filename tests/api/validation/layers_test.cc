#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/error.h"
#include "api/operation.h"
#include "api/validation/shape_checker.h"

// Which layer reads a request (captured facts 3, R2, R4, R6, R11), for every operation that can
// move and every place of a value.
namespace magneto::api {
namespace {

// The answer of the check: "current", "older", or the text of the error.
std::string layer_of(std::string_view operation, std::string body) {
  json::Document document;
  const auto input = document.parse(body);
  if (!input) return "not JSON";
  try {
    const CheckedRequest checked = check_request(*input, find_operation(operation)->input);
    return checked.layer == json::Layer::kOlder ? "older" : "current";
  } catch (const ApiError& error) {
    return error.type() == ErrorType::kSerialization ? "S: " + error.message() : error.message();
  }
}

// A place for an attribute value in a request: "@" in the body.
struct Place {
  std::string_view operation;
  std::string_view body;
  std::size_t last_current;  // wraps of the deepest value that the current layer reads
};

constexpr Place kPlaces[] = {
    {"PutItem", R"({"TableName":"tab","Item":{"a":@}})", 62},
    {"PutItem", R"({"TableName":"tab","Item":{},"ExpressionAttributeValues":{":v":@}})", 62},
    {"PutItem", R"({"TableName":"tab","Item":{},"Expected":{"a":{"Value":@}}})", 61},
    {"PutItem", R"({"TableName":"tab","Item":{},"Expected":{"a":{"AttributeValueList":[@]}}})", 61},
    {"UpdateItem", R"({"TableName":"tab","Key":{"a":@}})", 62},
    {"UpdateItem", R"({"TableName":"tab","Key":{},"AttributeUpdates":{"a":{"Value":@}}})", 61},
    {"UpdateItem", R"({"Key":{},"ExpressionAttributeValues":{":v":@},"TableName":"tab"})", 62},
    {"DeleteItem", R"({"TableName":"tab","Key":{"a":@}})", 62},
    {"DeleteItem", R"({"TableName":"tab","Key":{},"ExpressionAttributeValues":{":v":@}})", 62},
    {"DeleteItem", R"({"TableName":"tab","Key":{},"Expected":{"a":{"Value":@}}})", 61},
    {"GetItem", R"({"TableName":"tab","Key":{"b":{"S":"x"},"a":@}})", 62},
    {"Query", R"({"TableName":"tab","ExclusiveStartKey":{"a":@}})", 62},
    {"Query", R"({"TableName":"tab","ExpressionAttributeValues":{":v":@}})", 62},
    {"Query",
     R"({"TableName":"tab","KeyConditions":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[@]}}})",
     61},
    {"Query",
     R"({"TableName":"tab","QueryFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[@]}}})",
     61},
    {"Scan", R"({"TableName":"tab","ExclusiveStartKey":{"a":@}})", 62},
    {"Scan", R"({"TableName":"tab","ExpressionAttributeValues":{":v":@}})", 62},
    {"Scan",
     R"({"TableName":"tab","ScanFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[@]}}})",
     61},
};

std::string with_value(const Place& place, const std::string& value) {
  std::string body(place.body);
  return body.replace(body.find('@'), 1, value);
}

// A value of `levels` maps or lists around a string.
std::string wrapped(std::size_t levels, bool in_maps) {
  std::string value = R"({"S":"x"})";
  for (std::size_t i = 0; i < levels; ++i) {
    value = in_maps ? R"({"M":{"n":)" + value + "}}" : R"({"L":[)" + value + "]}";
  }
  return value;
}

// The value itself, and inside maps and lists.
std::vector<std::string> at_some_depths(const std::string& value) {
  return {value, R"({"M":{"x":{"S":"y"},"n":)" + value + "}}", R"({"L":[)" + value + "]}",
          R"({"L":[{"M":{"a":{"L":[{"S":"z"},)" + value + "]}}}]}"};
}

TEST(Layers, OddValuesMoveARequest) {
  constexpr const char* kOdd[] = {
      R"({})",
      R"({"S":null})",
      R"({"Unknown":1})",
      R"({"S":"a","N":"1"})",
      R"({"S":"a","SS":["b"]})",
      R"({"BOOL":"true"})",
      R"({"BOOL":"N"})",
      R"({"NULL":"yes"})",
      R"({"NULL":"f"})",
      R"({"NULL":false,"S":"a"})",
  };
  constexpr const char* kPlain[] = {
      R"({"S":"a"})",         R"({"S":"a","N":null})", R"({"S":"a","Unknown":{}})",
      R"({"BOOL":true})",     R"({"BOOL":false})",     R"({"NULL":true})",
      R"({"NULL":false})",    R"({"N":"abc"})",        R"({"SS":[]})",
      R"({"SS":["a","a"]})",  R"({"S":"a","S":"b"})",  R"({"M":{}})",
      R"({"L":[],"M":null})",
  };
  for (const Place& place : kPlaces) {
    for (const std::string value : kOdd) {
      for (const std::string& nested : at_some_depths(value)) {
        EXPECT_EQ(layer_of(place.operation, with_value(place, nested)), "older")
            << place.operation << with_value(place, nested);
      }
    }
    for (const std::string value : kPlain) {
      for (const std::string& nested : at_some_depths(value)) {
        EXPECT_EQ(layer_of(place.operation, with_value(place, nested)), "current")
            << place.operation << with_value(place, nested);
      }
    }
  }
}

TEST(Layers, DepthMovesARequest) {
  for (const Place& place : kPlaces) {
    for (const bool in_maps : {true, false}) {
      for (const std::size_t levels :
           {std::size_t{0}, std::size_t{31}, std::size_t{32}, place.last_current}) {
        EXPECT_EQ(layer_of(place.operation, with_value(place, wrapped(levels, in_maps))), "current")
            << place.operation << ' ' << levels;
      }
      for (const std::size_t levels :
           {place.last_current + 1, std::size_t{100}, std::size_t{2'000}}) {
        EXPECT_EQ(layer_of(place.operation, with_value(place, wrapped(levels, in_maps))), "older")
            << place.operation << ' ' << levels;
      }
    }
  }
}

// Nothing inside a value that is too deep counts (R12).
TEST(Layers, NothingCountsInsideADeepValue) {
  const auto deep = [](const std::string& leaf) {
    std::string value = leaf;
    for (int i = 0; i < 40; ++i) value = R"({"M":{"n":)" + value + "}}";
    return value;
  };
  for (const Place& place : kPlaces) {
    for (const char* leaf : {R"({})", R"({"S":"a","N":"1"})", R"({"BOOL":"on"})", R"({"N":1})"}) {
      EXPECT_EQ(layer_of(place.operation, with_value(place, deep(leaf))), "current") << leaf;
    }
  }
}

// Members that no shape has count for the depth, as all of the body does.
TEST(Layers, UnknownMembersCountForTheDepth) {
  const auto body = [](std::size_t levels) {
    return R"({"TableName":"tab","Key":{},"Unknown":)" + std::string(levels, '[') +
           std::string(levels, ']') + "}";
  };
  EXPECT_EQ(layer_of("GetItem", body(126)), "current");
  EXPECT_EQ(layer_of("GetItem", body(127)), "older");
}

TEST(Layers, ReadsBooleans) {
  const std::string kLists = "S: ";
  for (const Place& place : kPlaces) {
    for (const std::string type : {"BOOL", "NULL"}) {
      const auto answer = [&](const std::string& literal) {
        return layer_of(place.operation, with_value(place, "{\"" + type + "\":" + literal + "}"));
      };
      for (const char* text : {"true", "T", "yes", "Y", "1", "False", "f", "NO", "n", "0"}) {
        EXPECT_EQ(answer('"' + std::string(text) + '"'), "older") << text;
      }
      for (const char* text : {"", "on", "2", " true", "true ", "null"}) {
        EXPECT_EQ(answer('"' + std::string(text) + '"'),
                  "S: Unexpected token received from parser");
      }
      for (const char* number : {"1", "0", "-1", "99999999999999999999999"}) {
        EXPECT_EQ(answer(number), "S: NUMBER_VALUE cannot be converted to Boolean") << number;
      }
      for (const char* number : {"1.0", "1e0", "0.5"}) {
        EXPECT_EQ(answer(number), "S: DECIMAL_VALUE cannot be converted to Boolean") << number;
      }
      EXPECT_EQ(answer("{}"), "S: Start of structure or map found where not expected");
      EXPECT_EQ(answer("[]"), "S: ");
    }
  }
}

// The booleans of an operation itself do not move it, but for Exists.
TEST(Layers, ReadsBooleanMembers) {
  const std::string query = R"({"TableName":"tab","ScanIndexForward":)";
  EXPECT_EQ(layer_of("Query", query + "\"f\"}"), "current");
  EXPECT_EQ(layer_of("Query", query + "null}"), "current");
  EXPECT_EQ(layer_of("Query", query + "1}"), "S: NUMBER_VALUE cannot be converted to Boolean");
  for (const char* operation : {"GetItem", "Query", "Scan"}) {
    const std::string read = R"({"TableName":"tab","Key":{},"ConsistentRead":)";
    EXPECT_EQ(layer_of(operation, read + "\"t\"}"), "current");
    EXPECT_EQ(layer_of(operation, read + "\"on\"}"), "S: Unexpected token received from parser");
    EXPECT_EQ(layer_of(operation, read + "[]}"), "S: ");
  }
  for (const char* operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    const std::string write = R"({"TableName":"tab","Key":{},"Item":{},"Expected":{"a":{"Exists":)";
    EXPECT_EQ(layer_of(operation, write + "\"no\"}}}"), "older");
    EXPECT_EQ(layer_of(operation, write + "false}}}"), "current");
    EXPECT_EQ(layer_of(operation, write + "[]}}}"), "S: ");
  }
}

TEST(Layers, CutIntegersMoveARead) {
  for (const char* operation : {"Query", "Scan"}) {
    const auto answer = [operation](const std::string& limit) {
      return layer_of(operation, R"({"TableName":"tab","Limit":)" + limit + "}");
    };
    for (const char* limit : {"1", "2147483647", "1.0", "1e2", "null"}) {
      EXPECT_EQ(answer(limit), "current") << limit;
    }
    for (const char* limit : {"1.5", "2147483648", "4294967296", "1e30", "99999999999999999999"}) {
      EXPECT_EQ(answer(limit), "older") << limit;
    }
    for (const char* limit : {"0.5", "-0.5"}) {
      EXPECT_EQ(answer(limit),
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
    }
    EXPECT_EQ(answer("-99999999999"),
              "1 validation error detected: Value '-2147483648' at 'limit' failed to satisfy "
              "constraint: Member must have value greater than or equal to 1");
    for (const char* limit : {"0", "-1", "0.0"}) {
      EXPECT_EQ(answer(limit),
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1")
          << limit;
    }
    EXPECT_EQ(answer("\"1\""), "S: STRING_VALUE cannot be converted to Integer");
  }
  EXPECT_EQ(layer_of("Scan", R"({"TableName":"tab","Segment":99999999999,"TotalSegments":4})"),
            "1 validation error detected: Value '2147483647' at 'segment' failed to satisfy "
            "constraint: Member must have value less than or equal to 999999");
}

TEST(Layers, OtherOperationsMoveByDepthAlone) {
  const auto transaction = [](const std::string& value) {
    return R"({"TransactItems":[{"ConditionCheck":{"TableName":"tab","Key":{},)"
           R"("ConditionExpression":"x","ExpressionAttributeValues":{":v":)" +
           value + "}}}]}";
  };
  EXPECT_EQ(layer_of("TransactWriteItems", transaction(R"({"BOOL":"yes"})")), "current");
  EXPECT_EQ(layer_of("TransactWriteItems", transaction(R"({})")), "current");
  EXPECT_EQ(layer_of("TransactWriteItems", transaction(wrapped(60, true))), "current");
  EXPECT_EQ(layer_of("TransactWriteItems", transaction(wrapped(61, true))), "older");
}

}  // namespace
}  // namespace magneto::api
