#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "storage/encoding/digest.h"

namespace magneto::storage {

// The remembered data of a transaction that was carried out under a client's token.
struct RememberedToken {
  using Receipt = absl::InlinedVector<char, 16>;

  Digest token;
  Digest content;
  std::uint64_t expiry;  // milliseconds since the epoch
  Receipt receipt;
};

// The leading bytes of a digest.
std::uint64_t head_of(const Digest& digest);

class TokenLogSnapshot;

// Remembered tokens in order, with ascending numbers; the first ones are removed. A snapshot costs
// one pointer for some hundred tokens. Not thread-safe, but snapshots do not change.
class TokenLog {
 public:
  bool empty() const { return first_ == end_; }
  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return end_; }  // the number of the next
  const RememberedToken& at(std::uint64_t number) const;
  const RememberedToken& front() const { return at(first_); }
  const RememberedToken& back() const { return at(end_ - 1); }
  std::uint64_t size() const { return end_ - first_; }

  void push_back(RememberedToken token);
  void pop_front();

  // The current tokens.
  std::shared_ptr<const TokenLogSnapshot> snapshot() const;

 private:
  friend class TokenLogSnapshot;
  // Tokens from a number on. Its capacity is reserved, so that no token moves.
  struct Chunk {
    std::uint64_t first;
    std::shared_ptr<std::vector<RememberedToken>> tokens;
  };
  static constexpr std::size_t kFirstChunk = 8;
  static constexpr std::size_t kLargestChunk = 256;

  static const Chunk& chunk_of(const std::deque<Chunk>& chunks, std::uint64_t number);

  std::deque<Chunk> chunks_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
};

// The tokens of a TokenLog at one moment. Thread-safe.
class TokenLogSnapshot {
 public:
  TokenLogSnapshot(std::deque<TokenLog::Chunk> chunks, std::uint64_t first, std::uint64_t end)
      : chunks_(std::move(chunks)), first_(first), end_(end) {}

  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return end_; }
  // Call it before find(), without locks. The first call takes time in proportion to the number of
  // tokens, and throws NeedsWorker if that is too long for an I/O thread.
  void prepare() const;
  // The number of the token's last entry.
  std::optional<std::uint64_t> find(const Digest& token) const;
  const RememberedToken& at(std::uint64_t number) const;

 private:
  const std::deque<TokenLog::Chunk> chunks_;
  const std::uint64_t first_;
  const std::uint64_t end_;
  mutable std::once_flag indexed_;
  mutable std::atomic<bool> is_indexed_{false};
  mutable absl::flat_hash_map<Digest, std::uint64_t> numbers_;  // made by prepare()
};

}  // namespace magneto::storage
