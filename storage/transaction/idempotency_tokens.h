#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/encoding/digest.h"
#include "storage/engine/engine.h"
#include "storage/forward_time.h"
#include "storage/transaction/token_log.h"

namespace magneto::storage {

// How long a token is honoured after its transaction (AWS API reference, TransactWriteItems,
// "ClientRequestToken").
inline constexpr std::chrono::minutes kTokenLifetime{10};

// The tokens of a store at one moment, and those that it began with. Thread-safe.
struct TokensSnapshot {
  std::shared_ptr<const TokenLogSnapshot> log;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> hashes_of_format_2;  // by number in the log
  std::shared_ptr<const TokensSnapshot> before;                          // nullptr: none
  std::uint64_t last_expiry = 0;  // of all; milliseconds since the epoch
  ForwardTime time = {};
};

// The contents of a request under a client's token. Requests are the same if their digests are.
struct TokenContent {
  Digest digest;
  // The hash by which data directories of format 2 distinguished requests. Computed only if the
  // token is from such a directory.
  absl::FunctionRef<std::uint64_t()> hash_of_format_2;
};

// Remembers which transactions were carried out under a client's token, so that a repeat does
// nothing. On a durable engine a token is part of its transaction's batch. Thread-safe.
//
// A token that has not expired is never forgotten: otherwise a transaction could run twice
// unnoticed. If the memory for tokens is full, new tokens are refused until old ones expire.
class IdempotencyTokens {
 public:
  enum class State : std::uint8_t {
    kNew,         // run the transaction, then finish() or abandon()
    kRepeated,    // it was carried out; `receipt` is its result
    kMismatch,    // the token belongs to another request
    kInProgress,  // the first request is still running
    kFull,        // no room to remember the token
  };
  struct Answer {
    State state;
    std::string receipt;
  };

  // `memory`: bytes that remembered tokens may take.
  IdempotencyTokens(Engine& engine, const Clock& clock, std::size_t memory);

  // Reads the tokens of an earlier process, also those of format 2. Call it before any other
  // function. Throws EngineError if a record is damaged.
  void load();
  // Used in place of load(): starts with the tokens of another store. `merges`: copies them;
  // otherwise lookups search the earlier stores one after another.
  void fork_from(std::shared_ptr<const TokensSnapshot> snapshot, bool merges);
  // The current tokens; fast.
  std::shared_ptr<const TokensSnapshot> snapshot() const;
  // Whether the tokens are those of the last snapshot, or of this store's start, except for expired
  // ones.
  bool are_still(const TokensSnapshot& snapshot) const;

  // `token` is the digest of the client's token.
  Answer begin(const Digest& token, const TokenContent& content);

  // Adds the token's record to the transaction's batch, and removes some that have expired.
  void append_record(WriteBatch& batch, const Digest& token, std::string_view receipt);

  // Called after append_record() and the commit, with the transaction's keys still held, so that a
  // snapshot has both or neither.
  void finish(const Digest& token, std::string_view receipt);
  void abandon(const Digest& token);

  // Forgets all expired tokens. Throws EngineError.
  void sweep();
  // Like sweep(), for all tokens, expired or not.
  void forget_all();
  // When sweep() next has work, by the clock; nullopt while no token is remembered.
  std::optional<Clock::TimePoint> next_expiry() const;
  // Sets a callback for a token that is the only remembered one; called with locks held. Set it
  // before any other use.
  void on_first(std::function<void()> call) { on_first_ = std::move(call); }

  std::size_t memory_used() const;  // by remembered tokens; limited by `memory`

 private:
  using Milliseconds = std::uint64_t;  // since the epoch
  struct Started {
    Digest content;
    Milliseconds expiry = 0;
  };
  // The head of a token's digest, and the number of its entry. A tree, because a hash table would
  // sometimes stop all transactions to move all its entries.
  using IndexKey = std::pair<std::uint64_t, std::uint64_t>;
  // A remembered token, and its hash of format 2 if it has one.
  struct Found {
    const RememberedToken* token;
    std::optional<std::uint64_t> hash_of_format_2;
  };

  static std::size_t size_of(const RememberedToken& entry);

  void load_format_2();  // requires mutex_
  // The next functions require mutex_.
  // The time by the clock; if the clock is set back, a token still expires after its normal
  // lifetime.
  Milliseconds now() const;
  void remember(RememberedToken entry);
  void merge(const TokensSnapshot& snapshot);
  std::optional<Found> find(const Digest& token) const;
  std::optional<Found> find_before(const Digest& token, Milliseconds time) const;
  // Forgets at most `limit` tokens that have expired by then; `batch` removes their records.
  std::size_t forget_expired(WriteBatch& batch, std::size_t limit, Milliseconds time);

  Engine& engine_;
  const Clock& clock_;
  const std::size_t memory_;
  const TreePtr tree_;
  std::function<void()> on_first_;

  mutable std::mutex mutex_;  // guards the next members
  mutable ForwardTime time_;
  absl::flat_hash_map<Digest, Started> started_;
  TokenLog entries_;  // in the order of their expiry
  absl::btree_set<IndexKey> index_;
  std::size_t memory_used_ = 0;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> hashes_of_format_2_;  // by the entry's number
  std::shared_ptr<const TokensSnapshot> before_;                          // set by fork_from()
  Milliseconds last_expiry_ = 0;  // of all remembered tokens; 0: none
};

}  // namespace magneto::storage
