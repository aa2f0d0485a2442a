#include "storage/table/table.h"

namespace magneto::storage {

const Index* Table::find_index(std::string_view name) const {
  for (const auto& index : indexes) {
    if (index->schema.name == name) return index.get();
  }
  return nullptr;
}

const Index* Table::find_numbered_index(std::uint16_t number) const {
  for (const auto& index : indexes) {
    if (index->schema.number == number) return index.get();
  }
  return nullptr;
}

}  // namespace magneto::storage
