#include "api/tables/index_checks.h"

#include <algorithm>
#include <string>

#include "api/error.h"
#include "storage/model/limits.h"

namespace magneto::api {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

[[noreturn]] void fail_invalid(std::string_view text) {
  fail_validation(std::string(kInvalid) + std::string(text));
}

template <typename List>
std::string names_of(const List& list) {
  std::string out;
  for (const auto& element : list) {
    if (!out.empty()) out += ", ";
    out += element.name;
  }
  return out;
}

void check_defined(const std::vector<KeyElement>& key, const Definitions& definitions) {
  const bool all = std::all_of(key.begin(), key.end(), [&](const KeyElement& element) {
    return definitions.contains(element.name);
  });
  if (all) return;
  fail_invalid("Some index key attributes are not defined in AttributeDefinitions. Keys: [" +
               names_of(key) + "], AttributeDefinitions: [" + definitions.names() + "]");
}

// A key of at most two attributes.
void check_simple_key(const std::vector<KeyElement>& key) {
  if (key.size() == 2 && key[0].name == key[1].name) {
    fail_validation(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (!key[0].is_partition) {
    fail_validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (key.size() == 2 && key[1].is_partition) {
    fail_validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
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

std::string Definitions::names() const { return names_of(list_); }

void check_table_key(const std::vector<KeyElement>& key, const Definitions& definitions) {
  if (key.size() > definitions.size()) {
    fail_validation("Invalid KeySchema: Some index key attribute have no definition");
  }
  if (!definitions.repeated().empty()) {
    fail_validation("Attribute Name is duplicated: " + std::string(definitions.repeated()));
  }
  check_defined(key, definitions);
  check_simple_key(key);
}

void check_index_key_defined(const RequestedIndex& index, const Definitions& definitions) {
  check_defined(index.key, definitions);
}

void check_global_key(const RequestedIndex& index) {
  const std::vector<KeyElement>& key = index.key;
  const auto partition_size =
      std::count_if(key.begin(), key.end(), [](const KeyElement& one) { return one.is_partition; });
  // Two attributes of which the second repeats the first are answered as in a table's key.
  if (key.size() == 2 && key[0].name == key[1].name) check_simple_key(key);
  if (has_repeated_name(key)) {
    fail_validation("The KeySchema contains multiple key attributes with the same name");
  }
  if (!key[0].is_partition) {
    fail_validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (!std::is_partitioned(key.begin(), key.end(),
                           [](const KeyElement& one) { return one.is_partition; })) {
    fail_invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  constexpr auto kMax = static_cast<std::ptrdiff_t>(storage::kMaxKeyAttributesOfAPart);
  if (partition_size > kMax) {
    fail_invalid("The KeySchema exceeds the maximum allowed number of HASH key attributes");
  }
  if (static_cast<std::ptrdiff_t>(key.size()) - partition_size > kMax) {
    fail_invalid("The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  }
}

void check_local_key(const RequestedIndex& index, const std::vector<KeyElement>& table_key) {
  check_simple_key(index.key);
  if (index.key.size() != 2) {
    fail_invalid("Index KeySchema does not have a range key for index: " + std::string(index.name));
  }
  if (index.key[0].name != table_key[0].name) {
    fail_invalid(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        std::string(index.name) + ". index hash key: " + std::string(index.key[0].name) +
        ", table hash key: " + std::string(table_key[0].name));
  }
}

void check_projection(const RequestedIndex& index) {
  const std::string type(index.projection_type);
  if (type.empty()) fail_invalid("Unknown ProjectionType: null");
  if (type == "INCLUDE" && !index.has_non_key_attributes) {
    fail_invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (type != "INCLUDE" && index.has_non_key_attributes) {
    fail_invalid("ProjectionType is " + type + ", but NonKeyAttributes is specified");
  }
  std::vector<std::string_view> names = index.non_key_attributes;
  std::sort(names.begin(), names.end());
  const auto repeated = std::adjacent_find(names.begin(), names.end());
  if (repeated != names.end()) {
    fail_invalid("Duplicate element in NonKeyAttributes: " + std::string(*repeated));
  }
}

void check_projected_attribute_count(std::size_t count) {
  if (count <= storage::kMaxProjectedAttributes) return;
  fail_invalid("Number of NonKeyAttributes over all indexes exceeds the per-table limit of " +
               std::to_string(storage::kMaxProjectedAttributes));
}

}  // namespace magneto::api
