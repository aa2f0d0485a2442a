#include "api/tables/index_checks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/java_hash_order.h"
#include "api/messages/index_messages.h"
#include "api/messages/request_messages.h"
#include "api/messages/table_messages.h"
#include "api/tables/vector_indexes.h"
#include "storage/model/limits.h"

namespace magneto::api {
namespace {

using storage::IndexKind;
using storage::IndexSchema;

// In the order of a Java map that is made for its entries (captured facts 3, C1).
template <typename List>
std::vector<std::string_view> names_in_map(const List& list) {
  std::vector<std::string_view> names;
  names.reserve(list.size());
  for (const auto& element : list) names.push_back(element.name);
  return names_in_hash_order(names, FirstTable::kForCount);
}

void check_defined(const std::vector<KeyElement>& key, const Definitions& definitions) {
  const bool all = std::all_of(key.begin(), key.end(), [&](const KeyElement& element) {
    return definitions.contains(element.name);
  });
  if (all) return;
  if (key.size() > definitions.size()) fail_validation(messages::kKeyWithoutDefinition);
  fail_validation(messages::undefined_keys(names_in_map(key), definitions.in_hash_order()));
}

// Checks a key of one or two attributes.
void check_simple_key(const std::vector<KeyElement>& key) {
  if (key.size() == 2 && key[0].name == key[1].name) {
    fail_validation(messages::kSameKeyNames);
  }
  if (!key[0].is_partition) {
    fail_validation(messages::kFirstNotHash);
  }
  if (key.size() == 2 && key[1].is_partition) {
    fail_validation(messages::kSecondNotRange);
  }
}

// Echoes the whole key (captured facts 3, C3).
void check_global_key_size(const std::vector<KeyElement>& key) {
  constexpr std::size_t kMost = 2 * storage::kMaxKeyAttributesOfAPart;
  if (key.size() <= kMost) return;
  std::string echo;
  for (const KeyElement& element : key) {
    echo.append(echo.empty() ? "[" : ", ").append("KeySchemaElement(attributeName=");
    echo.append(element.name).append(", keyType=");
    echo.append(element.is_partition ? "HASH" : "RANGE").append(")");
  }
  fail_one_validation_error(
      messages::value_at(echo + ']', "keySchema", messages::at_most("length", kMost)));
}

bool has_repeated_name(const std::vector<KeyElement>& key) {
  std::unordered_set<std::string_view> names;
  return std::any_of(key.begin(), key.end(), [&names](const KeyElement& element) {
    return !names.insert(element.name).second;
  });
}

}  // namespace

Definitions::Definitions(const std::vector<storage::KeyAttribute>& list) : list_(list) {
  for (const storage::KeyAttribute& definition : list) {
    if (!names_.insert(definition.name).second) repeated_ = definition.name;
  }
}

std::vector<std::string_view> Definitions::in_hash_order() const { return names_in_map(list_); }

void check_table_key(const std::vector<KeyElement>& key, const Definitions& definitions) {
  if (key.size() > definitions.size()) {
    fail_validation(messages::kKeyWithoutDefinition);
  }
  if (!definitions.repeated().empty()) {
    fail_validation(messages::duplicate_definition(definitions.repeated()));
  }
  check_defined(key, definitions);
  check_simple_key(key);
}

void check_index_key_defined(const RequestedIndex& index, const Definitions& definitions) {
  check_defined(index.key, definitions);
}

void check_global_key(const RequestedIndex& index, const std::vector<KeyElement>&) {
  const std::vector<KeyElement>& key = index.key;
  check_global_key_size(key);
  const auto partition_size =
      std::count_if(key.begin(), key.end(), [](const KeyElement& one) { return one.is_partition; });
  if (has_repeated_name(key)) {
    const bool is_simple = key.size() == 2 && partition_size == 1;
    fail_validation(is_simple ? messages::kSameKeyNames : messages::kRepeatedKeyName);
  }
  if (!key[0].is_partition) {
    fail_validation(messages::kFirstNotHash);
  }
  if (!std::is_partitioned(key.begin(), key.end(),
                           [](const KeyElement& one) { return one.is_partition; })) {
    fail_validation(messages::kRangeBeforeHash);
  }
  constexpr auto kMax = static_cast<std::ptrdiff_t>(storage::kMaxKeyAttributesOfAPart);
  if (partition_size > kMax) {
    fail_validation(messages::kTooManyHashAttributes);
  }
  if (static_cast<std::ptrdiff_t>(key.size()) - partition_size > kMax) {
    fail_validation(messages::kTooManyRangeAttributes);
  }
}

void check_local_key(const RequestedIndex& index, const std::vector<KeyElement>& table_key) {
  check_simple_key(index.key);
  if (index.key.size() != 2) {
    fail_validation(messages::index_without_sort_key(index.name));
  }
  if (index.key[0].name != table_key[0].name) {
    fail_validation(
        messages::other_partition_key(index.name, index.key[0].name, table_key[0].name));
  }
}

void check_new_global_index(const storage::TableSchema& schema, const RequestedIndex& index) {
  check_global_key(index, {});
  check_key_is_no_vector(schema, index);
}

void check_global_count(const storage::TableSchema& schema, const RequestedIndex&) {
  constexpr std::size_t kMost = storage::traits_of(IndexKind::kGlobal).max_of_table;
  const auto count = std::ranges::count(schema.indexes, IndexKind::kGlobal, &IndexSchema::kind);
  if (std::cmp_less(count, kMost)) return;
  throw ApiError(ErrorType::kLimitExceeded, messages::one_global_index_too_many(kMost));
}

void check_projection(const RequestedIndex& index) {
  const std::string_view type = index.projection_type;
  if (type.empty()) fail_validation(messages::kNoProjectionType);
  if (type == "INCLUDE" && !index.has_non_key_attributes) {
    fail_validation(messages::kIncludeWithoutAttributes);
  }
  if (type != "INCLUDE" && index.has_non_key_attributes) {
    fail_validation(messages::attributes_without_include(type));
  }
  std::vector<std::string_view> names = index.non_key_attributes;
  std::sort(names.begin(), names.end());
  const auto repeated = std::adjacent_find(names.begin(), names.end());
  if (repeated != names.end()) {
    fail_validation(messages::duplicate_projected(*repeated));
  }
}

void check_projected_attribute_count(std::size_t count) {
  if (count <= storage::kMaxProjectedAttributes) return;
  fail_validation(messages::too_many_projected(storage::kMaxProjectedAttributes));
}

}  // namespace magneto::api
