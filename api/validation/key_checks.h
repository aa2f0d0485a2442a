#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/validation/problem.h"
#include "storage/model/attribute_value.h"
#include "storage/model/packed_strings.h"
#include "storage/model/table_schema.h"

// Checks of keys and key attributes against a table's key schema (captured facts, "Envelope cheat
// sheet"). The functions that begin with "check" throw ValidationException; those that return a
// Problem do not.
namespace magneto::api {

// Converts a Key of GetItem, UpdateItem, DeleteItem and their batch members to storage's form. It
// must have exactly the key attributes, with the schema's types, and neither empty nor too long.
// With a problem `item_key` does not change.
[[nodiscard]] Problem read_item_key(const storage::TableSchema& table, storage::ItemView key,
                                    std::string& item_key);
// The same for one key and for several, but they throw ValidationException.
std::string checked_item_key(const storage::TableSchema& table, storage::ItemView key);
storage::PackedStrings checked_item_keys(const storage::TableSchema& table,
                                         std::span<const storage::ItemView> keys);

// AWS's text for an item whose table key is missing or of another type: PutItem names the
// attribute, BatchWriteItem does not (captured facts, "BatchWriteItem").
enum class ItemKeyWording { kNamesAttribute, kSchemaMismatch };

// Check a whole item: its table key as above, and the attributes that are keys of indexes.
[[nodiscard]] Problem find_item_keys_problem(const storage::TableSchema& table,
                                             storage::ItemView item, ItemKeyWording wording);
void check_item_keys(const storage::TableSchema& table, storage::ItemView item,
                     ItemKeyWording wording);

// Checks only the keys of indexes. No write leaves an item with a value that an index's key cannot
// have, not even one from before the index (captured facts 2, "Indexes and back-fill").
void check_index_keys(const storage::TableSchema& table, storage::ItemView item);

// Checks one key value: not empty (S, B) and within the size limits.
void check_key_value(std::string_view attribute, storage::AttributeView value, bool is_partition);

// Refuse expressions that look into key attributes of the table or of an index ("pk.a", "pk[0]").
// `nested_attributes` are as in the expressions.
[[nodiscard]] Problem find_nested_key_problem(const storage::TableSchema& table,
                                              std::span<const std::string_view> nested_attributes);
void check_keys_are_scalars(const storage::TableSchema& table,
                            std::span<const std::string_view> nested_attributes);

// The rule that a value breaks, for an attribute that is a key of some index.
struct IndexKeyProblem {
  enum class Kind { kNone, kWrongType, kEmptyString, kEmptyBinary, kTooLong };
  Kind kind = Kind::kNone;
  const storage::IndexSchema* index = nullptr;  // the alphabetically first one with the attribute
  const storage::KeyAttribute* attribute = nullptr;
  bool is_partition = false;
};
IndexKeyProblem index_key_problem(const storage::TableSchema& table, std::string_view attribute,
                                  storage::AttributeView value);

// The problem in the texts of PutItem and batch puts.
[[nodiscard]] Problem find_index_key_value_problem(const storage::TableSchema& table,
                                                   std::string_view attribute,
                                                   storage::AttributeView value);
void check_index_key_value(const storage::TableSchema& table, std::string_view attribute,
                           storage::AttributeView value);

}  // namespace magneto::api
