#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "api/tables/index_form.h"
#include "storage/model/table_schema.h"

// Rules about key schemas and indexes, with DynamoDB's order and texts (captured facts,
// "CreateTable" and "UpdateTable"; observed on AWS, October 2026). All functions throw
// ValidationException, check_global_count() LimitExceededException.
namespace magneto::api {

// A lookup of names in AttributeDefinitions. It refers to `list`.
class Definitions {
 public:
  explicit Definitions(const std::vector<storage::KeyAttribute>& list);

  bool contains(std::string_view name) const { return names_.contains(name); }
  std::size_t size() const { return list_.size(); }
  // A name that the list has twice, or "".
  std::string_view repeated() const { return repeated_; }
  // The names in the order of messages.
  std::vector<std::string_view> in_hash_order() const;

 private:
  const std::vector<storage::KeyAttribute>& list_;
  std::unordered_set<std::string_view> names_;
  std::string_view repeated_;
};

// Checks the key schema of a table: its attributes are defined, HASH first, then RANGE.
void check_table_key(const std::vector<KeyElement>& key, const Definitions& definitions);

// Checks that the attributes of an index's key are defined.
void check_index_key_defined(const RequestedIndex& index, const Definitions& definitions);

// Checks the key of a global index: one to four HASH attributes, then none to four RANGE
// attributes.
void check_global_key(const RequestedIndex& index, const std::vector<KeyElement>& table_key);
// Check a global index that UpdateTable adds: its key, and the number of global indexes.
void check_new_global_index(const storage::TableSchema& schema, const RequestedIndex& index);
void check_global_count(const storage::TableSchema& schema, const RequestedIndex& index);

// Checks the key of a local index: the table's partition attribute and a sort attribute.
void check_local_key(const RequestedIndex& index, const std::vector<KeyElement>& table_key);

void check_projection(const RequestedIndex& index);

// Checks the number of INCLUDE attributes over all indexes of a table.
void check_projected_attribute_count(std::size_t count);

}  // namespace magneto::api
