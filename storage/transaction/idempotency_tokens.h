#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/encoding/digest.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// How long a token is honoured after its transaction (AWS API reference, TransactWriteItems,
// "ClientRequestToken").
inline constexpr std::chrono::minutes kTokenLifetime{10};

// What a request under a client's token asks for. Requests are the same when their digests are.
struct TokenContent {
  Digest digest;
  // The hash by which data directories of format 2 told requests apart; asked for only when the
  // token is from such a one.
  absl::FunctionRef<std::uint64_t()> hash_of_format_2;
};

// Remembers which transactions were carried out under a client's token, so that a repeat does
// nothing. On a durable engine a token is part of its transaction's batch. Thread-safe.
//
// A token that is not expired is never forgotten: what would then be done twice, nobody would be
// told of. When their memory is full new tokens are refused instead, until old ones expire.
class IdempotencyTokens {
 public:
  enum class State : std::uint8_t {
    kNew,         // run the transaction, then finish() or abandon()
    kRepeated,    // it was carried out; `receipt` is what it left
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

  // Reads the tokens an earlier process left, also those of format 2. Call before any other. Throws
  // EngineError when a record is damaged.
  void load();

  // `token` is the digest of the client's token.
  Answer begin(const Digest& token, const TokenContent& content);

  // Adds the token's record to the transaction's batch, and removes some that have expired.
  void append_record(WriteBatch& batch, const Digest& token, std::string_view receipt);

  // After append_record() and the commit.
  void finish(const Digest& token, std::string_view receipt);
  void abandon(const Digest& token);

  // Forgets all that has expired. Throws EngineError.
  void sweep();

  std::size_t memory_used() const;  // by remembered tokens, as `memory` limits it

 private:
  using Milliseconds = std::uint64_t;  // since the epoch
  using Receipt = absl::InlinedVector<char, 16>;
  struct Started {
    Digest content;
    Milliseconds expiry = 0;
  };
  struct Entry {
    Digest token;
    Digest content;
    Milliseconds expiry;
    Receipt receipt;
  };
  // The head of a token's digest, and which entry is its own. A tree, because a hash table would
  // now and then stop all transactions to move all its entries.
  using IndexKey = std::pair<std::uint64_t, std::uint64_t>;

  static std::size_t size_of(const Entry& entry);

  void load_format_2();  // requires mutex_
  Milliseconds now() const;
  // All require mutex_.
  void remember(Entry entry);
  // The number of the token's entry.
  std::optional<std::uint64_t> find(const Digest& token) const;
  bool is_same(std::uint64_t number, const TokenContent& content) const;
  // Forgets at most `limit` tokens that have expired; `batch` removes their records.
  std::size_t forget_expired(WriteBatch& batch, std::size_t limit);

  Engine& engine_;
  const Clock& clock_;
  const std::size_t memory_;
  const TreePtr tree_;

  mutable std::mutex mutex_;  // guards what follows
  absl::flat_hash_map<Digest, Started> started_;
  std::deque<Entry> entries_;      // in the order they expire
  std::uint64_t first_entry_ = 0;  // the number of entries_.front()
  absl::btree_set<IndexKey> index_;
  std::size_t memory_used_ = 0;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> hashes_of_format_2_;  // by the entry's number
};

}  // namespace magneto::storage
