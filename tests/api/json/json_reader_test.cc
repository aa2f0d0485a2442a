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

// Every accessor returns nothing for a value of another kind.
void expect_nothing(Value value, std::string_view what) {
  SCOPED_TRACE(what);
  if (!value.is_string()) {
    EXPECT_EQ(value.string(), "");
  }
  if (value.type() != Type::kBoolean && !value.is_string()) {
    EXPECT_FALSE(value.boolean());
  }
  if (value.type() != Type::kNumber) {
    EXPECT_FALSE(value.is_whole());
    EXPECT_EQ(value.integer(), std::nullopt);
    EXPECT_EQ(value.truncated(), 0);
    EXPECT_EQ(value.number(), 0);
  }
  if (!value.is_array()) {
    EXPECT_TRUE(value.array().empty());
    EXPECT_EQ(value.array().size(), 0u);
    for (const Value element : value.array()) ADD_FAILURE() << static_cast<int>(element.type());
  }
  if (!value.is_object()) {
    EXPECT_TRUE(value.object().empty());
    EXPECT_EQ(value.object().size(), 0u);
    EXPECT_FALSE(value.object().find("a"));
    for (const Member member : value.object()) ADD_FAILURE() << member.name;
  }
}

TEST(JsonReader, GivesNothingForAValueOfAnotherKind) {
  Document document;
  std::string text =
      R"([null,true,false,5,9223372036854775808,0.5,-1e300,"","TRUE","ab",[],[1,[2]],{},{"a":1}])";
  const auto root = document.parse(text);
  ASSERT_TRUE(root);
  int number = 0;
  for (const Value value : root->array()) expect_nothing(value, std::to_string(number++));
  EXPECT_EQ(number, 14);
  expect_nothing(*root, "the list");
  expect_nothing(Value(), "absent");
  EXPECT_FALSE(Value());
  EXPECT_FALSE(Value().is_null());
  EXPECT_EQ(Value().type(), Type::kNull);
  EXPECT_TRUE(Object().empty());
  EXPECT_FALSE(Object().find(""));
  EXPECT_TRUE(Array().empty());
  EXPECT_EQ(Array().size(), 0u);
}

TEST(JsonReader, DropsAMember) {
  Document document;
  std::string text = R"({"a":{"x":[1,{"y":2}]},"b":1,"":3,"a":true,"c":"z"})";
  const Value root = document.parse(text).value();
  const Object object = root.object();
  for (auto it = object.begin(), stop = object.end(); it != stop; ++it) {
    if ((*it).name == "a") it.drop();
  }
  EXPECT_FALSE(object.find("a"));
  EXPECT_EQ(object.find("b").integer(), 1);
  EXPECT_EQ(object.find("c").string(), "z");
  EXPECT_EQ(object.size(), 5u);  // places; two of them have no name
  std::string shown;
  append_compact(root, shown);
  EXPECT_EQ(shown, R"({"b":1,"":3,"c":"z"})");
}

TEST(JsonReader, RefusesWhatIsNotJson) {
  Document document;
  for (std::string text : {"", " ", "{", "{}x", "{} {}", "nul", "{\"a\":}", "[1,]", "{'a':1}",
                           "\"\xFF\"", "\"\\ud800\"", "\"a\nb\""}) {
    EXPECT_FALSE(document.parse(text)) << text;
  }
  std::string good = "[]";
  EXPECT_TRUE(document.parse(good));
}

// Captured facts 3, R4 and R6.
TEST(JsonReader, CutsWholeNumbersBeyond64Bits) {
  Document document;
  std::string text =
      R"(["\"99999999999999999999999", 99999999999999999999999 ,-9223372036854775809,)"
      R"(18446744073709551616,18446744073709551615,-9223372036854775808,)"
      R"(1.99999999999999999999999,99999999999999999999999e0])";
  const std::size_t size = text.size();
  const auto root = document.parse(text);
  ASSERT_TRUE(root);
  EXPECT_EQ(text.size(), size);
  std::string compact;
  append_compact(*root, compact);
  EXPECT_EQ(compact.substr(0, 29), R"(["\"99999999999999999999999",)");
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  std::vector<std::int64_t> read;
  std::vector<bool> whole;
  for (const Value value : root->array()) {
    if (value.is_string()) continue;
    read.push_back(value.truncated());
    whole.push_back(value.is_whole());
  }
  EXPECT_EQ(read, (std::vector<std::int64_t>{kMost, kLeast, kMost, kMost, kLeast, 2, kMost}));
  EXPECT_EQ(whole, (std::vector<bool>{true, true, true, true, true, false, false}));
  for (std::string bad : {"[99999999999999999999999", "99999999999999999999999x", "[-]", "\"\\"}) {
    EXPECT_FALSE(document.parse(bad)) << bad;
  }
}

TEST(JsonReader, CountsContainers) {
  Document document;
  const auto levels = [&document](std::string text) {
    return container_levels(*document.parse(text));
  };
  EXPECT_EQ(levels("1"), 0u);
  EXPECT_EQ(levels("[]"), 1u);
  EXPECT_EQ(levels(R"({"a":1,"b":[{},"x",1.5],"c":[[null]]})"), 3u);
  EXPECT_EQ(levels(R"([[[{}]],{"a":"[[[["}])"), 4u);
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

TEST(JsonReader, GivesLargeBuffersBack) {
  Document document;
  std::string small = "[1]";
  ASSERT_TRUE(document.parse(small));
  const std::size_t kept = document.capacity();
  EXPECT_GT(kept, 0u);
  document.release_large_buffers();
  EXPECT_EQ(document.capacity(), kept);
  std::string large = "[\"" + std::string(Document::kRetainedCapacity, 'x') + "\"]";
  ASSERT_TRUE(document.parse(large));
  EXPECT_GT(document.capacity(), Document::kRetainedCapacity);
  document.release_large_buffers();
  EXPECT_EQ(document.capacity(), 0u);
  EXPECT_TRUE(document.parse(small));
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
  for (const char* text : {"true", "TRUE", "t", "T", "yes", "Yes", "y", "Y", "1", "false", "FALSE",
                           "f", "F", "no", "nO", "n", "N", "0"}) {
    EXPECT_TRUE(is_boolean_text(text)) << text;
  }
  for (const char* text : {"", "23", "2", "on", "off", "truee", "tr", " true", "true ", "01"}) {
    EXPECT_FALSE(is_boolean_text(text)) << text;
  }
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
