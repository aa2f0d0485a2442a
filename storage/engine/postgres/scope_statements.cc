#include "storage/engine/postgres/scope_statements.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace magneto::storage {

namespace {

using WrittenRow = std::pair<ColumnFamily, std::string_view>;

// Of families with guards, ascending.
std::vector<WrittenRow> written_rows(const WriteBatch& batch) {
  std::vector<WrittenRow> rows;
  for (const WriteBatch::Operation& operation : batch.operations()) {
    const ColumnFamily family = operation.tree->family();
    if (SharedStatements::is_guarded(family)) rows.emplace_back(family, operation.key);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace

bool is_exchange(const ScopeWrite& write) {
  const std::vector<WrittenRow> rows = written_rows(*write.batch);
  return std::ranges::all_of(write.guards, [&rows](const RowGuard& guard) {
    return std::ranges::binary_search(rows, WrittenRow(guard.family, guard.key));
  });
}

ScopeStatements::ScopeStatements(std::span<const ScopeWrite> writes, Check check,
                                 const SharedStatements& statements, std::int64_t id,
                                 std::int64_t epoch, std::int64_t count_id)
    : check_(check), statements_(statements), id_(id), epoch_(epoch), count_id_(count_id) {
  const std::vector<Row> all = rows_of(writes);
  const auto of_family = [&all](ColumnFamily family) {
    const auto begin = std::ranges::lower_bound(all, family, {}, &Row::family);
    return Rows(begin, std::ranges::upper_bound(begin, all.end(), family, {}, &Row::family));
  };
  if (check != Check::kNone) {
    std::vector<std::int64_t> names;
    if (check == Check::kExchange) names = names_of_exchanges(all, writes.size());
    for (const ColumnFamily family : SharedStatements::kGuarded) {
      const Rows rows = of_family(family);
      if (rows.empty()) continue;
      check == Check::kExchange ? exchange(family, rows, names) : compare(family, rows);
    }
  }
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    const auto family = static_cast<ColumnFamily>(i);
    const bool is_done = check == Check::kExchange && SharedStatements::is_guarded(family);
    if (!is_done) change(family, of_family(family));
  }
  remember_removed(all);
  count(writes);
}

// In ascending order of family and key. Of operations on one key the last one counts.
std::vector<ScopeStatements::Row> ScopeStatements::rows_of(
    std::span<const ScopeWrite> writes) const {
  std::vector<Row> rows;
  std::int64_t scope = 0;
  for (const ScopeWrite& write : writes) {
    const auto version = static_cast<std::int64_t>(write.version);
    for (const RowGuard& guard : write.guards) {
      rows.push_back({guard.family, guard.key, scope, version, guard.version});
    }
    for (const WriteBatch::Operation& operation : write.batch->operations()) {
      rows.push_back({.family = operation.tree->family(),
                      .key = operation.key,
                      .scope = scope,
                      .version = version,
                      .operation = &operation});
    }
    ++scope;
  }
  const auto order = [](const Row& row) { return std::tuple(row.family, row.key); };
  std::ranges::stable_sort(rows, {}, order);
  std::vector<Row> merged;
  merged.reserve(rows.size());
  for (const Row& row : rows) {
    if (merged.empty() || order(merged.back()) != order(row)) {
      merged.push_back(row);
    } else {
      merged.back().operation = row.operation;  // guards come first
    }
  }
  return merged;
}

Arguments& ScopeStatements::call(const Statement& statement) {
  Arguments& arguments = arguments_.emplace_back();
  calls_.push_back({&statement, &arguments});
  return arguments;
}

void ScopeStatements::add_fence(Arguments& arguments) const {
  arguments.add_number(id_);
  arguments.add_number(epoch_);
}

// The statement knows by a negative number that a scope puts several rows.
std::vector<std::int64_t> ScopeStatements::names_of_exchanges(Rows rows, std::size_t scopes) {
  std::vector<std::int64_t> counts(scopes);
  for (const Row& row : rows) {
    if (SharedStatements::is_guarded(row.family)) ++counts[static_cast<std::size_t>(row.scope)];
  }
  std::vector<std::int64_t> names;
  names.reserve(scopes);
  for (const std::int64_t count : counts) {
    const auto scope = static_cast<std::int64_t>(names.size());
    names.push_back(count > 1 ? -1 - scope : scope);
  }
  return names;
}

void ScopeStatements::exchange(ColumnFamily family, Rows rows,
                               std::span<const std::int64_t> names) {
  std::vector<std::string_view> keys;
  std::vector<std::int64_t> expected;
  std::vector<std::int64_t> versions;
  std::vector<std::optional<std::string_view>> values;
  std::vector<std::int64_t> scopes;
  for (const Row& row : rows) {
    keys.push_back(row.key);
    expected.push_back(row.expected);
    versions.push_back(row.version);
    values.push_back(row.operation->is_delete
                         ? std::nullopt
                         : std::optional<std::string_view>(row.operation->value));
    scopes.push_back(names[static_cast<std::size_t>(row.scope)]);
  }
  Arguments& arguments = call(statements_.exchange(family));
  arguments.add_array(keys);
  arguments.add_numbers(expected);
  arguments.add_numbers(versions);
  arguments.add_array(values);
  arguments.add_numbers(scopes);
  add_fence(arguments);
}

// FOR UPDATE locks nothing where there is no row.
void ScopeStatements::compare(ColumnFamily family, Rows rows) {
  std::vector<std::string_view> absent;
  std::vector<std::string_view> keys;
  std::vector<std::int64_t> expected;
  std::vector<std::int64_t> scopes;
  for (const Row& row : rows) {
    if (row.expected == 0) absent.push_back(row.key);
    keys.push_back(row.key);
    expected.push_back(row.expected);
    scopes.push_back(row.scope);
  }
  if (!absent.empty()) call(statements_.make_rows(family)).add_array(absent);
  Arguments& arguments = call(statements_.compare(family));
  arguments.add_array(keys);
  arguments.add_numbers(expected);
  arguments.add_numbers(scopes);
  add_fence(arguments);
}

void ScopeStatements::change(ColumnFamily family, Rows rows) {
  std::vector<std::string_view> put;
  std::vector<std::int64_t> versions;
  std::vector<std::optional<std::string_view>> values;
  std::vector<std::int64_t> putting;
  std::vector<std::string_view> removed;
  std::vector<std::int64_t> removing;
  for (const Row& row : rows) {
    if (row.operation == nullptr) continue;
    if (row.operation->is_delete && !SharedStatements::is_guarded(family)) {
      removed.push_back(row.key);
      removing.push_back(row.scope);
      continue;
    }
    put.push_back(row.key);
    versions.push_back(row.version);
    values.push_back(row.operation->is_delete
                         ? std::nullopt
                         : std::optional<std::string_view>(row.operation->value));
    putting.push_back(row.scope);
  }
  if (!put.empty()) {
    Arguments& arguments = call(statements_.put_won(family));
    arguments.add_array(put);
    arguments.add_numbers(versions);
    arguments.add_array(values);
    arguments.add_numbers(putting);
    add_fence(arguments);
  }
  if (!removed.empty()) {
    Arguments& arguments = call(statements_.remove_won(family));
    arguments.add_array(removed);
    arguments.add_numbers(removing);
    add_fence(arguments);
  }
}

// Rows without a value: of removed keys, and those that were made only to be locked.
void ScopeStatements::remember_removed(Rows rows) {
  using When = SharedStatements::When;
  std::vector<std::int64_t> versions;
  std::vector<std::int64_t> families;
  std::vector<std::string_view> keys;
  std::vector<std::int64_t> scopes;
  std::vector<std::int64_t> conditions;
  for (const Row& row : rows) {
    if (!SharedStatements::is_guarded(row.family)) continue;
    const bool is_made = check_ != Check::kExchange && row.expected == 0;
    const bool is_removed = row.operation != nullptr && row.operation->is_delete;
    const bool is_put = row.operation != nullptr && !is_removed;
    if (!is_made && !is_removed) continue;
    versions.push_back(row.version);
    families.push_back(static_cast<std::int64_t>(row.family));
    keys.push_back(row.key);
    scopes.push_back(row.scope);
    const When when = !is_made ? When::kWon : is_put ? When::kLost : When::kAlways;
    conditions.push_back(static_cast<std::int64_t>(when));
  }
  if (keys.empty()) return;
  Arguments& arguments = call(statements_.add_gone());
  arguments.add_numbers(versions);
  arguments.add_numbers(families);
  arguments.add_array(keys);
  arguments.add_numbers(scopes);
  arguments.add_numbers(conditions);
  add_fence(arguments);
}

void ScopeStatements::count(std::span<const ScopeWrite> writes) {
  std::vector<std::string_view> keys;
  std::vector<std::int64_t> items;
  std::vector<std::int64_t> bytes;
  std::vector<std::int64_t> scopes;
  std::int64_t scope = 0;
  for (const ScopeWrite& write : writes) {
    for (const WriteBatch::Count& count : write.batch->counts()) {
      keys.push_back(count.key);
      items.push_back(count.items);
      bytes.push_back(count.bytes);
      scopes.push_back(scope);
    }
    ++scope;
  }
  if (keys.empty()) return;
  Arguments& arguments = call(statements_.add_counts());
  arguments.add_array(keys);
  arguments.add_numbers(items);
  arguments.add_numbers(bytes);
  arguments.add_numbers(scopes);
  add_fence(arguments);
  arguments.add_number(count_id_);
}

}  // namespace magneto::storage
