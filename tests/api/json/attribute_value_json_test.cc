#include "api/json/attribute_value_json.h"

#include <gtest/gtest.h>

#include "api/error.h"
#include "storage/model/item_size.h"
#include "storage/model/limits.h"

namespace magneto::api::json {
namespace {

std::string round_trip(std::string text, const ErrorDialect& dialect = kCurrentDialect) {
  Document document;
  const auto value = document.parse(text);
  if (!value) return "not JSON";
  try {
    std::string out;
    append_value(out, read_value(*value, dialect));
    return out;
  } catch (const ApiError& error) {
    return error.message();
  }
}

std::string item_round_trip(std::string text) {
  Document document;
  const auto value = document.parse(text);
  if (!value) return "not JSON";
  try {
    std::string out;
    append_item(out, read_item(*value, kBareDialect));
    return out;
  } catch (const ApiError& error) {
    return error.message();
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
  const std::string counted = "1 validation error detected: ";
  const std::string empty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  EXPECT_EQ(round_trip("{}"), counted + empty);
  EXPECT_EQ(round_trip(R"({"X":"a"})"), counted + empty);
  EXPECT_EQ(round_trip(R"({"S":null})"), counted + empty);
  EXPECT_EQ(round_trip("null", kBareDialect), empty);
  EXPECT_EQ(round_trip(R"({"S":"a","N":"1"})", kBareDialect),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
  EXPECT_EQ(round_trip(R"({"S":"a","N":"b"})", kBareDialect),
            "The parameter cannot be converted to a numeric value: b");
}

TEST(AttributeValueJson, RendersDuplicatesByDialect) {
  const std::string invalid = "One or more parameter values were invalid: ";
  EXPECT_EQ(round_trip(R"({"SS":["b","a","b"]})", kBareDialect),
            invalid + R"(Input collection ["a", "b", "b"] contains duplicates.)");
  EXPECT_EQ(round_trip(R"({"SS":["b","a","b"]})", kOlderDialect),
            invalid + "Input collection [b, a, b] contains duplicates.");
  EXPECT_EQ(round_trip(R"({"BS":["/w==","AA==","AA=="]})", kBareDialect),
            invalid + R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)");
  EXPECT_EQ(round_trip(R"({"BS":["/w==","AA==","AA=="]})", kOlderDialect),
            invalid + "Input collection [/w==, AA==, AA==]of type BS contains duplicates.");
  EXPECT_EQ(round_trip(R"({"NS":["2","1","2.0"]})", kBareDialect),
            invalid + "Input collection contains duplicates.");
  EXPECT_EQ(round_trip(R"({"NS":["2","1","2"]})", kOlderDialect),
            "Input collection contains duplicates");
}

TEST(AttributeValueJson, NamesBadNumbersByDialect) {
  EXPECT_EQ(round_trip(R"({"N":""})", kBareDialect),
            "The parameter cannot be converted to a numeric value: ");
  EXPECT_EQ(round_trip(R"({"N":""})", kOlderDialect),
            "The parameter cannot be converted to a numeric value");
  EXPECT_EQ(round_trip(R"({"N":"1e2147483647"})", kBareDialect),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
  EXPECT_EQ(round_trip(R"({"N":"1e2147483647"})", kOlderDialect),
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
  EXPECT_EQ(round_trip(nested(33, leaf), kBareDialect), too_deep);
  EXPECT_EQ(round_trip(nested(400, R"({"N":"x"})"), kBareDialect), too_deep);
}

TEST(AttributeValueJson, EmptyNameOfAnItemComesFirst) {
  const std::string deep = nested(100, R"({"S":"x"})");
  EXPECT_EQ(item_round_trip("{\"a\":" + deep + R"(,"":{"S":"x"}})"), "Empty attribute name");
  EXPECT_NE(item_round_trip("{\"b\":{\"M\":{\"\":{\"S\":\"y\"}}},\"a\":" + deep + "}"),
            "Empty attribute name");
}

std::string set_of(std::string_view type, std::size_t count, std::string_view member,
                   std::string_view last = {}) {
  std::string text = "{\"" + std::string(type) + "\":[";
  for (std::size_t i = 0; i < count; ++i) (text += member) += ',';
  text += last.empty() ? member : last;
  return text + "]}";
}

// The message about duplicates repeats so much of a set.
TEST(AttributeValueJson, CutsOffTheListOfALargeSet) {
  const std::string ending = "] contains duplicates.";
  for (const ErrorDialect& dialect : {kCurrentDialect, kOlderDialect}) {
    for (const char* member : {R"("\u20ac")", R"("a")", R"("\ud83d\ude00")"}) {
      const std::string message = round_trip(set_of("SS", 1'000'000, member), dialect);
      EXPECT_TRUE(message.ends_with(ending)) << message.substr(0, 100);
      EXPECT_GT(message.size(), 65'000U);
      EXPECT_LT(message.size(), 66'000U);
      std::string quoted = "\"" + message + "\"";  // cut off between two characters
      for (std::size_t at = 1; (at = quoted.find('"', at)) + 1 < quoted.size(); ++at) {
        quoted[at] = '_';
      }
      EXPECT_TRUE(Document().parse(quoted));
    }
    const std::string binaries = round_trip(set_of("BS", 1'000'000, "\"AAEC\""), dialect);
    EXPECT_TRUE(binaries.ends_with("]of type BS contains duplicates."));
    EXPECT_LT(binaries.size(), 66'000U);
  }
}

TEST(AttributeValueJson, FindsTheOneRepeatOfALargeSet) {
  std::string members;
  for (int i = 0; i < 400'000; ++i) members += '"' + std::to_string((i * 7) % 400'000) + "\",";
  for (const char* type : {"SS", "NS"}) {
    const std::string distinct =
        "{\"" + std::string(type) + "\":[" + members.substr(0, members.size() - 1) + "]}";
    EXPECT_EQ(round_trip(distinct).substr(0, 7), distinct.substr(0, 7));
    const std::string message =
        round_trip("{\"" + std::string(type) + "\":[" + members + "\"70\"]}");
    EXPECT_NE(message.find("contains duplicates"), std::string::npos) << message.substr(0, 100);
  }
}

// As many members as no item can hold are as good as all of them.
TEST(AttributeValueJson, ReadsNoMoreOfASetThanMakesItTooLarge) {
  std::string members;
  for (int i = 0; i < 600'000; ++i) members += '"' + std::to_string(i) + "\",";
  for (const char* type : {"SS", "NS"}) {
    Document document;
    std::string text = "{\"" + std::string(type) + "\":[" + members + "\"1000000\"]}";
    const auto value = document.parse(text);
    ASSERT_TRUE(value);
    const storage::AttributeValue read = read_value(*value, kCurrentDialect);
    EXPECT_LT(read.view().set().size(), 410'000U);
    EXPECT_GT(storage::value_size(read), storage::kMaxItemSize);
  }
}

}  // namespace
}  // namespace magneto::api::json
