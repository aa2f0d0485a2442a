#include "api/reads/start_key.h"

#include <string>
#include <vector>

#include "api/error.h"
#include "api/json/base64.h"
#include "api/messages/key_messages.h"
#include "api/messages/read_messages.h"
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
    if (!value) fail_validation(messages::kInvalidStart);
    if (value.type() != attribute.type) fail_validation(messages::kKeyMismatch);
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

bool is_equal(const std::vector<KeyAttribute>& attributes, ItemView start,
              const std::vector<AttributeView>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (start.find(attributes[i].name) != values[i]) return false;
  }
  return true;
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
  if (!is_equal(sort, start, condition.sort_equal)) return false;
  if (condition.sort_operator == SortOperator::kNone) return true;
  return satisfies(condition, start.find(sort[condition.sort_equal.size()].name).scalar_bytes());
}

// In AWS's form: {p=AttributeValue: {S:text}}. Base64 for binary values is inferred.
std::string key_text(const KeyAttribute& attribute, AttributeView value) {
  std::string text = "{" + attribute.name + "=AttributeValue: {";
  text.append(storage::type_name(attribute.type)).append(":");
  switch (attribute.type) {
    case storage::AttributeType::kNumber:
      value.number().append_decimal(text);
      break;
    case storage::AttributeType::kBinary:
      json::encode_base64(value.scalar_bytes(), text);
      break;
    default:
      text += value.scalar_bytes();
  }
  return text + "}}";
}

}  // namespace

void check_start_key_partition(const ReadTarget& target, ItemView start) {
  if (start.size() != key_attribute_count(target)) fail_validation(messages::kInvalidStart);
  check_elements(target.key().partition, true, start);
}

void check_start_key_sort(const ReadTarget& target, ItemView start) {
  check_elements(target.key().sort, false, start);
  if (!matches_table_key(target, start)) {
    fail_validation(messages::kStartMismatch);
  }
}

void check_start_key_within(const ReadTarget& target, ItemView start,
                            const KeyCondition& condition) {
  if (target.is_table_without_sort_key()) {
    const KeyAttribute& attribute = target.key().partition.front();
    fail_validation(messages::exclusive_start(key_text(attribute, start.find(attribute.name))));
  }
  const bool same_partition = is_equal(target.key().partition, start, condition.partition);
  const bool on_sort =
      !condition.sort_equal.empty() || condition.sort_operator != SortOperator::kNone;
  if (on_sort && !satisfies_sort(target, start, condition)) {
    fail_validation(messages::kStartBesideSortCondition);
  }
  if (same_partition) return;
  fail_validation(on_sort ? messages::kStartBehindOneRow : messages::kStartOutside);
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
