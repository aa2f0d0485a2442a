#include "expressions/legacy/legacy_update.h"

#include <gtest/gtest.h>

#include "storage/model/value_writer.h"

namespace magneto::expressions {
namespace {

using storage::AttributeType;
using storage::AttributeValue;
using storage::AttributeView;
using storage::Item;

AttributeValue update_number(std::int64_t value) {
  return AttributeValue::number(storage::Number::from_integer(value));
}

AttributeValue set_of(std::vector<std::string_view> members) {
  std::string bytes;
  storage::ValueWriter(bytes).set(AttributeType::kStringSet, std::move(members));
  return AttributeValue(std::move(bytes));
}

AttributeValue list_of(std::initializer_list<std::string_view> elements) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_list();
  for (const std::string_view element : elements) writer.string(element);
  writer.end_list();
  return AttributeValue(std::move(bytes));
}

// {l: ["a"], n: 5, s: {"a", "b"}}
Item update_sample() {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("l");
  writer.value(list_of({"a"}));
  writer.name("n");
  writer.value(update_number(5));
  writer.name("s");
  writer.value(set_of({"a", "b"}));
  writer.end_item();
  return Item(std::move(bytes));
}

// The attribute after one change; absent when it is gone.
AttributeValue after(std::string_view attribute, LegacyAction action, AttributeView value) {
  const LegacyAttributeUpdate update{attribute, action, value};
  const Item item = legacy_update({&update, 1}).apply(update_sample());
  return AttributeValue(item.view().find(attribute));
}

TEST(LegacyUpdate, PutsWholeAttributes) {
  const AttributeValue value = update_number(7);
  EXPECT_EQ(after("n", LegacyAction::kPut, value), value.view());
  EXPECT_EQ(after("a.b", LegacyAction::kPut, value), value.view());
}

TEST(LegacyUpdate, AddsToNumbersSetsAndLists) {
  EXPECT_EQ(after("n", LegacyAction::kAdd, update_number(-2)), update_number(3).view());
  EXPECT_EQ(after("fresh", LegacyAction::kAdd, update_number(2)), update_number(2).view());
  EXPECT_EQ(after("s", LegacyAction::kAdd, set_of({"c"})), set_of({"a", "b", "c"}).view());
  EXPECT_EQ(after("l", LegacyAction::kAdd, list_of({"b"})), list_of({"a", "b"}).view());
  EXPECT_EQ(after("fresh", LegacyAction::kAdd, list_of({"b"})), list_of({"b"}).view());
}

TEST(LegacyUpdate, DeletesAttributesAndMembers) {
  EXPECT_FALSE(after("n", LegacyAction::kDelete, {}));
  EXPECT_EQ(after("s", LegacyAction::kDelete, set_of({"a", "z"})), set_of({"b"}).view());
  EXPECT_FALSE(after("s", LegacyAction::kDelete, set_of({"a", "b"})));
}

TEST(LegacyUpdate, MakesAllChanges) {
  const AttributeValue one = update_number(1);
  const std::vector<LegacyAttributeUpdate> updates = {
      {"n", LegacyAction::kAdd, one.view()},
      {"l", LegacyAction::kDelete, {}},
      {"x", LegacyAction::kPut, one.view()},
  };
  const Update update = legacy_update(updates);
  ASSERT_EQ(update.targets().size(), 3u);
  EXPECT_EQ(update.targets()[1].front().name, "l");
  const Item item = update.apply(update_sample());
  EXPECT_EQ(item.view().find("n"), update_number(6).view());
  EXPECT_FALSE(item.view().find("l"));
  EXPECT_EQ(item.view().find("x"), one.view());
}

}  // namespace
}  // namespace magneto::expressions
