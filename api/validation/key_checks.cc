#include "api/validation/key_checks.h"

#include <string>
#include <vector>

#include "api/messages/key_messages.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/key_value.h"
#include "storage/model/vector_value.h"

namespace magneto::api {

using storage::AttributeType;
using storage::AttributeView;
using storage::IndexSchema;
using storage::ItemKeyValues;
using storage::ItemView;
using storage::KeyAttribute;
using storage::KeySchema;
using storage::KeyValueProblem;
using storage::TableSchema;

namespace {

Problem problem(std::string_view sentence) { return std::string(sentence); }

Problem find_value_problem(std::string_view attribute, AttributeView value, bool is_partition) {
  switch (storage::key_value_problem(value, value.type(), is_partition)) {
    case KeyValueProblem::kNone:
    case KeyValueProblem::kWrongType:
      break;
    case KeyValueProblem::kEmpty:
      return messages::empty_key_value(value.type(), attribute);
    case KeyValueProblem::kTooLong:
      return problem(is_partition ? messages::kLongPartitionKey : messages::kLongSortKey);
  }
  return std::nullopt;
}

// Exactly the key attributes, with the schema's types, not empty, not too long. Without a problem,
// `values` are the key's.
Problem find_key_problem(const KeySchema& schema, ItemView key, ItemKeyValues& values) {
  if (key.size() != schema.attributes().size()) return problem(messages::kKeyMismatch);
  for (const auto [attribute, is_partition] : schema.attributes()) {
    const AttributeView value = key.find(attribute.name);
    if (!value || value.type() != attribute.type) return problem(messages::kKeyMismatch);
    if (Problem found = find_value_problem(attribute.name, value, is_partition)) return found;
    (is_partition ? values.partition : values.sort) = value;
  }
  return std::nullopt;
}

Problem find_item_element_problem(const KeyAttribute& attribute, ItemView item, bool is_partition,
                                  ItemKeyWording wording) {
  const AttributeView value = item.find(attribute.name);
  if (value && value.type() == attribute.type) {
    return find_value_problem(attribute.name, value, is_partition);
  }
  if (wording == ItemKeyWording::kSchemaMismatch) return problem(messages::kKeyMismatch);
  if (!value) return messages::missing_key(attribute.name);
  return messages::key_type_mismatch(attribute.name, attribute.type, value.type());
}

IndexKeyProblem::Kind problem_of(const KeyAttribute& attribute, AttributeView value,
                                 bool is_partition) {
  using Found = IndexKeyProblem::Kind;
  switch (storage::key_value_problem(value, attribute.type, is_partition)) {
    case KeyValueProblem::kNone:
      break;
    case KeyValueProblem::kWrongType:
      return Found::kWrongType;
    case KeyValueProblem::kEmpty:
      return value.type() == AttributeType::kString ? Found::kEmptyString : Found::kEmptyBinary;
    case KeyValueProblem::kTooLong:
      return Found::kTooLong;
  }
  return Found::kNone;
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

Problem find_nested_problem(const KeySchema& key, std::string_view kind,
                            std::span<const std::string_view> nested_attributes) {
  for (const std::string_view attribute : nested_attributes) {
    if (key.contains(attribute)) return messages::nested_key(kind, attribute);
  }
  return std::nullopt;
}

Problem find_vector_problem(const IndexSchema& index, AttributeView value) {
  std::vector<float> vector;
  const storage::VectorCheck check = storage::read_vector(value, index.vector.dimensions, vector);
  const std::string& attribute = index.vector.attribute;
  switch (check.problem) {
    case storage::VectorProblem::kNone:
      break;
    case storage::VectorProblem::kNotAList:
      return messages::no_vector(attribute, index.name);
    case storage::VectorProblem::kWrongSize:
      return messages::vector_size(attribute, index.vector.dimensions, check.size, index.name);
    case storage::VectorProblem::kNotANumber:
    case storage::VectorProblem::kOutOfRange:
      return messages::vector_element(attribute, check.position, check.type, index.name);
  }
  return std::nullopt;
}

// The vector, and the attributes of inline filters, which need no more than their type.
Problem find_vector_index_problem(const IndexSchema& index, ItemView item) {
  for (const auto& [attribute, is_hash] : index.vector.search_schema) {
    const AttributeView value = is_hash ? AttributeView() : item.find(attribute.name);
    if (value && value.type() != attribute.type) {
      return messages::index_key_type_mismatch(attribute.name, attribute.type, value.type(),
                                               index.name);
    }
  }
  const AttributeView value = item.find(index.vector.attribute);
  return value ? find_vector_problem(index, value) : std::nullopt;
}

Problem find_index_keys_problem(const TableSchema& table, ItemView item) {
  for (const IndexSchema& index : table.indexes) {
    if (index.kind == storage::IndexKind::kVector) {
      if (Problem found = find_vector_index_problem(index, item)) return found;
    }
    for (const auto [attribute, is_partition] : index.key.attributes()) {
      const AttributeView value = item.find(attribute.name);
      if (value && problem_of(attribute, value, is_partition) != IndexKeyProblem::Kind::kNone) {
        return find_index_key_value_problem(table, attribute.name, value);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

void check_key_value(std::string_view attribute, AttributeView value, bool is_partition) {
  refuse_if(find_value_problem(attribute, value, is_partition));
}

Problem read_item_key(const TableSchema& table, ItemView key, std::string& item_key) {
  ItemKeyValues values;
  if (Problem found = find_key_problem(table.key, key, values)) return found;
  item_key = storage::item_key(table.number, values);
  return std::nullopt;
}

std::string checked_item_key(const TableSchema& table, ItemView key) {
  ItemKeyValues values;
  refuse_if(find_key_problem(table.key, key, values));
  return storage::item_key(table.number, values);
}

storage::PackedStrings checked_item_keys(const TableSchema& table, std::span<const ItemView> keys) {
  std::vector<ItemKeyValues> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    refuse_if(find_key_problem(table.key, keys[i], values[i]));
  }
  return storage::item_keys(table.number, values);
}

Problem find_item_keys_problem(const TableSchema& table, ItemView item, ItemKeyWording wording) {
  for (const auto [attribute, is_partition] : table.key.attributes()) {
    Problem found = find_item_element_problem(attribute, item, is_partition, wording);
    if (found) return found;
  }
  return find_index_keys_problem(table, item);
}

void check_item_keys(const TableSchema& table, ItemView item, ItemKeyWording wording) {
  refuse_if(find_item_keys_problem(table, item, wording));
}

void check_index_keys(const TableSchema& table, ItemView item) {
  refuse_if(find_index_keys_problem(table, item));
}

Problem find_nested_key_problem(const TableSchema& table,
                                std::span<const std::string_view> nested_attributes) {
  if (nested_attributes.empty()) return std::nullopt;
  if (Problem found = find_nested_problem(table.key, "Key", nested_attributes)) return found;
  for (const IndexSchema& index : table.indexes) {
    if (Problem found = find_nested_problem(index.key, "IndexKey", nested_attributes)) return found;
  }
  return std::nullopt;
}

void check_keys_are_scalars(const TableSchema& table,
                            std::span<const std::string_view> nested_attributes) {
  refuse_if(find_nested_key_problem(table, nested_attributes));
}

IndexKeyProblem index_key_problem(const TableSchema& table, std::string_view attribute,
                                  AttributeView value) {
  IndexKeyProblem found;
  for (const IndexSchema& index : table.indexes) {
    look_for_problem(index, attribute, value, found);
  }
  return found;
}

Problem find_index_key_value_problem(const TableSchema& table, std::string_view attribute,
                                     AttributeView value) {
  using Found = IndexKeyProblem::Kind;
  const IndexKeyProblem found = index_key_problem(table, attribute, value);
  switch (found.kind) {
    case Found::kNone:
      break;
    case Found::kTooLong:
      return messages::long_index_key(found.attribute->name, value.scalar_bytes().size(),
                                      storage::max_key_value_size(found.is_partition),
                                      found.index->name);
    case Found::kWrongType:
      return messages::index_key_type_mismatch(attribute, found.attribute->type, value.type(),
                                               found.index->name);
    case Found::kEmptyString:
    case Found::kEmptyBinary:
      return messages::empty_index_key_value(value.type(), found.index->name, attribute);
  }
  return std::nullopt;
}

void check_index_key_value(const TableSchema& table, std::string_view attribute,
                           AttributeView value) {
  refuse_if(find_index_key_value_problem(table, attribute, value));
}

}  // namespace magneto::api
