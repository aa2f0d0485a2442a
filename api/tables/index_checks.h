#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "api/tables/index_form.h"
#include "storage/model/table_schema.h"

// Rules about key schemas and indexes, in DynamoDB's order and words (captured facts, "CreateTable"
// and "UpdateTable"; texts and order as observed on AWS, October 2026). All throw
// ValidationException.
namespace magneto::api {

// AttributeDefinitions to look names up in; refers to the list it was made of.
class Definitions {
 public:
  explicit Definitions(const std::vector<storage::KeyAttribute>& list);

  bool contains(std::string_view name) const { return names_.contains(name); }
  std::size_t size() const { return list_.size(); }
  // A name that stands there twice, or "".
  std::string_view repeated() const { return repeated_; }
  // "pk, sk", as given.
  std::string names() const;

 private:
  const std::vector<storage::KeyAttribute>& list_;
  std::unordered_set<std::string_view> names_;
  std::string_view repeated_;
};

// The key schema of a table: its attributes are defined, HASH first, then RANGE.
void check_table_key(const std::vector<KeyElement>& key, const Definitions& definitions);

// Attributes of an index's key are defined.
void check_index_key_defined(const RequestedIndex& index, const Definitions& definitions);

// The key of a global index: one to four HASH attributes, then none to four RANGE attributes.
void check_global_key(const RequestedIndex& index, const std::vector<KeyElement>& table_key);
// One that UpdateTable adds: its key, and their number, where LimitExceededException is thrown.
void check_new_global_index(const storage::TableSchema& schema, const RequestedIndex& index);
void check_global_count(const storage::TableSchema& schema, const RequestedIndex& index);

// The key of a local index: the table's partition attribute and a sort attribute.
void check_local_key(const RequestedIndex& index, const std::vector<KeyElement>& table_key);

void check_projection(const RequestedIndex& index);

// INCLUDE attributes over all indexes of a table.
void check_projected_attribute_count(std::size_t count);

}  // namespace magneto::api
