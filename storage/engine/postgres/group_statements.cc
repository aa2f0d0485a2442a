#include "storage/engine/postgres/group_statements.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace magneto::storage {

GroupStatements::GroupStatements(std::span<const WriteBatch* const> batches,
                                 const Statements& statements, std::int64_t version) {
  std::vector<const WriteBatch::Operation*> all;
  for (const WriteBatch* const batch : batches) {
    for (const WriteBatch::Operation& operation : batch->operations()) all.push_back(&operation);
  }
  const auto order = [](const WriteBatch::Operation* operation) {
    return std::tuple(operation->tree->family(), std::string_view(operation->key));
  };
  std::ranges::stable_sort(all, {}, order);
  std::vector<const WriteBatch::Operation*> last;
  last.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 == all.size() || order(all[i]) != order(all[i + 1])) last.push_back(all[i]);
  }
  for (auto begin = last.begin(); begin != last.end();) {
    const ColumnFamily family = (*begin)->tree->family();
    const auto end = std::find_if(begin, last.end(), [&](const auto* operation) {
      return operation->tree->family() != family;
    });
    add_family({begin, end}, statements, version);
    begin = end;
  }
}

void GroupStatements::add_family(std::span<const WriteBatch::Operation* const> operations,
                                 const Statements& statements, std::int64_t version) {
  std::vector<std::string_view> put;
  std::vector<std::string_view> values;
  std::vector<std::string_view> removed;
  for (const WriteBatch::Operation* const operation : operations) {
    if (operation->is_delete) {
      removed.push_back(operation->key);
    } else {
      put.push_back(operation->key);
      values.push_back(operation->value);
    }
  }
  const ColumnFamily family = operations.front()->tree->family();
  if (!put.empty()) {
    Arguments& arguments = arguments_.emplace_back();
    arguments.add_array(put);
    arguments.add_array(values);
    arguments.add_number(version);
    calls_.push_back({&statements.put(family), &arguments});
  }
  if (!removed.empty()) {
    Arguments& arguments = arguments_.emplace_back();
    arguments.add_array(removed);
    calls_.push_back({&statements.remove(family), &arguments});
  }
}

}  // namespace magneto::storage
