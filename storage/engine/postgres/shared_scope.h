#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/engine/key_locks.h"
#include "storage/engine/postgres/postgres_reads.h"
#include "storage/engine/postgres/scope_statements.h"
#include "storage/engine/write_scope.h"

namespace magneto::storage {

// How often scopes of the same keys have met conflicts in succession. Keys share numbers by their
// hash. Thread-safe.
class ConflictCounts {
 public:
  // From this number on a scope locks its rows before it reads them.
  static constexpr std::uint8_t kMany = 3;

  bool are_many(std::span<const std::size_t> places) const;
  void add(std::span<const std::size_t> places);
  void clear(std::span<const std::size_t> places);
  static std::vector<std::size_t> places_of(std::span<const std::string_view> keys);

 private:
  static constexpr std::size_t kSize = 1'024;
  std::array<std::atomic<std::uint8_t>, kSize> counts_{};
};

// The parts of an engine that its scopes use.
struct ScopeContext {
  const SharedStatements& statements;
  VersionSource& versions;
  ConflictCounts& conflicts;
  // Executes one reading statement.
  const RunRead& run;
  const ReadRows& read;
  // As ScopeCommit::commit(), after checks of the batch.
  std::function<bool(const ScopeWrite& write)> commit;
};

// The scope of a store that several servers share. It remembers the versions of the rows that it has
// read, and commits if they are unchanged. Its keys are locked for other scopes of this server.
class SharedScope : public WriteScope {
 public:
  SharedScope(const ScopeContext& context, KeyLocks::Holder locks, std::vector<std::size_t> places)
      : context_(context), locks_(std::move(locks)), places_(std::move(places)) {}
  ~SharedScope() override { finish(); }

  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override;
  using WriteScope::get;
  Version draw(std::size_t count) override;
  CommitResult commit(const WriteBatch& batch) override;

 protected:
  // Reads rows of one family, as ReadRows.
  virtual void read(ColumnFamily family, std::span<const std::string_view> keys,
                    std::span<FoundRow> rows);
  // Whether the batch is committed. The versions are drawn.
  virtual bool try_commit(const ScopeWrite& write);
  // Whether all guards had their versions at one moment.
  virtual bool are_unchanged();

  const ScopeContext& context_;
  std::vector<RowGuard> guards_;

 private:
  void read_guarded(ColumnFamily family, std::span<const KeyRead> reads,
                    std::span<PinnedValue> values);
  void guard(ColumnFamily family, std::string_view key, std::int64_t version);
  void draw_for(const WriteBatch& batch);
  Version newest_read() const;
  void finish();

  const KeyLocks::Holder locks_;
  const std::vector<std::size_t> places_;  // in ConflictCounts
  std::size_t reads_ = 0;                  // statements that have read guarded rows
  bool is_stale_ = false;                  // a row has changed between two reads
  std::vector<Version> drawn_;
  Version last_ = 0;
};

}  // namespace magneto::storage
