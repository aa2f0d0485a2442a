#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/postgres/postgres_connection.h"

namespace magneto::storage {

// For connections whose transactions others may wait for: if the network ends in the midst of one, the
// database rolls it back after a second. The statements of a transaction follow each other at once.
inline constexpr const char* kEndIdleTransactions =
    "SET idle_in_transaction_session_timeout = 1000";

// The SQL of a store. Its relations lie in one schema of the database:
//
//   items entries queue system expiry records   one for each ColumnFamily
//     (k bytea PRIMARY KEY, ver bigint, was bigint, v bytea)
//     `ver` is the version of the group of commits that wrote the row; `was` is its version before.
//     A row whose `v` is NULL counts as removed.
//   fence (id bigint, epoch bigint, n bigint, address text, PRIMARY KEY (id, epoch))
//     id 1: the lease of the active server; n counts its beats.
//     greater ids: one row for each connection that commits; n is the number of its last
//     transaction. A connection that got lost leaves its row with the negative epoch.
//     The epoch is part of the key, so a take-over waits for the commits that hold such a row.
//   one (name text PRIMARY KEY, n bigint)
//     "format": the format of the store (store_format.h)
// A store that servers have shared has more of them (shared_statements.h).
//
// The statements avoid what CockroachDB and YugabyteDB do not have; those are untested.
class Statements {
 public:
  explicit Statements(const std::string& schema);

  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;

  // () -> whether the schema is there
  const Statement& has_schema() const { return has_schema_; }
  // Makes the schema, its relations and the format of a new store: all or nothing.
  const std::string& make_schema() const { return make_schema_; }
  static const std::string& begin_snapshot();

  // (keys) -> key, ver, value or NULL: of the rows that exist
  const Statement& read(ColumnFamily family) const { return of(family).read; }
  // (key) -> the same; costs the database less
  const Statement& read_one(ColumnFamily family) const { return of(family).read_one; }
  // (lower, rows, bytes) or (lower, upper, rows, bytes) -> key, value: at most so many rows, and
  // none behind the one that reaches the bytes
  const Statement& scan(ColumnFamily family, Direction direction, bool has_upper) const {
    return of(family).scan[direction == Direction::kBackward ? 1 : 0][has_upper ? 1 : 0];
  }
  // (keys, values, version)
  const Statement& put(ColumnFamily family) const { return of(family).put; }
  // (keys)
  const Statement& remove(ColumnFamily family) const { return of(family).remove; }
  // (lower, rows) or (lower, upper, rows) -> the number of removed rows
  const Statement& clear(ColumnFamily family, bool has_upper) const {
    return of(family).clear[has_upper ? 1 : 0];
  }

  // Of a transaction. () -> nothing
  const Statement& begin() const { return begin_; }
  const Statement& commit() const { return commit_; }
  // (id, epoch, n): fails with kFenced when the row is not there.
  const Statement& check_fence() const { return check_fence_; }
  static constexpr std::string_view kFenced = "22012";  // division by zero
  // (id, epoch) -> n: waits for the transaction that holds the row; none under it can follow. May be
  // repeated. No row: another server has taken over.
  const Statement& close_fence() const { return close_fence_; }
  // (id, epoch) -> n; no row: another server has taken over
  const Statement& add_fence() const { return add_fence_; }

  // The lease. () -> epoch, n, address
  const Statement& read_lease() const { return read_lease_; }
  // (address): the first lease of a new store, if no other server has made it.
  const Statement& make_lease() const { return make_lease_; }
  // (epoch, n, address) -> the new epoch; no row: the lease has changed
  const Statement& take_lease() const { return take_lease_; }
  // (epoch) -> n; no row: another server has the lease
  const Statement& renew_lease() const { return renew_lease_; }
  // (epoch): the next server need not wait
  const Statement& release_lease() const { return release_lease_; }
  // (epoch): ends the commits of all earlier epochs
  const Statement& remove_other_fences() const { return remove_other_fences_; }

  // () -> fsync, synchronous_commit, synchronous_standby_names, the number of standbys
  const Statement& read_settings() const { return read_settings_; }
  // () -> n
  const Statement& read_format() const { return read_format_; }
  // (n)
  const Statement& raise_format() const { return raise_format_; }

 protected:
  // Puts the name of a schema or relation in the place of each "@".
  static std::string named(std::string text, const std::string& name);
  static const char* relation_of(ColumnFamily family);
  Statement make(std::string text);

 private:
  struct OfFamily {
    Statement read;
    Statement read_one;
    std::array<std::array<Statement, 2>, 2> scan;
    Statement put;
    Statement remove;
    std::array<Statement, 2> clear;
  };

  const OfFamily& of(ColumnFamily family) const {
    return families_[static_cast<std::size_t>(family)];
  }
  static std::string schema_text(const std::string& schema);
  OfFamily make_family(const std::string& relation);
  void make_lease_statements(const std::string& fence);
  static std::string scan_text(const std::string& relation, bool is_backward, bool has_upper);

  std::size_t count_ = 0;
  std::string make_schema_;
  std::vector<OfFamily> families_;
  Statement has_schema_;
  Statement begin_;
  Statement commit_;
  Statement check_fence_;
  Statement close_fence_;
  Statement add_fence_;
  Statement read_lease_;
  Statement make_lease_;
  Statement take_lease_;
  Statement renew_lease_;
  Statement release_lease_;
  Statement remove_other_fences_;
  Statement read_settings_;
  Statement read_format_;
  Statement raise_format_;
};

}  // namespace magneto::storage
