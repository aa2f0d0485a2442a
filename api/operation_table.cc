#include "api/operation_table.h"

#include <unordered_map>

namespace magneto::api {

const Operation* find_operation(std::string_view name) {
  static const auto* const operations = [] {
    auto* map = new std::unordered_map<std::string_view, const Operation*>;
#define MAGNETO_ENTER_OPERATION(operation) map->emplace(k##operation.name, &k##operation);
    MAGNETO_OPERATIONS(MAGNETO_ENTER_OPERATION)
#undef MAGNETO_ENTER_OPERATION
    return map;
  }();
  const auto found = operations->find(name);
  return found == operations->end() ? nullptr : found->second;
}

}  // namespace magneto::api
