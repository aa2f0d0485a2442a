#include "api/validation/key_checks.h"

#include <string>

#include "api/error.h"
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

constexpr std::string_view kSchemaMismatch = "The provided key element does not match the schema";

[[noreturn]] void fail_too_long(bool is_partition) {
  // "of2048" without a space is AWS's own spelling.
  fail_validation(is_partition
                      ? "One or more parameter values were invalid: Size of hashkey has exceeded "
                        "the maximum size limit of2048 bytes"
                      : "One or more parameter values were invalid: Aggregated size of all range "
                        "keys has exceeded the size limit of 1024 bytes");
}

std::string_view content_word(AttributeType type) {
  return type == AttributeType::kString ? "string" : "binary";
}

void check_key_element(const KeyAttribute& attribute, AttributeView value, bool is_partition) {
  if (!value || value.type() != attribute.type) fail_validation(std::string(kSchemaMismatch));
  check_key_value(attribute.name, value, is_partition);
}

void check_item_element(const KeyAttribute& attribute, ItemView item, bool is_partition,
                        ItemKeyWording wording) {
  const AttributeView value = item.find(attribute.name);
  if (value && value.type() == attribute.type) {
    check_key_value(attribute.name, value, is_partition);
    return;
  }
  if (wording == ItemKeyWording::kSchemaMismatch) fail_validation(std::string(kSchemaMismatch));
  std::string message = "One or more parameter values were invalid: ";
  if (!value) {
    fail_validation(
        message.append("Missing the key ").append(attribute.name).append(" in the item"));
  }
  message.append("Type mismatch for key ").append(attribute.name);
  message.append(" expected: ").append(storage::type_name(attribute.type));
  fail_validation(message.append(" actual: ").append(storage::type_name(value.type())));
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
  fail_validation(
      "One or more parameter values were invalid: Size limit exceeded for Index Key " +
      problem.attribute->name + " Actual Size: " + std::to_string(value.scalar_bytes().size()) +
      " bytes Max Size: " + std::to_string(storage::max_key_value_size(problem.is_partition)) +
      " bytes IndexName: " + problem.index->name);
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

void check_scalars(const KeySchema& key, std::string_view word,
                   std::span<const std::string_view> nested_attributes) {
  for (const std::string_view attribute : nested_attributes) {
    if (!key.contains(attribute)) continue;
    std::string message =
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
        "allowed: ";
    fail_validation(message.append(word).append(": ").append(attribute));
  }
}

}  // namespace

void check_key_value(std::string_view attribute, AttributeView value, bool is_partition) {
  const KeyValueProblem problem = storage::key_value_problem(value, value.type(), is_partition);
  if (problem == KeyValueProblem::kEmpty) {
    std::string message =
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        "contain an empty ";
    message.append(content_word(value.type())).append(" value. Key: ").append(attribute);
    fail_validation(std::move(message));
  }
  if (problem == KeyValueProblem::kTooLong) fail_too_long(is_partition);
}

void check_key(const TableSchema& table, ItemView key) {
  const KeySchema& schema = table.key;
  if (key.size() != schema.attributes().size()) {
    fail_validation(std::string(kSchemaMismatch));
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
  std::string message;
  switch (problem.kind) {
    case Kind::kNone:
      return;
    case Kind::kTooLong:
      fail_index_key_too_long(problem, value);
    case Kind::kWrongType:
      message = "One or more parameter values were invalid: Type mismatch for Index Key ";
      message.append(attribute).append(" Expected: ");
      message.append(storage::type_name(problem.attribute->type)).append(" Actual: ");
      message.append(storage::type_name(value.type())).append(" IndexName: ");
      fail_validation(message.append(problem.index->name));
    case Kind::kEmptyString:
    case Kind::kEmptyBinary:
      message =
          "One or more parameter values are not valid. A value specified for a secondary index key "
          "is not supported. The AttributeValue for a key attribute cannot contain an empty ";
      message.append(content_word(value.type())).append(" value. IndexName: ");
      message.append(problem.index->name).append(", IndexKey: ").append(attribute);
      fail_validation(std::move(message));
  }
}

}  // namespace magneto::api
