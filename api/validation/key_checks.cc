#include "api/validation/key_checks.h"

#include <string>

#include "api/error.h"
#include "api/messages/key_messages.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/key_value.h"

namespace magneto::api {

using storage::AttributeType;
using storage::AttributeView;
using storage::IndexSchema;
using storage::ItemView;
using storage::KeyAttribute;
using storage::KeySchema;
using storage::KeyValueProblem;
using storage::TableSchema;

namespace {

void check_key_element(const KeyAttribute& attribute, AttributeView value, bool is_partition) {
  if (!value || value.type() != attribute.type) fail_validation(messages::kKeyMismatch);
  check_key_value(attribute.name, value, is_partition);
}

void check_item_element(const KeyAttribute& attribute, ItemView item, bool is_partition,
                        ItemKeyWording wording) {
  const AttributeView value = item.find(attribute.name);
  if (value && value.type() == attribute.type) {
    check_key_value(attribute.name, value, is_partition);
    return;
  }
  if (wording == ItemKeyWording::kSchemaMismatch) fail_validation(messages::kKeyMismatch);
  if (!value) fail_validation(messages::missing_key(attribute.name));
  fail_validation(messages::key_type_mismatch(attribute.name, attribute.type, value.type()));
}

IndexKeyProblem::Kind problem_of(const KeyAttribute& attribute, AttributeView value,
                                 bool is_partition) {
  using Kind = IndexKeyProblem::Kind;
  switch (storage::key_value_problem(value, attribute.type, is_partition)) {
    case KeyValueProblem::kNone:
      break;
    case KeyValueProblem::kWrongType:
      return Kind::kWrongType;
    case KeyValueProblem::kEmpty:
      return value.type() == AttributeType::kString ? Kind::kEmptyString : Kind::kEmptyBinary;
    case KeyValueProblem::kTooLong:
      return Kind::kTooLong;
  }
  return Kind::kNone;
}

[[noreturn]] void fail_index_key_too_long(const IndexKeyProblem& problem, AttributeView value) {
  fail_validation(messages::long_index_key(problem.attribute->name, value.scalar_bytes().size(),
                                           storage::max_key_value_size(problem.is_partition),
                                           problem.index->name));
}

void look_for_problem(const IndexSchema& index, std::string_view name, AttributeView value,
                      IndexKeyProblem& found) {
  for (const auto [attribute, is_partition] : index.key.attributes()) {
    if (attribute.name != name) continue;
    const IndexKeyProblem::Kind kind = problem_of(attribute, value, is_partition);
    if (kind == IndexKeyProblem::Kind::kNone) continue;
    if (found.index != nullptr && found.index->name <= index.name) continue;
    found = {kind, &index, &attribute, is_partition};
  }
}

void check_scalars(const KeySchema& key, std::string_view kind,
                   std::span<const std::string_view> nested_attributes) {
  for (const std::string_view attribute : nested_attributes) {
    if (!key.contains(attribute)) continue;
    fail_validation(messages::nested_key(kind, attribute));
  }
}

}  // namespace

void check_key_value(std::string_view attribute, AttributeView value, bool is_partition) {
  const KeyValueProblem problem = storage::key_value_problem(value, value.type(), is_partition);
  if (problem == KeyValueProblem::kEmpty) {
    fail_validation(messages::empty_key_value(value.type(), attribute));
  }
  if (problem == KeyValueProblem::kTooLong) {
    fail_validation(is_partition ? messages::kLongPartitionKey : messages::kLongSortKey);
  }
}

void check_key(const TableSchema& table, ItemView key) {
  const KeySchema& schema = table.key;
  if (key.size() != schema.attributes().size()) {
    fail_validation(messages::kKeyMismatch);
  }
  for (const auto [attribute, is_partition] : schema.attributes()) {
    check_key_element(attribute, key.find(attribute.name), is_partition);
  }
}

std::string checked_item_key(const TableSchema& table, ItemView key) {
  check_key(table, key);
  return storage::item_key(table, key);
}

void check_item_keys(const TableSchema& table, ItemView item, ItemKeyWording wording) {
  for (const auto [attribute, is_partition] : table.key.attributes()) {
    check_item_element(attribute, item, is_partition, wording);
  }
  check_index_keys(table, item);
}

void check_index_keys(const TableSchema& table, ItemView item) {
  for (const IndexSchema& index : table.indexes) {
    for (const auto [attribute, is_partition] : index.key.attributes()) {
      const AttributeView value = item.find(attribute.name);
      if (value && problem_of(attribute, value, is_partition) != IndexKeyProblem::Kind::kNone) {
        check_index_key_value(table, attribute.name, value);
      }
    }
  }
}

void check_keys_are_scalars(const TableSchema& table,
                            std::span<const std::string_view> nested_attributes) {
  if (nested_attributes.empty()) return;
  check_scalars(table.key, "Key", nested_attributes);
  for (const IndexSchema& index : table.indexes) {
    check_scalars(index.key, "IndexKey", nested_attributes);
  }
}

IndexKeyProblem index_key_problem(const TableSchema& table, std::string_view attribute,
                                  AttributeView value) {
  IndexKeyProblem found;
  for (const IndexSchema& index : table.indexes) {
    look_for_problem(index, attribute, value, found);
  }
  return found;
}

void check_index_key_value(const TableSchema& table, std::string_view attribute,
                           AttributeView value) {
  using Kind = IndexKeyProblem::Kind;
  const IndexKeyProblem problem = index_key_problem(table, attribute, value);
  switch (problem.kind) {
    case Kind::kNone:
      return;
    case Kind::kTooLong:
      fail_index_key_too_long(problem, value);
    case Kind::kWrongType:
      fail_validation(messages::index_key_type_mismatch(attribute, problem.attribute->type,
                                                        value.type(), problem.index->name));
    case Kind::kEmptyString:
    case Kind::kEmptyBinary:
      fail_validation(
          messages::empty_index_key_value(value.type(), problem.index->name, attribute));
  }
}

}  // namespace magneto::api
