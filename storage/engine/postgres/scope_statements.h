#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/shared_statements.h"
#include "storage/engine/version_source.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// The version of a guarded row that a scope has read. 0: there was no row.
struct RowGuard {
  ColumnFamily family;
  std::string key;
  std::int64_t version;
};

// The changes of a scope, and the rows that must be unchanged.
struct ScopeWrite {
  const WriteBatch* batch = nullptr;
  std::span<const RowGuard> guards;
  Version version = 0;  // of the rows that it writes
};

// Whether the write needs no comparison apart from its puts: it writes all rows that it guards.
bool is_exchange(const ScopeWrite& write);

// The statements that apply the writes of scopes in one transaction. Each scope wins or loses by
// itself. The statements take locks in ascending order of family and key, so that transactions do
// not block each other for ever. No key belongs to two writes.
class ScopeStatements {
 public:
  enum class Check : std::uint8_t {
    // Rows are compared where they are put: only if all are exchanges. When one loses that puts
    // several guarded rows, the transaction fails with the state kVanished: nothing else undoes its
    // other puts.
    kExchange,
    kCompare,  // all guards are locked and compared first
    kNone,     // the rows are locked already
  };

  // `id`, `epoch`: of the row in `guard`. `count_id`: of the rows in `counts`. The writes outlive
  // this object.
  ScopeStatements(std::span<const ScopeWrite> writes, Check check,
                  const SharedStatements& statements, std::int64_t id, std::int64_t epoch,
                  std::int64_t count_id);

  std::span<const PostgresConnection::Call> calls() const { return calls_; }

 private:
  // A key that a write expects to be unchanged, changes, or both.
  struct Row {
    ColumnFamily family;
    std::string_view key;
    std::int64_t scope;
    std::int64_t version;  // after the change
    std::int64_t expected = SharedStatements::kAnyVersion;
    const WriteBatch::Operation* operation = nullptr;  // nullptr: it is not changed
  };
  using Rows = std::span<const Row>;

  static std::vector<std::int64_t> names_of_exchanges(Rows rows, std::size_t scopes);
  std::vector<Row> rows_of(std::span<const ScopeWrite> writes) const;
  void exchange(ColumnFamily family, Rows rows, std::span<const std::int64_t> names);
  void compare(ColumnFamily family, Rows rows);
  void change(ColumnFamily family, Rows rows);
  void remember_removed(Rows rows);
  void count(std::span<const ScopeWrite> writes);
  Arguments& call(const Statement& statement);
  void add_fence(Arguments& arguments) const;

  const Check check_;
  const SharedStatements& statements_;
  const std::int64_t id_;
  const std::int64_t epoch_;
  const std::int64_t count_id_;
  std::deque<Arguments> arguments_;  // which calls_ refer to
  std::vector<PostgresConnection::Call> calls_;
};

}  // namespace magneto::storage
