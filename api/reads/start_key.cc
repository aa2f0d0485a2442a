#include "api/reads/start_key.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/key_messages.h"
#include "api/messages/read_messages.h"
#include "api/messages/value_messages.h"
#include "api/validation/key_checks.h"

namespace magneto::api {

using storage::AttributeView;
using storage::ItemView;
using storage::KeyAttribute;
using storage::KeyCondition;
using storage::KeySchema;
using storage::SortOperator;

namespace {

std::size_t key_attribute_count(const ReadTarget& target) {
  const KeySchema& table = target.table->schema.key;
  std::size_t count = table.attributes().size();
  if (target.index == nullptr) return count;
  for (const auto element : target.key().attributes()) {
    if (!table.contains(element.attribute.name)) ++count;
  }
  return count;
}

void check_elements(const std::vector<KeyAttribute>& attributes, bool is_partition,
                    ItemView start) {
  for (const KeyAttribute& attribute : attributes) {
    const AttributeView value = start.find(attribute.name);
    if (!value || value.type() != attribute.type) fail_validation(messages::kInvalidStart);
    check_key_value(attribute.name, value, is_partition);
  }
}

bool has_types(const std::vector<KeyAttribute>& attributes, ItemView start) {
  for (const KeyAttribute& attribute : attributes) {
    const AttributeView value = start.find(attribute.name);
    if (!value || value.type() != attribute.type) return false;
  }
  return true;
}

bool matches_table_key(const ReadTarget& target, ItemView start) {
  const KeySchema& key = target.table->schema.key;
  return has_types(key.partition, start) && has_types(key.sort, start);
}

bool is_equal(const KeyAttribute& attribute, ItemView start, AttributeView value) {
  return start.find(attribute.name) == value;
}

// Key bytes of one type have the same order as their values (storage/model/attribute_value.h).
bool satisfies(const KeyCondition& condition, std::string_view value) {
  const std::string_view low = condition.low ? condition.low.scalar_bytes() : std::string_view();
  switch (condition.sort_operator) {
    case SortOperator::kNone:
      return true;
    case SortOperator::kEqual:
      return value == low;
    case SortOperator::kLess:
      return value < low;
    case SortOperator::kLessOrEqual:
      return value <= low;
    case SortOperator::kGreater:
      return value > low;
    case SortOperator::kGreaterOrEqual:
      return value >= low;
    case SortOperator::kBetween:
      return value >= low && value <= condition.high.scalar_bytes();
    case SortOperator::kBeginsWith:
      return value.starts_with(low);
  }
  return false;
}

bool satisfies_sort(const ReadTarget& target, ItemView start, const KeyCondition& condition) {
  const std::vector<KeyAttribute>& sort = target.key().sort;
  const std::size_t equal = condition.sort_equal.size();
  for (std::size_t i = 0; i < equal; ++i) {
    if (!is_equal(sort[i], start, condition.sort_equal[i])) return false;
  }
  if (condition.sort_operator == SortOperator::kNone) return true;
  return satisfies(condition, start.find(sort[equal].name).scalar_bytes());
}

// The attribute with this name that is a key of the index or of its table; nullptr: none.
const KeyAttribute* find_key(const storage::TableSchema& table, const storage::IndexSchema& index,
                             std::string_view name) {
  for (const KeySchema* key : {&index.key, &table.key}) {
    for (const auto element : key->attributes()) {
      if (element.attribute.name == name) return &element.attribute;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<storage::Item> read_start_key(const Parameters& parameters,
                                            const json::ErrorDialect& dialect, StartKeyUse use) {
  const json::Value given = parameters.value("ExclusiveStartKey");
  if (!given) return std::nullopt;
  try {
    return json::read_item(given, dialect);
  } catch (const ApiError& error) {
    const std::string& problem = error.message();
    const bool names_key =
        problem == messages::kNoType || problem == messages::kSeveralTypes ||
        (problem == messages::kNestedTooDeep && use == StartKeyUse::kScanned && !dialect.current);
    if (!names_key) throw;
    fail_validation(messages::invalid_start_value(problem));
  }
}

void check_start_key_partition(const ReadTarget& target, ItemView start) {
  if (start.size() != key_attribute_count(target)) fail_validation(messages::kInvalidStart);
  check_elements(target.key().partition, true, start);
}

void check_start_key_sort(const ReadTarget& target, ItemView start) {
  check_elements(target.key().sort, false, start);
  if (!matches_table_key(target, start)) fail_validation(messages::kInvalidStart);
}

void check_start_key_within(const ReadTarget& target, ItemView start,
                            const KeyCondition& condition) {
  if (target.is_table_without_sort_key()) fail_validation(messages::kStartOfOneItem);
  const std::vector<KeyAttribute>& partition = target.key().partition;
  const std::size_t last = partition.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (is_equal(partition[i], start, condition.partition[i])) continue;
    fail_validation(messages::kStartBehindOneRow);
  }
  const bool on_sort =
      !condition.sort_equal.empty() || condition.sort_operator != SortOperator::kNone;
  if (on_sort && !satisfies_sort(target, start, condition)) {
    fail_validation(messages::kStartBesideSortCondition);
  }
  if (is_equal(partition[last], start, condition.partition[last])) return;
  fail_validation(on_sort ? messages::kStartBehindOneRow : messages::kStartOutside);
}

// The index is the one that is scanned, or else the first one with the attribute (captured facts 3,
// N14).
void check_start_key_types(const ReadTarget& target, ItemView start, json::Object sent) {
  const storage::TableSchema& table = target.table->schema;
  const bool has_global = std::ranges::any_of(table.indexes, [](const storage::IndexSchema& index) {
    return index.can_be_queried() && index.is_asynchronous();
  });
  if (!has_global) return;
  std::vector<const storage::IndexSchema*> indexes;
  if (target.index != nullptr) indexes.push_back(&target.index->schema);
  for (const storage::IndexSchema& index : table.indexes) {
    if (target.index == nullptr && index.can_be_queried()) indexes.push_back(&index);
  }
  std::ranges::sort(indexes, {}, &storage::IndexSchema::name);
  for (const json::Member member : sent) {
    const AttributeView value = start.find(member.name);
    for (const storage::IndexSchema* const index : indexes) {
      const KeyAttribute* const attribute = find_key(table, *index, member.name);
      if (attribute == nullptr) continue;
      if (value.type() == attribute->type) break;
      fail_validation(messages::index_key_type_mismatch(attribute->name, attribute->type,
                                                        value.type(), index->name));
    }
  }
}

void check_scan_start_key(const ReadTarget& target, ItemView start) {
  if (start.size() != key_attribute_count(target)) fail_validation(messages::kInvalidStart);
  if (target.index != nullptr) {
    check_elements(target.key().partition, true, start);
    check_elements(target.key().sort, false, start);
  }
  if (!matches_table_key(target, start)) fail_validation(messages::kInvalidStart);
}

}  // namespace magneto::api
