#include "api/json/json_reader.h"

#include <gtest/gtest.h>

#include <limits>

namespace magneto::api::json {
namespace {

TEST(JsonReader, WalksEveryType) {
  Document document;
  std::string text = R"({"s":"a\u00e9\n","n":null,"t":true,"f":false,"i":-5,"d":1.5,
      "l":[1,"x",[],{}],"o":{"k":"v"},"e":""})";
  const auto root = document.parse(text);
  ASSERT_TRUE(root);
  const Object object = root->object();
  EXPECT_EQ(object.size(), 9u);
  EXPECT_EQ(object.find("s").string(), "a\xC3\xA9\n");
  EXPECT_TRUE(object.find("n").is_null());
  EXPECT_TRUE(object.find("t").boolean());
  EXPECT_FALSE(object.find("f").boolean());
  EXPECT_EQ(object.find("i").integer(), -5);
  EXPECT_EQ(object.find("d").number(), 1.5);
  EXPECT_FALSE(object.find("d").is_whole());
  EXPECT_EQ(object.find("e").string(), "");
  EXPECT_FALSE(object.find("missing"));
  const Array list = object.find("l").array();
  EXPECT_EQ(list.size(), 4u);
  std::vector<Type> types;
  for (const Value element : list) types.push_back(element.type());
  EXPECT_EQ(types, (std::vector<Type>{Type::kNumber, Type::kString, Type::kArray, Type::kObject}));
  EXPECT_EQ(object.find("o").object().find("k").string(), "v");
}

TEST(JsonReader, KeepsBothOfANameAndFindsTheLast) {
  Document document;
  std::string text = R"({"a":1,"b":[{"a":9}],"a":2})";
  const Object object = document.parse(text)->object();
  EXPECT_EQ(object.find("a").integer(), 2);
  EXPECT_EQ(object.size(), 3u);
}

TEST(JsonReader, TellsNumbersApart) {
  Document document;
  std::string text = "[2147483648,-9223372036854775808,9223372036854775808,1e3,-1.9,1e300]";
  const Array list = document.parse(text)->array();
  std::vector<Value> values;
  for (const Value value : list) values.push_back(value);
  EXPECT_EQ(values[0].integer(), 2'147'483'648);
  EXPECT_EQ(values[1].integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(values[2].integer(), std::nullopt);
  EXPECT_TRUE(values[2].is_whole());
  EXPECT_EQ(values[2].truncated(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(values[3].integer(), std::nullopt);
  EXPECT_EQ(values[3].truncated(), 1000);
  EXPECT_EQ(values[4].truncated(), -1);
  EXPECT_EQ(values[5].truncated(), std::numeric_limits<std::int64_t>::max());
}

TEST(JsonReader, RefusesWhatIsNotJson) {
  Document document;
  for (std::string text : {"", " ", "{", "{}x", "{} {}", "nul", "{\"a\":}", "[1,]", "{'a':1}",
                           "\"\xFF\"", "\"\\ud800\"", "[99999999999999999999999]", "\"a\nb\""}) {
    EXPECT_FALSE(document.parse(text)) << text;
  }
  std::string good = "[]";
  EXPECT_TRUE(document.parse(good));
}

TEST(JsonReader, LimitsDepth) {
  Document document;
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  std::string allowed = nested(Document::kMaxDepth - 1);
  EXPECT_TRUE(document.parse(allowed));
  for (const std::size_t levels : {Document::kMaxDepth + 1, std::size_t{1'000'000}}) {
    std::string deep = nested(levels);
    EXPECT_FALSE(document.parse(deep));
  }
}

TEST(JsonReader, IsReusedForLongAndShortTexts) {
  Document document;
  for (int round = 0; round < 2; ++round) {
    std::string text = "[\"" + std::string(Document::kRetainedCapacity * 3, 'x') + "\"]";
    const auto root = document.parse(text);
    ASSERT_TRUE(root);
    for (const Value element : root->array()) {
      EXPECT_EQ(element.string().size(), Document::kRetainedCapacity * 3);
    }
    std::string small = "[1]";
    EXPECT_EQ(document.parse(small)->array().size(), 1u);
  }
}

TEST(JsonReader, TakesSomeTextsForBooleans) {
  for (const char* text : {"true", "TRUE", "1", "yes", "Yes", "false", "0", "no"}) {
    EXPECT_TRUE(is_boolean_text(text)) << text;
  }
  for (const char* text : {"", "23", "y", "on", "truee"}) EXPECT_FALSE(is_boolean_text(text));
  Document document;
  std::string text = R"(["yes","no"])";
  std::vector<bool> read;
  const auto root = document.parse(text);
  for (const Value value : root->array()) read.push_back(value.boolean());
  EXPECT_EQ(read, (std::vector<bool>{true, false}));
}

TEST(JsonReader, EchoesCompactly) {
  Document document;
  std::string text = R"( { "b" : [ 1 , 2.5 , null ] , "a" : { "x" : "q\"" } , "t" : true } )";
  std::string out;
  append_compact(*document.parse(text), out);
  EXPECT_EQ(out, R"({"b":[1,2.5,null],"a":{"x":"q\""},"t":true})");
}

}  // namespace
}  // namespace magneto::api::json
