#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "storage/engine/postgres/statements.h"

namespace magneto::storage {

// The SQL of a store that several servers use at the same time. Each of them is a front. The store
// has these relations too:
//
//   front (no int PRIMARY KEY, epoch, beat, low, high, acked bigint, address text)
//     a server with a lease; `no` is in the versions that it draws. Nobody uses an epoch twice.
//     low, high: it draws no version below or above these until its next beat.
//     acked: it has taken all announcements up to this number over.
//   guard (id bigint, epoch bigint, n bigint, lost bigint[], PRIMARY KEY (id, epoch))
//     the fence of fronts: one row for each connection that commits; n is the number of its last
//     transaction, `lost` are the scopes in it that met a conflict. A connection that got lost
//     leaves its row with the negative epoch.
//   news (number bigint PRIMARY KEY, epoch bigint, keys bytea[])
//     announcements: keys of changed records; NULL: any record may have changed
//   counts (k bytea, id bigint, items bigint, bytes bigint, PRIMARY KEY (k, id))
//     parts of sums; each connection writes rows of its own
//   gone (ver bigint, family bigint, k bytea, PRIMARY KEY (ver, family, k))
//     rows without a value, which can be removed when no commit in progress is older than `ver`
//
// `one` also has "epoch", "server" and "news", the numbers drawn last; "high", which no front that
// has ended has drawn; and "group", the version at which the store was first shared (0: never).
//
// Rows of kItems and kSystem are guarded: `ver` changes with each change of a row. A removed key
// keeps its row, without a value, because scopes compare versions. A row that a scope has made
// only to lock it has version 0, like a key without a row. `was` is of no use to readers.
class SharedStatements final : public Statements {
 public:
  explicit SharedStatements(const std::string& schema);

  // ---- reading and writing in scopes ------------------------------------------------------------

  static constexpr std::array<ColumnFamily, 2> kGuarded = {ColumnFamily::kItems,
                                                           ColumnFamily::kSystem};
  static bool is_guarded(ColumnFamily family) {
    return family == ColumnFamily::kItems || family == ColumnFamily::kSystem;
  }

  // Of guarded families:
  // (keys) -> as read(), in ascending order, and locks the rows
  const Statement& lock(ColumnFamily family) const { return of(family).lock; }
  // (keys): makes rows of version 0 for keys that have none.
  const Statement& make_rows(ColumnFamily family) const { return of(family).make_rows; }
  // (keys, versions, scopes, id, epoch) -> the scopes that have met a conflict so far, if there
  // are new ones: those that expect other versions of rows. Locks the rows. kAnyVersion expects none.
  const Statement& compare(ColumnFamily family) const { return of(family).compare; }
  static constexpr std::int64_t kAnyVersion = -1;
  // (keys, expected versions, new versions, values, scopes, id, epoch) -> as compare(). Puts rows
  // where the versions are as expected. Fails with kVanished if a row that should be there is not,
  // or if a scope loses whose number is negative.
  const Statement& exchange(ColumnFamily family) const { return of(family).exchange; }
  static constexpr std::string_view kVanished = "2201F";  // square root of a negative number
  // (keys, ver) -> nothing: removes rows without a value whose versions are lower
  const Statement& bury(ColumnFamily family) const { return of(family).bury; }

  // Of all families, for the scopes that have met no conflict:
  // (keys, versions, values, scopes, id, epoch)
  const Statement& put_won(ColumnFamily family) const { return puts_[index_of(family)]; }
  // (keys, scopes, id, epoch)
  const Statement& remove_won(ColumnFamily family) const { return removes_[index_of(family)]; }
  // (keys, items, bytes, scopes, id, epoch, id of the counts)
  const Statement& add_counts() const { return add_counts_; }
  // (versions, families, keys, scopes, conditions, id, epoch)
  enum class When : std::int64_t { kWon = 0, kAlways = 1, kLost = 2 };
  const Statement& add_gone() const { return add_gone_; }

  // (keys) -> key, items, bytes
  const Statement& read_counts() const { return read_counts_; }
  // (lower, upper) or (lower)
  const Statement& forget_counts(bool has_upper) const { return forget_counts_[has_upper ? 1 : 0]; }
  // (ver, rows) -> ver, family, key: in ascending order
  const Statement& read_gone() const { return read_gone_; }
  // (ver): up to this one
  const Statement& forget_gone() const { return forget_gone_; }
  // As read() of all guarded families in one statement:
  // (keys of kItems, keys of kSystem) -> family, key, ver
  const Statement& read_versions() const { return read_versions_; }

  // As check_fence(), close_fence() and add_fence() of Statements; closing shows `lost` too.
  const Statement& check_guard() const { return check_guard_; }
  const Statement& close_guard() const { return close_guard_; }
  const Statement& add_guard() const { return add_guard_; }

  // ---- fronts -----------------------------------------------------------------------------------

  // () -> whether the relations of a shared store are there
  const Statement& has_group() const { return has_group_; }
  const std::string& make_group() const { return make_group_; }
  // (): until the end of the transaction no server joins, and none takes the lease of a store that
  // one server uses.
  const Statement& lock_store() const { return lock_store_; }
  // () -> epoch
  const Statement& draw_epoch() const { return draw_epoch_; }
  // () -> no, epoch, beat, low, high, acked, address
  const Statement& read_fronts() const { return read_fronts_; }
  // () -> the number of the server that joined last
  const Statement& read_server() const { return read_server_; }
  // (no, epoch, address)
  const Statement& add_front() const { return add_front_; }
  // (no)
  const Statement& keep_server() const { return keep_server_; }
  // (): sets "group", if need be
  const Statement& begin_group() const { return begin_group_; }
  // () -> a version that no front has reached, "group"
  const Statement& read_start() const { return read_start_; }
  // () -> microseconds since 1970
  const Statement& read_time() const { return read_time_; }
  // (no, epoch, low, high, acked) -> of each front as it was before this beat: no, epoch, beat, low,
  // high, acked; then the number of the last announcement. No row with the epoch: it was removed.
  const Statement& beat() const { return beat_; }
  // () -> the greatest `high`
  const Statement& read_high() const { return read_high_; }

  // Of the removal of a front, in one transaction:
  // (no, epoch, beat; -1: any) -> high; no row: it is gone, or has shown signs of life
  const Statement& lock_front() const { return lock_front_; }
  // (high)
  const Statement& keep_high() const { return keep_high_; }
  // (epoch): waits for its commits that are under way
  const Statement& remove_guards() const { return remove_guards_; }
  // (no)
  const Statement& remove_front() const { return remove_front_; }

  // (epoch, keys or NULL) -> number
  const Statement& add_news() const { return add_news_; }
  // (number) -> number, epoch, keys: of those behind it
  const Statement& read_news() const { return read_news_; }
  // (): those that all fronts have taken over
  const Statement& forget_news() const { return forget_news_; }
  // (epoch, n) -> epoch: ends the lease of a server that used the store alone, if it is unchanged
  const Statement& end_lease() const { return end_lease_; }

 private:
  struct Guarded {
    Statement lock;
    Statement make_rows;
    Statement compare;
    Statement exchange;
    Statement bury;
  };

  static std::size_t index_of(ColumnFamily family) { return static_cast<std::size_t>(family); }
  const Guarded& of(ColumnFamily family) const {
    return guarded_[family == ColumnFamily::kItems ? 0 : 1];
  }
  Guarded make_guarded(const std::string& relation);
  void make_scope_statements();
  void make_front_statements();
  void make_removal_statements();
  std::string text(const char* text) const;

  const std::string schema_;
  std::array<Guarded, 2> guarded_;
  std::array<Statement, kFamilyCount> puts_;
  std::array<Statement, kFamilyCount> removes_;
  std::array<Statement, 2> forget_counts_;
  Statement add_counts_;
  Statement add_gone_;
  Statement read_counts_;
  Statement read_gone_;
  Statement forget_gone_;
  Statement read_versions_;
  Statement check_guard_;
  Statement close_guard_;
  Statement add_guard_;
  Statement has_group_;
  std::string make_group_;
  Statement lock_store_;
  Statement draw_epoch_;
  Statement read_fronts_;
  Statement read_server_;
  Statement add_front_;
  Statement keep_server_;
  Statement begin_group_;
  Statement read_start_;
  Statement read_time_;
  Statement beat_;
  Statement read_high_;
  Statement lock_front_;
  Statement keep_high_;
  Statement remove_guards_;
  Statement remove_front_;
  Statement add_news_;
  Statement read_news_;
  Statement forget_news_;
  Statement end_lease_;
};

}  // namespace magneto::storage
