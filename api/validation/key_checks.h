#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/validation/problem.h"
#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

// Keys and key attributes held against a table's key schema (captured facts, "Envelope cheat
// sheet"). What begins with "check" throws a ValidationException; what answers a Problem does not.
namespace magneto::api {

// A Key of GetItem, UpdateItem, DeleteItem and their batch members, in storage's form: it has
// exactly the key attributes, with the schema's types, not empty, not too long. With a problem
// `item_key` stays as it is.
[[nodiscard]] Problem read_item_key(const storage::TableSchema& table, storage::ItemView key,
                                    std::string& item_key);
// The same; throws ValidationException.
std::string checked_item_key(const storage::TableSchema& table, storage::ItemView key);

// What AWS says of an item whose table key is missing or of another type: PutItem names the
// attribute, BatchWriteItem does not (captured facts, "BatchWriteItem").
enum class ItemKeyWording { kNamesAttribute, kSchemaMismatch };

// A whole item: its table key as above, and the attributes that are keys of indexes.
[[nodiscard]] Problem find_item_keys_problem(const storage::TableSchema& table,
                                             storage::ItemView item, ItemKeyWording wording);
void check_item_keys(const storage::TableSchema& table, storage::ItemView item,
                     ItemKeyWording wording);

// The latter alone: no write leaves an item with a value that cannot stand in the key of an index,
// not even one that was there before the index (captured facts 2, "Indexes and back-fill").
void check_index_keys(const storage::TableSchema& table, storage::ItemView item);

// One key value: not empty (S, B) and not over the size limits.
void check_key_value(std::string_view attribute, storage::AttributeView value, bool is_partition);

// Refuses expressions that look into key attributes of the table or of an index ("pk.a", "pk[0]");
// `nested_attributes` as the expressions give them.
[[nodiscard]] Problem find_nested_key_problem(const storage::TableSchema& table,
                                              std::span<const std::string_view> nested_attributes);
void check_keys_are_scalars(const storage::TableSchema& table,
                            std::span<const std::string_view> nested_attributes);

// How a value for an attribute that is a key of some index breaks the rules.
struct IndexKeyProblem {
  enum class Kind { kNone, kWrongType, kEmptyString, kEmptyBinary, kTooLong };
  Kind kind = Kind::kNone;
  const storage::IndexSchema* index = nullptr;  // the alphabetically first one using it
  const storage::KeyAttribute* attribute = nullptr;
  bool is_partition = false;
};
IndexKeyProblem index_key_problem(const storage::TableSchema& table, std::string_view attribute,
                                  storage::AttributeView value);

// What PutItem and batch puts answer to it.
[[nodiscard]] Problem find_index_key_value_problem(const storage::TableSchema& table,
                                                   std::string_view attribute,
                                                   storage::AttributeView value);
void check_index_key_value(const storage::TableSchema& table, std::string_view attribute,
                           storage::AttributeView value);

}  // namespace magneto::api
