#include "api/tables/vector_indexes.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/error.h"
#include "api/messages/index_messages.h"
#include "storage/model/limits.h"
#include "storage/model/vector_value.h"

namespace magneto::api {
namespace {

using storage::IndexKind;
using storage::IndexSchema;
using storage::ResourceStatus;
using storage::TableSchema;

void check_dimensions(const RequestedIndex& index) {
  const std::int64_t dimensions = index.vector->dimensions;
  if (dimensions >= 1 && dimensions <= storage::kMaxVectorDimensions) return;
  fail_validation(messages::dimensions_out_of_range(storage::kMaxVectorDimensions));
}

[[noreturn]] void fail_conflicting_dimensions(std::string_view attribute) {
  fail_validation(messages::conflicting_dimensions(attribute));
}

void check_search_schema(const RequestedIndex& index) {
  if (index.key.size() > storage::kMaxSearchAttributes) {
    fail_validation(messages::too_many_search_attributes(storage::kMaxSearchAttributes));
  }
  std::set<std::string_view> names;
  for (const KeyElement& element : index.key) {
    if (!names.insert(element.name).second || element.name == index.vector->attribute) {
      fail_validation(messages::repeated_search_attribute(element.name));
    }
  }
}

}  // namespace

void check_search_schema_defined(const RequestedIndex& index, const Definitions& definitions) {
  for (const KeyElement& element : index.key) {
    if (!definitions.contains(element.name)) fail_validation(messages::kSearchSchemaUndefined);
  }
}

void check_vector_indexes(const std::vector<RequestedIndex>& indexes) {
  for (auto index = indexes.begin(); index != indexes.end(); ++index) {
    check_dimensions(*index);
    check_search_schema(*index);
    for (auto other = indexes.begin(); other != index; ++other) {
      if (other->vector->attribute == index->vector->attribute &&
          other->vector->dimensions != index->vector->dimensions) {
        fail_conflicting_dimensions(index->vector->attribute);
      }
    }
  }
  if (indexes.size() > storage::kMaxVectorIndexes) {
    fail_validation(messages::too_many_vector_indexes(storage::kMaxVectorIndexes));
  }
}

void check_vectors_are_no_keys(const TableParameters& request) {
  if (!request.vector_indexes) return;
  for (const RequestedIndex& vector : *request.vector_indexes) {
    const auto is_it = [&](const KeyElement& element) {
      return element.name == vector.vector->attribute;
    };
    bool is_key = std::ranges::any_of(request.key, is_it);
    for (const auto* indexes :
         {&request.local_indexes, &request.global_indexes, &request.vector_indexes}) {
      if (!*indexes) continue;
      for (const RequestedIndex& index : **indexes) {
        is_key = is_key || std::ranges::any_of(index.key, is_it);
      }
    }
    if (is_key) fail_validation(messages::vector_is_key(vector.vector->attribute));
  }
}

void check_vector_is_no_key(const TableSchema& schema, std::string_view vector) {
  bool is_key = schema.key.contains(vector);
  for (const IndexSchema& index : schema.indexes) {
    is_key = is_key || index.key.contains(vector) || searches_by(index, vector);
  }
  if (is_key) fail_validation(messages::vector_is_key(vector));
}

void check_key_is_no_vector(const TableSchema& schema, const RequestedIndex& index) {
  for (const IndexSchema& other : schema.indexes) {
    for (const KeyElement& element : index.key) {
      if (other.kind == IndexKind::kVector && other.vector.attribute == element.name) {
        fail_validation(messages::vector_is_key(element.name));
      }
    }
  }
}

void check_vector_updates(const std::vector<RequestedIndexUpdate>& updates) {
  if (updates.empty()) fail_validation(messages::kNoVectorUpdates);
  std::set<std::string_view> names;
  for (const RequestedIndexUpdate& update : updates) {
    if (!update.create && !update.remove) fail_validation(messages::kNoVectorAction);
    if (update.create && update.remove) fail_validation(messages::kSeveralVectorActions);
    const std::string_view name = update.create ? update.create->name : update.remove->name;
    if (!names.insert(name).second) fail_validation(messages::repeated_vector_update(name));
  }
}

void check_new_vector_index(const TableSchema& schema, const RequestedIndex& index,
                            const TableParameters& request) {
  if (schema.find_index(index.name) != nullptr) fail_validation(messages::kIndexExists);
  if (schema.billing != storage::BillingMode::kPayPerRequest) {
    fail_validation(messages::kVectorsOfProvisionedTable);
  }
  if (!index.key.empty()) {
    if (!request.definitions_given) {
      fail_validation(messages::index_without_definitions(index.name));
    }
    check_search_schema_defined(index, Definitions(request.definitions));
  }
  check_dimensions(index);
  check_search_schema(index);
  check_vector_is_no_key(schema, index.vector->attribute);
  check_key_is_no_vector(schema, index);
  check_projection(index);
  std::size_t count = 1;
  std::size_t projected = index.non_key_attributes.size();
  for (const IndexSchema& other : schema.indexes) {
    projected += other.projection.non_key_attributes.size();
    if (other.kind != IndexKind::kVector || other.status == ResourceStatus::kDeleting) continue;
    ++count;
    if (other.vector.attribute == index.vector->attribute &&
        other.vector.dimensions != index.vector->dimensions) {
      fail_conflicting_dimensions(index.vector->attribute);
    }
  }
  if (count > storage::kMaxVectorIndexes) {
    fail_validation(messages::too_many_vector_indexes(storage::kMaxVectorIndexes));
  }
  check_projected_attribute_count(projected);
}

void refuse_vector_indexes_when_provisioned(const TableSchema& schema) {
  const bool has_any = std::ranges::any_of(
      schema.indexes, [](const IndexSchema& index) { return index.kind == IndexKind::kVector; });
  if (has_any) fail_validation(messages::kVectorsOfProvisionedTable);
}

bool searches_by(const IndexSchema& index, std::string_view attribute) {
  return std::ranges::any_of(index.vector.search_schema, [attribute](const auto& element) {
    return element.first.name == attribute;
  });
}

}  // namespace magneto::api
