#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// How long a token is honoured after its transaction (AWS API reference, TransactWriteItems,
// "ClientRequestToken").
inline constexpr std::chrono::minutes kTokenLifetime{10};

// Remembers which transactions were carried out under a client's token, so that a repeat does
// nothing. On a durable engine a token is part of its transaction's batch. Thread-safe.
class IdempotencyTokens {
 public:
  enum class State : std::uint8_t {
    kNew,         // run the transaction, then finish() or abandon()
    kRepeated,    // it was carried out; `receipt` is what it left
    kMismatch,    // the token belongs to another request
    kInProgress,  // the first request is still running
  };
  struct Answer {
    State state;
    std::string receipt;
  };

  IdempotencyTokens(Engine& engine, const Clock& clock);

  // Reads the tokens an earlier process left. Call before any other.
  void load();

  // `digest` tells requests under the same token apart.
  Answer begin(std::string_view token, std::uint64_t digest);

  // Adds the token's record to the transaction's batch, and removes records that have expired.
  void append_record(WriteBatch& batch, std::string_view token, std::uint64_t digest,
                     std::string_view receipt);

  void finish(std::string_view token, std::string receipt);
  void abandon(std::string_view token);

 private:
  using TimePoint = Clock::TimePoint;
  struct Entry {
    std::uint64_t digest = 0;
    TimePoint expiry;
    std::string receipt;
    bool in_progress = true;
  };

  void forget_expired();  // requires mutex_

  Engine& engine_;
  const Clock& clock_;
  const TreePtr tree_;

  std::mutex mutex_;  // guards what follows
  absl::flat_hash_map<std::string, Entry> entries_;
  std::deque<std::pair<TimePoint, std::string>> by_expiry_;  // ascending
  std::deque<std::string> expired_records_;                  // still stored
};

}  // namespace magneto::storage
