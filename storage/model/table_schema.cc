#include "storage/model/table_schema.h"

#include <algorithm>
#include <stdexcept>

namespace magneto::storage {

bool KeySchema::contains(std::string_view attribute) const {
  const auto is_it = [attribute](const KeyAttribute& key) { return key.name == attribute; };
  return std::any_of(partition.begin(), partition.end(), is_it) ||
         std::any_of(sort.begin(), sort.end(), is_it);
}

std::vector<KeySchema::Attributes::Element> IndexSchema::elements() const {
  std::vector<KeySchema::Attributes::Element> all;
  for (const auto& [attribute, is_hash] : vector.search_schema) all.push_back({attribute, is_hash});
  if (!all.empty()) return all;
  for (const auto element : key.attributes()) all.push_back(element);
  return all;
}

bool IndexSchema::has_element(std::string_view attribute) const {
  return std::ranges::any_of(
      elements(), [attribute](const auto& element) { return element.attribute.name == attribute; });
}

bool is_same_index(const IndexSchema& a, const IndexSchema& b) {
  return a.name == b.name && a.kind == b.kind && a.key == b.key && a.projection == b.projection &&
         a.vector == b.vector;
}

std::string table_arn(std::string_view region, std::string_view account, std::string_view name) {
  std::string arn("arn:aws:dynamodb:");
  arn.append(region).append(":").append(account).append(":table/").append(name);
  return arn;
}

std::string TableSchema::index_arn(const IndexSchema& index) const {
  return arn() + "/index/" + index.name;
}

const IndexSchema* TableSchema::find_index(std::string_view index_name) const {
  const auto found =
      std::find_if(indexes.begin(), indexes.end(),
                   [index_name](const IndexSchema& index) { return index.name == index_name; });
  return found == indexes.end() ? nullptr : &*found;
}

std::uint16_t TableSchema::take_index_number() {
  if (next_index_number == 0) throw std::length_error("the table has had 65,535 indexes");
  return next_index_number++;
}

IndexSchema* TableSchema::find_numbered_index(std::uint16_t index_number) {
  const auto found = std::ranges::find(indexes, index_number, &IndexSchema::number);
  return found == indexes.end() ? nullptr : &*found;
}

void TableSchema::number_new_indexes() {
  for (IndexSchema& index : indexes) {
    if (index.number == 0) index.number = take_index_number();
  }
}

}  // namespace magneto::storage
