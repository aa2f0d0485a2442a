// A KeyConditionExpression over the sample placeholders. Its range of keys contains the same keys
// as the text matches as a condition.
#include "expressions/key_condition.h"

#include <optional>
#include <string>
#include <vector>

#include "expressions/condition.h"
#include "expressions/placeholders.h"
#include "storage/encoding/key_encoding.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_values.h"
#include "tests/fuzz/targets.h"
#include "tests/support/literal_values.h"

namespace magneto::fuzz {
namespace {

using expressions::Condition;
using expressions::KeyConditionExpression;
using storage::AttributeType;
using storage::Item;
using storage::KeyAttribute;
using storage::KeySchema;
using testing::b;
using testing::item;
using testing::n;
using testing::s;

constexpr std::uint32_t kKeyTable = 7;
constexpr std::uint16_t kIndex = 1;

const storage::TableSchema& table() {
  static const storage::TableSchema schema = [] {
    storage::TableSchema made;
    made.number = kKeyTable;
    made.key.partition = {{"id", AttributeType::kString}};
    return made;
  }();
  return schema;
}

const std::vector<KeySchema>& schemas() {
  static const KeyAttribute pk{"pk", AttributeType::kString};
  static const KeyAttribute pn{"pn", AttributeType::kNumber};
  static const KeyAttribute pb{"pb", AttributeType::kBinary};
  static const KeyAttribute sort_s{"s", AttributeType::kString};
  static const KeyAttribute sort_n{"n", AttributeType::kNumber};
  static const KeyAttribute sort_b{"b", AttributeType::kBinary};
  static const std::vector<KeySchema> all = {
      {{pk}, {}},       {{pk}, {sort_s}}, {{pk}, {sort_n}},
      {{pb}, {sort_b}}, {{pn}, {sort_s}}, {{pk, pn}, {sort_s, sort_n}},
  };
  return all;
}

const std::vector<Item>& items() {
  static const std::vector<Item> all = [] {
    std::vector<Item> made;
    for (const char* pk : {"a", "ab"}) {
      for (const char* pn : {"1", "10"}) {
        for (const char* text : {"a", "ab", "b"}) {
          for (const char* number : {"-1.5", "0", "1", "10", "1E125"}) {
            const std::string_view bytes = *number == '-' ? std::string_view("a\0", 2) : text;
            made.push_back(item({{"id", s(number)},
                                 {"pk", s(pk)},
                                 {"pn", n(pn)},
                                 {"pb", b(pk)},
                                 {"s", s(text)},
                                 {"n", n(number)},
                                 {"b", b(bytes)}}));
          }
        }
      }
    }
    return made;
  }();
  return all;
}

bool holds(const storage::KeyRange& range, std::string_view key) {
  return range.lower <= key && key < range.upper;
}

void check_ranges(const KeySchema& key, const storage::KeyCondition& condition,
                  const Condition& filter) {
  storage::IndexSchema index;
  index.number = kIndex;
  index.kind = storage::IndexKind::kGlobal;
  index.key = key;
  const auto index_range = storage::key_range(kKeyTable, kIndex, condition);
  const bool is_table_key = key.partition.size() == 1 && key.sort.size() <= 1;
  const auto table_range =
      is_table_key ? storage::key_range(kKeyTable, 0, condition) : storage::KeyRange();
  for (const Item& candidate : items()) {
    const storage::ItemView view = candidate;
    const bool matches = filter.matches(view);
    const auto entry = storage::index_key(table(), index, view);
    require(entry.has_value(), "every item is in the index");
    require(holds(index_range, *entry) == matches, "the range of an index is the condition",
            testing::show(view));
    if (!is_table_key) continue;
    const auto sort =
        key.sort.empty() ? storage::AttributeView() : view.find(key.sort.front().name);
    const std::string item_key =
        storage::item_key(kKeyTable, {view.find(key.partition.front().name), sort});
    require(holds(table_range, item_key) == matches, "the range of a table is the condition",
            testing::show(view));
  }
}

}  // namespace

void fuzz_key_condition(std::string_view input) {
  expressions::Placeholders placeholders;
  add_sample_placeholders(placeholders);
  std::optional<KeyConditionExpression> expression;
  try {
    expression = KeyConditionExpression::parse(input, placeholders);
    expression->check_form();
  } catch (const expressions::ExpressionError&) {
    return;
  }
  const Condition filter = Condition::parse(input, placeholders);
  for (const KeySchema& key : schemas()) {
    try {
      check_ranges(key, expression->against(key), filter);
    } catch (const expressions::ExpressionError&) {
      continue;
    }
  }
}

}  // namespace magneto::fuzz
