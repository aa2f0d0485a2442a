#pragma once

#include <string_view>
#include <vector>

#include "api/tables/index_checks.h"
#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// Rules about vector indexes (captured facts, "CreateTable vector errors" and "Index lifecycle").
// What begins with "check" or "refuse" throws ApiError.
namespace magneto::api {

// Attributes of a SearchSchema are defined.
void check_search_schema_defined(const RequestedIndex& index, const Definitions& definitions);

// All those of a new table, beside what holds for every index.
void check_vector_indexes(const std::vector<RequestedIndex>& indexes);

// No attribute is a vector here and a key, of the table or an index, there: nothing could be both.
void check_vectors_are_no_keys(const TableParameters& request);
void check_vector_is_no_key(const storage::TableSchema& schema, std::string_view vector);
void check_key_is_no_vector(const storage::TableSchema& schema, const RequestedIndex& index);

// VectorIndexUpdates by themselves: an action each, and none twice.
void check_vector_updates(const std::vector<RequestedIndexUpdate>& updates);

// One that UpdateTable adds to a table.
void check_new_vector_index(const storage::TableSchema& schema, const RequestedIndex& index,
                            const TableParameters& request);

// Vector indexes are of on-demand tables alone.
void refuse_vector_indexes_when_provisioned(const storage::TableSchema& schema);

// Whether the attribute is in the index's SearchSchema.
bool searches_by(const storage::IndexSchema& index, std::string_view attribute);

}  // namespace magneto::api
