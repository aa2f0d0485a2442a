#include "api/validation/key_checks.h"

#include <gtest/gtest.h>

#include "api/error.h"
#include "storage/model/limits.h"
#include "storage/model/value_writer.h"

namespace magneto::api {
namespace {

using storage::AttributeType;
using storage::AttributeValue;
using storage::IndexSchema;
using storage::Item;
using storage::TableSchema;

Item item_of(std::initializer_list<std::pair<std::string_view, AttributeValue>> attributes) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  for (const auto& [name, value] : attributes) {
    writer.name(name);
    writer.value(value);
  }
  writer.end_item();
  return Item(std::move(bytes));
}

AttributeValue text(std::string_view value) { return AttributeValue::string(value); }
AttributeValue number(std::int64_t value) {
  return AttributeValue::number(storage::Number::from_integer(value));
}

IndexSchema global_index(std::string name, std::string partition, std::string sort) {
  IndexSchema index;
  index.name = std::move(name);
  index.kind = storage::IndexKind::kGlobal;
  index.key.partition = {{std::move(partition), AttributeType::kString}};
  index.key.sort = {{std::move(sort), AttributeType::kBinary}};
  return index;
}

// pk S, sk N; indexes of keys (g1 S, g2 B), listed against the alphabet.
TableSchema table() {
  TableSchema schema;
  schema.name = "books";
  schema.key.partition = {{"pk", AttributeType::kString}};
  schema.key.sort = {{"sk", AttributeType::kNumber}};
  schema.indexes = {global_index("zeta", "g1", "g2"), global_index("alpha", "g1", "g2")};
  return schema;
}

template <typename Check>
std::string message_of(Check check) {
  try {
    check();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.type(), ErrorType::kValidation);
    return error.message();
  }
  return {};
}

std::string key_error(const Item& key) {
  return message_of([&] { checked_item_key(table(), key); });
}

std::string item_error(const Item& item, ItemKeyWording wording = ItemKeyWording::kNamesAttribute) {
  return message_of([&] { check_item_keys(table(), item, wording); });
}

constexpr std::string_view kMismatch = "The provided key element does not match the schema";

TEST(KeyChecks, TakesExactlyTheKeyAttributes) {
  EXPECT_EQ(key_error(item_of({{"pk", text("a")}, {"sk", number(1)}})), "");
  EXPECT_EQ(key_error(item_of({{"pk", text("a")}})), kMismatch);
  EXPECT_EQ(key_error(item_of({{"pk", text("a")}, {"x", number(1)}})), kMismatch);
  EXPECT_EQ(key_error(item_of({{"pk", text("a")}, {"sk", text("1")}})), kMismatch);
  EXPECT_EQ(key_error(item_of({{"pk", text("a")}, {"sk", number(1)}, {"x", number(1)}})),
            kMismatch);
}

TEST(KeyChecks, AnswersWhatIsWrongAndLeavesTheKeyAsItIs) {
  std::string key = "as it was";
  EXPECT_EQ(read_item_key(table(), item_of({{"pk", text("a")}}), key), Problem(kMismatch));
  EXPECT_EQ(key, "as it was");
  const Item sound = item_of({{"pk", text("a")}, {"sk", number(1)}});
  EXPECT_EQ(read_item_key(table(), sound, key), std::nullopt);
  EXPECT_EQ(key, checked_item_key(table(), sound));
}

TEST(KeyChecks, LimitsThePartitionKeyTo2048Bytes) {
  const std::string longest(storage::kMaxPartitionKeySize, 'a');
  EXPECT_EQ(key_error(item_of({{"pk", text(longest)}, {"sk", number(1)}})), "");
  EXPECT_EQ(key_error(item_of({{"pk", text(longest + "a")}, {"sk", number(1)}})),
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
            "size limit of2048 bytes");
}

TEST(KeyChecks, RefusesEmptyKeyValues) {
  EXPECT_EQ(key_error(item_of({{"pk", text("")}, {"sk", number(1)}})),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: pk");
}

TEST(KeyChecks, NamesTheAttributeAnItemLacks) {
  EXPECT_EQ(item_error(item_of({{"pk", text("a")}})),
            "One or more parameter values were invalid: Missing the key sk in the item");
  EXPECT_EQ(item_error(item_of({{"pk", number(1)}, {"sk", number(1)}})),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S "
            "actual: N");
  EXPECT_EQ(item_error(item_of({{"pk", text("a")}}), ItemKeyWording::kSchemaMismatch), kMismatch);
}

TEST(KeyChecks, NamesTheAlphabeticallyFirstIndexOfAWrongValue) {
  EXPECT_EQ(item_error(item_of({{"pk", text("a")}, {"sk", number(1)}, {"g1", number(1)}})),
            "One or more parameter values were invalid: Type mismatch for Index Key g1 Expected: S "
            "Actual: N IndexName: alpha");
  EXPECT_EQ(item_error(item_of({{"pk", text("a")}, {"sk", number(1)}, {"g1", text("")}})),
            "One or more parameter values are not valid. A value specified for a secondary index "
            "key is not supported. The AttributeValue for a key attribute cannot contain an empty "
            "string value. IndexName: alpha, IndexKey: g1");
  EXPECT_EQ(item_error(item_of(
                {{"pk", text("a")}, {"sk", number(1)}, {"g2", AttributeValue::binary("")}})),
            "One or more parameter values are not valid. A value specified for a secondary index "
            "key is not supported. The AttributeValue for a key attribute cannot contain an empty "
            "binary value. IndexName: alpha, IndexKey: g2");
}

TEST(KeyChecks, LimitsIndexKeysByTheirPart) {
  const std::string sort(storage::kMaxSortKeySize + 1, 'a');
  EXPECT_EQ(item_error(item_of({{"pk", text("a")}, {"sk", number(1)}, {"g1", text(sort)}})), "");
  EXPECT_EQ(item_error(item_of(
                {{"pk", text("a")}, {"sk", number(1)}, {"g2", AttributeValue::binary(sort)}})),
            "One or more parameter values were invalid: Size limit exceeded for Index Key g2 "
            "Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: alpha");
}

}  // namespace
}  // namespace magneto::api
