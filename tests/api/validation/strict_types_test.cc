#include "api/validation/strict_types.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/error.h"
#include "api/operation.h"

namespace magneto::api {
namespace {

// The refusal of a SearchVectors request, after the letter of its type: S or V.
std::string refusal(std::string text) {
  json::Document document;
  const auto body = document.parse(text);
  if (!body) return "not JSON";
  try {
    check_strict_types(*body, text, find_operation("SearchVectors")->input);
  } catch (const ApiError& error) {
    const bool is_serialization = error.type() == ErrorType::kSerialization;
    if (error.member().name.empty()) return (is_serialization ? "S: " : "V: ") + error.message();
    EXPECT_EQ(error.member().name, "message");
    EXPECT_EQ(error.message(), "");
    json::Document message;
    std::string json = error.member().value;
    return "S: " + std::string(message.parse(json)->string());
  }
  return "";
}

struct StrictSample {
  std::string json;
  std::string kind;  // as serde words it
};

bool is_bracket(const StrictSample& sample) { return sample.json == "{}" || sample.json == "[]"; }

const std::vector<StrictSample>& strict_samples() {
  static const std::vector<StrictSample> all = {
      {R"("x")", R"(string "x")"}, {"-7", "integer `-7`"}, {"1.5", "floating point `1.5`"},
      {"true", "boolean `true`"},  {"null", "null"},       {"{}", "map"},
      {"[]", "sequence"}};
  return all;
}

// The text before a value, the expected kind of value, and the samples that are accepted.
struct StrictPlace {
  std::string before;
  std::string expected;
  std::string_view accepted;  // first letters of their kinds
};

const std::vector<StrictPlace>& strict_places() {
  static const std::vector<StrictPlace> all = [] {
    std::vector<StrictPlace> found = {
        {R"({"TableName":)", "a string", "s"},
        {R"({"IndexName" : )", "a string", "s"},
        {R"({"ProjectionExpression":)", "a string", "sn"},
        {R"({"SearchConditionExpression":)", "a string", "sn"},
        {R"({"ReturnConsumedCapacity":)", "a string", "sn"},
        {R"({"TopK":)", "i32", "i"},
        {R"({"SearchVector":)", "a sequence", "q"},
        {R"({"ExpressionAttributeNames":)", "a map", "mn"},
        {R"({"ExpressionAttributeNames":{"#a":"b","#c":)", "a string", "s"},
        {R"({"ExpressionAttributeValues":)", "a map", "mn"},
    };
    const std::vector<std::string> values = {
        R"({"SearchVector":[{"N":"1"},)", R"({"ExpressionAttributeValues":{":u":{"L":[]},":v":)",
        R"({"Else":[1,{"a":{"b":[]}},"]"],"ExpressionAttributeValues":{":v":{"M":{"a":{"L":[)"};
    const std::vector<StrictPlace> contents = {
        {R"({"S":)", "a string", "s"},
        {R"({"N":)", "a string", "s"},
        {R"({"B":)", "a Base64-encoded string", "s"},
        {R"({"BOOL":)", "a boolean", "b"},
        {R"({"NULL":)", "a boolean", "b"},
        {R"({"L":)", "a sequence", "q"},
        {R"({"M":)", "a map", "m"},
        {R"({"SS":)", "a sequence", "q"},
        {R"({"NS":)", "a sequence", "q"},
        {R"({"BS":)", "a sequence", "q"},
        {R"({"SS":["a",)", "a string", "s"},
        {R"({"NS":["1",)", "a string", "s"},
        {R"({"BS":["YQ==",)", "a Base64-encoded string", "s"}};
    for (const std::string& value : values) {
      for (const StrictPlace& content : contents) {
        found.push_back({value + content.before, content.expected, content.accepted});
      }
    }
    return found;
  }();
  return all;
}

char letter_of(const StrictSample& sample) {
  return sample.json == "[]" ? 'q' : sample.kind.front();
}

// Closes all that is open.
std::string closed(std::string text) {
  std::string ends;
  bool is_text = false;
  for (const char c : text) {
    if (c == '"') is_text = !is_text;
    if (is_text) continue;
    if (c == '{') ends.insert(0, "}");
    if (c == '[') ends.insert(0, "]");
    if (c == '}' || c == ']') ends.erase(0, 1);
  }
  return text + ends;
}

TEST(StrictTypes, NamesTheFirstMisfitEverywhere) {
  for (const StrictPlace& place : strict_places()) {
    for (const StrictSample& sample : strict_samples()) {
      const std::string body = closed(place.before + sample.json);
      if (place.accepted.find(letter_of(sample)) != std::string_view::npos) {
        EXPECT_FALSE(refusal(body).starts_with("S: ")) << body;
        continue;
      }
      const std::size_t column =
          place.before.size() + (is_bracket(sample) ? 0 : sample.json.size());
      EXPECT_EQ(refusal(body), "S: invalid type: " + sample.kind + ", expected " + place.expected +
                                   " at line 1 column " + std::to_string(column))
          << body;
    }
  }
}

TEST(StrictTypes, AttributeValuesHaveOneMemberOfAKnownType) {
  constexpr std::string_view kKnown =
      "`B`, `BOOL`, `BS`, `DECIMAL`, `DECIMALSET`, `DOUBLE`, `DOUBLESET`, `INT`, `INTSET`, `L`, "
      "`M`, `N`, `NS`, `NULL`, `S`, `SS`";
  for (const std::string before :
       {R"({"SearchVector":[)", R"({"ExpressionAttributeValues":{":v":)",
        R"({"ExpressionAttributeValues":{":v":{"M":{"a":{"L":[{"S":"b"},)"}) {
    for (const std::string value :
         {"null", "{}", "1", "1.5", "true", "[]", R"("S")", R"({"S":"a","N":"1"})",
          R"({"L":[],"L":[]})", R"({"S":"a","X":null})"}) {
      EXPECT_EQ(refusal(closed(before + value)), "S: ") << before << value;
    }
    const auto unknown = [&](std::string_view value, std::string_view name) {
      EXPECT_EQ(refusal(closed(before + std::string(value))),
                "V: unknown variant `" + std::string(name) + "`, expected one of " +
                    std::string(kKnown) + " at line 1 column " +
                    std::to_string(before.size() + value.find(name) + name.size() + 1));
    };
    unknown(R"("x")", "x");
    unknown(R"({"X":"a"})", "X");
    unknown(R"({"s":1,"S":"a"})", "s");
    for (const std::string type : {"INT", "DECIMALSET"}) {
      const std::string body = closed(before + R"({")" + type + R"(":[{"X":1},null]})");
      EXPECT_TRUE(refusal(body).starts_with("V: missing field")) << refusal(body);
    }
  }
  // A misfit of the first member comes before the second one.
  EXPECT_EQ(refusal(R"({"SearchVector":[{"N":1,"S":"a"}]})"),
            "S: invalid type: integer `1`, expected a string at line 1 column 23");
}

TEST(StrictTypes, ReadsInTheOrderOfTheBody) {
  EXPECT_EQ(refusal("{\"Other\":{\"TopK\":[\"]\"]},\n  \"TopK\":\n\"1\",\"TableName\":5}"),
            "S: invalid type: string \"1\", expected i32 at line 3 column 3");
  EXPECT_EQ(refusal(R"({"TableName":5,"TopK":"1"})"),
            "S: invalid type: integer `5`, expected a string at line 1 column 14");
  EXPECT_EQ(refusal("{ \"a\\\"}\" : [ {\"b\" : 1.5} , \"\\\\\" ] , \"TableName\" : [ ] }"),
            "S: invalid type: sequence, expected a string at line 1 column 50");
}

TEST(StrictTypes, NumbersHave32Bits) {
  for (const char* const most : {"2147483647", "-2147483648"}) {
    EXPECT_TRUE(refusal(std::string(R"({"TopK":)") + most + "}").starts_with("V: missing")) << most;
  }
  EXPECT_EQ(refusal(R"({"TopK":2147483648})"),
            "V: invalid value: integer `2147483648`, expected i32 at line 1 column 18");
  EXPECT_EQ(refusal(R"({"TopK":-2147483649})"),
            "V: invalid value: integer `-2147483649`, expected i32 at line 1 column 19");
}

TEST(StrictTypes, NamesTheMissingMemberThatComesFirst) {
  const std::vector<std::string> members = {R"("IndexName":"i")", R"("SearchVector":[])",
                                            R"("TableName":"t")", R"("TopK":1)"};
  for (unsigned given = 0; given < 16; ++given) {
    std::string body = "{\"Else\":1";
    std::string missing;
    for (unsigned i = 0; i < 4; ++i) {
      const std::string& member = members[i];
      if ((given >> i & 1) != 0) {
        body += ',' + member;
      } else if (missing.empty()) {
        missing = member.substr(1, member.find('"', 1) - 1);
      }
    }
    body += '}';
    const std::string expected =
        "V: missing field `" + missing + "` at line 1 column " + std::to_string(body.size());
    EXPECT_EQ(refusal(body), missing.empty() ? "" : expected);
  }
}

TEST(StrictTypes, FindsForeignTypesAtEveryDepth) {
  const auto is_foreign = [](std::string text) {
    json::Document document;
    return has_foreign_type(*document.parse(text));
  };
  EXPECT_FALSE(is_foreign(R"({"M":{"INT":{"S":"INT"},"a":{"L":[{"SS":["DOUBLE"]}]}}})"));
  EXPECT_TRUE(is_foreign(R"({"M":{"a":{"L":[{"S":"a"},{"DOUBLESET":["1"]}]}}})"));
  EXPECT_TRUE(is_foreign(R"({"DECIMAL":"1"})"));
}

}  // namespace
}  // namespace magneto::api
