#include "api/json/attribute_value_json.h"

#include <gtest/gtest.h>

#include "api/error.h"

namespace magneto::api::json {
namespace {

std::string round_trip(std::string text, const ValueLayer& layer = kEnvelopedLayer) {
  Document document;
  const auto value = document.parse(text);
  if (!value) return "not JSON";
  try {
    std::string out;
    append_value(out, read_value(*value, layer));
    return out;
  } catch (const ApiError& error) {
    return error.what();
  }
}

std::string item_round_trip(std::string text) {
  Document document;
  const auto value = document.parse(text);
  if (!value) return "not JSON";
  try {
    std::string out;
    append_item(out, read_item(*value, kBareLayer));
    return out;
  } catch (const ApiError& error) {
    return error.what();
  }
}

TEST(AttributeValueJson, KeepsEveryType) {
  for (const char* text :
       {R"({"S":""})", R"({"S":"a\"b\\\n"})", R"({"N":"-12.5"})", R"({"B":"AAEC/w=="})",
        R"({"B":""})", R"({"BOOL":true})", R"({"BOOL":false})", R"({"NULL":true})", R"({"L":[]})",
        R"({"M":{}})", R"({"L":[{"S":"a"},{"N":"1"},{"L":[]}]})",
        R"({"M":{"a":{"S":"x"},"b":{"M":{"c":{"NULL":true}}}}})"}) {
    EXPECT_EQ(round_trip(text), text);
  }
}

TEST(AttributeValueJson, OrdersSets) {
  EXPECT_EQ(round_trip(R"({"SS":["b","","a"]})"), R"({"SS":["","a","b"]})");
  EXPECT_EQ(round_trip(R"({"NS":["10","9","-1"]})"), R"({"NS":["-1","9","10"]})");
  EXPECT_EQ(round_trip(R"({"BS":["/w==","","AA=="]})"), R"({"BS":["","AA==","/w=="]})");
}

TEST(AttributeValueJson, NormalizesNumbers) {
  EXPECT_EQ(round_trip(R"({"N":"0042.1200"})"), R"({"N":"42.12"})");
  EXPECT_EQ(round_trip(R"({"N":"1e2"})"), R"({"N":"100"})");
}

TEST(AttributeValueJson, TakesTheLastOfANameSentTwice) {
  EXPECT_EQ(round_trip(R"({"S":"a","S":"b"})"), R"({"S":"b"})");
  EXPECT_EQ(item_round_trip(R"({"a":{"S":"1"},"a":{"S":"2"}})"), R"({"a":{"S":"2"}})");
}

TEST(AttributeValueJson, RefusesNoneOrSeveralTypes) {
  const std::string envelope = "1 validation error detected: ";
  const std::string empty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  EXPECT_EQ(round_trip("{}"), envelope + empty);
  EXPECT_EQ(round_trip(R"({"X":"a"})"), envelope + empty);
  EXPECT_EQ(round_trip(R"({"S":null})"), envelope + empty);
  EXPECT_EQ(round_trip("null", kBareLayer), empty);
  EXPECT_EQ(round_trip(R"({"S":"a","N":"1"})", kBareLayer),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
  EXPECT_EQ(round_trip(R"({"S":"a","N":"b"})", kBareLayer),
            "The parameter cannot be converted to a numeric value: b");
}

TEST(AttributeValueJson, RendersDuplicatesByLayer) {
  const std::string invalid = "One or more parameter values were invalid: ";
  EXPECT_EQ(round_trip(R"({"SS":["b","a","b"]})", kBareLayer),
            invalid + R"(Input collection ["a", "b", "b"] contains duplicates.)");
  EXPECT_EQ(round_trip(R"({"SS":["b","a","b"]})", kOlderLayer),
            invalid + "Input collection [b, a, b] contains duplicates.");
  EXPECT_EQ(round_trip(R"({"BS":["/w==","AA==","AA=="]})", kBareLayer),
            invalid + R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)");
  EXPECT_EQ(round_trip(R"({"BS":["/w==","AA==","AA=="]})", kOlderLayer),
            invalid + "Input collection [/w==, AA==, AA==]of type BS contains duplicates.");
  EXPECT_EQ(round_trip(R"({"NS":["2","1","2.0"]})", kBareLayer),
            invalid + "Input collection contains duplicates.");
  EXPECT_EQ(round_trip(R"({"NS":["2","1","2"]})", kOlderLayer),
            "Input collection contains duplicates");
}

TEST(AttributeValueJson, NamesBadNumbersByLayer) {
  EXPECT_EQ(round_trip(R"({"N":""})", kBareLayer),
            "The parameter cannot be converted to a numeric value: ");
  EXPECT_EQ(round_trip(R"({"N":""})", kOlderLayer),
            "The parameter cannot be converted to a numeric value");
  EXPECT_EQ(round_trip(R"({"N":"1e2147483647"})", kBareLayer),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
  EXPECT_EQ(round_trip(R"({"N":"1e2147483647"})", kOlderLayer),
            "Number underflow. Attempting to store a number with magnitude smaller than supported "
            "range");
}

std::string nested(int levels, const std::string& leaf) {
  std::string out;
  for (int i = 1; i < levels; ++i) out += R"({"M":{"a":)";
  out += leaf;
  for (int i = 1; i < levels; ++i) out += "}}";
  return out;
}

TEST(AttributeValueJson, LimitsNesting) {
  const std::string leaf = R"({"S":"x"})";
  EXPECT_EQ(round_trip(nested(32, leaf)), nested(32, leaf));
  const std::string too_deep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  EXPECT_EQ(round_trip(nested(33, leaf), kBareLayer), too_deep);
  EXPECT_EQ(round_trip(nested(400, R"({"N":"x"})"), kBareLayer), too_deep);
}

TEST(AttributeValueJson, EmptyNameOfAnItemComesFirst) {
  const std::string deep = nested(100, R"({"S":"x"})");
  EXPECT_EQ(item_round_trip("{\"a\":" + deep + R"(,"":{"S":"x"}})"), "Empty attribute name");
  EXPECT_NE(item_round_trip("{\"b\":{\"M\":{\"\":{\"S\":\"y\"}}},\"a\":" + deep + "}"),
            "Empty attribute name");
}

}  // namespace
}  // namespace magneto::api::json
