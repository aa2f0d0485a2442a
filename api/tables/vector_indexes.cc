#include "api/tables/vector_indexes.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "api/error.h"
#include "api/messages/vector_messages.h"
#include "api/tables/index_checks.h"
#include "api/tables/table_parameters.h"
#include "storage/model/limits.h"
#include "storage/model/narrow.h"
#include "storage/model/vector_value.h"

namespace magneto::api {
namespace {

using storage::IndexKind;
using storage::IndexSchema;
using storage::TableSchema;

void check_search_schema_defined(const RequestedIndex& index, const Definitions& definitions) {
  for (const KeyElement& element : index.key) {
    if (!definitions.contains(element.name)) fail_validation(messages::kSearchSchemaUndefined);
  }
}

void check_by_itself(const RequestedIndex& index) {
  const std::int64_t dimensions = index.vector.dimensions;
  if (dimensions < 1 || dimensions > storage::kMaxVectorDimensions) {
    fail_validation(messages::dimensions_out_of_range(storage::kMaxVectorDimensions));
  }
  if (index.key.size() > storage::kMaxSearchAttributes) {
    fail_validation(messages::too_many_search_attributes(storage::kMaxSearchAttributes));
  }
  std::set<std::string_view> names;
  for (const KeyElement& element : index.key) {
    if (!names.insert(element.name).second || element.name == index.vector.attribute) {
      fail_validation(messages::repeated_search_attribute(element.name));
    }
  }
}

// `other`: a RequestedVector or a VectorSpecification.
void check_same_dimensions(const RequestedVector& vector, const auto& other) {
  if (other.attribute == vector.attribute && other.dimensions != vector.dimensions) {
    fail_validation(messages::conflicting_dimensions(vector.attribute));
  }
}

void check_vector_count(std::size_t count) {
  constexpr std::size_t kMost = storage::traits_of(IndexKind::kVector).max_of_table;
  if (count > kMost) fail_validation(messages::too_many_vector_indexes(kMost));
}

void check_vector_indexes(const TableParameters& request) {
  std::vector<const RequestedIndex*> before;
  for (const RequestedIndex& index : request.indexes.of(IndexKind::kVector)) {
    check_by_itself(index);
    for (const RequestedIndex* const other : before) {
      check_same_dimensions(index.vector, other->vector);
    }
    before.push_back(&index);
  }
  check_vector_count(before.size());
}

// No attribute is both a vector and a key of the table or of an index: no value can be both.
void check_vectors_are_no_keys(const TableParameters& request) {
  for (const RequestedIndex& vector : request.indexes.of(IndexKind::kVector)) {
    const auto is_in = [&](const std::vector<KeyElement>& key) {
      return std::ranges::find(key, vector.vector.attribute, &KeyElement::name) != key.end();
    };
    if (is_in(request.key) ||
        std::ranges::any_of(request.indexes.elements, is_in, &RequestedIndex::key)) {
      fail_validation(messages::vector_is_key(vector.vector.attribute));
    }
  }
}

void check_new_vector_index(const TableSchema& table, const RequestedIndex& index) {
  check_by_itself(index);
  const std::string_view vector = index.vector.attribute;
  const auto has_vector = [vector](const IndexSchema& other) { return other.has_element(vector); };
  if (table.key.contains(vector) || std::ranges::any_of(table.indexes, has_vector)) {
    fail_validation(messages::vector_is_key(vector));
  }
  check_key_is_no_vector(table, index);
}

void check_beside_vectors(const TableSchema& table, const RequestedIndex& index) {
  std::size_t count = 1;
  for (const IndexSchema& other : table.indexes) {
    if (other.kind != IndexKind::kVector || other.status == storage::ResourceStatus::kDeleting) {
      continue;
    }
    ++count;
    check_same_dimensions(index.vector, other.vector);
  }
  check_vector_count(count);
}

storage::DistanceFunction distance_function(std::string_view name) {
  if (name == "DOT_PRODUCT") return storage::DistanceFunction::kDotProduct;
  return name == "EUCLIDEAN" ? storage::DistanceFunction::kEuclidean
                             : storage::DistanceFunction::kCosine;
}

void read_vector(const Parameters& members, RequestedIndex& index) {
  index.vector = {Parameters(members.value("VectorAttribute")).string_or_empty("AttributeName"),
                  members.integer("Dimensions").value_or(0),
                  distance_function(members.string_or_empty("DistanceFunction"))};
}

// The key does not have the inline filters. The SearchSchema has both, in the order of the request.
void specify_vector(const RequestedIndex& index, IndexSchema& schema) {
  schema.vector = {.attribute = std::string(index.vector.attribute),
                   .dimensions = storage::narrow<std::uint32_t>(index.vector.dimensions),
                   .function = index.vector.function,
                   .search_schema = {}};
  auto hash = schema.key.partition.begin();
  auto filter = schema.key.sort.begin();
  for (const KeyElement& element : index.key) {
    schema.vector.search_schema.emplace_back(element.is_partition ? *hash++ : *filter++,
                                             element.is_partition);
  }
  schema.key.sort.clear();
}

void request_vector(const IndexSchema& schema, RequestedIndex& index) {
  index.vector = {schema.vector.attribute, schema.vector.dimensions, schema.vector.function};
}

void write_vector(json::Writer& writer, const IndexSchema& schema) {
  const storage::VectorSpecification& vector = schema.vector;
  writer.key("VectorAttribute");
  writer.begin_object();
  writer.text("AttributeName", vector.attribute);
  writer.end_object();
  writer.integer("Dimensions", vector.dimensions);
  writer.text("DistanceFunction", kDistanceValues[static_cast<std::size_t>(vector.function)]);
  if (vector.search_schema.empty()) return;
  writer.key("SearchSchema");
  writer.begin_array();
  for (const auto& [attribute, is_hash] : vector.search_schema) {
    writer.begin_object();
    writer.text("AttributeName", attribute.name);
    writer.text("SearchSchemaElementType", is_hash ? "HASH" : "INLINE_FILTER");
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

constinit const IndexForm kVectorIndexForm{.kind = IndexKind::kVector,
                                           .list = list_of(IndexKind::kVector),
                                           .updates = "VectorIndexUpdates",
                                           .overrides = "VectorIndexOverride",
                                           .key_list = "SearchSchema",
                                           .key_type = "SearchSchemaElementType",
                                           .other_key = "INLINE_FILTER",
                                           .needs_on_demand = messages::kVectorsOfProvisionedTable,
                                           .empty_updates = messages::kNoVectorUpdates,
                                           .no_action = messages::kNoVectorAction,
                                           .several_actions = messages::kSeveralVectorActions,
                                           .repeated_update = &messages::repeated_vector_update,
                                           .other_kind = &messages::not_a_vector_index,
                                           .too_many = &messages::too_many_vector_indexes,
                                           .check_defined = &check_search_schema_defined,
                                           .check_list = &check_vector_indexes,
                                           .check_beside = &check_vectors_are_no_keys,
                                           .check_new = &check_new_vector_index,
                                           .check_count = &check_beside_vectors,
                                           .read = &read_vector,
                                           .specify = &specify_vector,
                                           .request = &request_vector,
                                           .write = &write_vector};

void check_key_is_no_vector(const TableSchema& schema, const RequestedIndex& index) {
  for (const IndexSchema& other : schema.indexes) {
    for (const KeyElement& element : index.key) {
      if (other.kind == IndexKind::kVector && other.vector.attribute == element.name) {
        fail_validation(messages::vector_is_key(element.name));
      }
    }
  }
}

}  // namespace magneto::api
