#include "storage/transaction/token_log.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/model/effort.h"

namespace magneto::storage {

std::uint64_t head_of(const Digest& digest) { return read_uint64(bytes_of(digest)); }

const TokenLog::Chunk& TokenLog::chunk_of(const std::deque<Chunk>& chunks, std::uint64_t number) {
  return *std::prev(std::ranges::upper_bound(chunks, number, {}, &Chunk::first));
}

const RememberedToken& TokenLog::at(std::uint64_t number) const {
  const Chunk& chunk = chunk_of(chunks_, number);
  return (*chunk.tokens)[number - chunk.first];
}

void TokenLog::push_back(RememberedToken token) {
  const bool is_full =
      chunks_.empty() || chunks_.back().tokens->size() == chunks_.back().tokens->capacity();
  if (is_full) {
    auto tokens = std::make_shared<std::vector<RememberedToken>>();
    tokens->reserve(chunks_.empty()
                        ? kFirstChunk
                        : std::min(2 * chunks_.back().tokens->capacity(), kLargestChunk));
    chunks_.push_back({end_, std::move(tokens)});
  }
  chunks_.back().tokens->push_back(std::move(token));
  ++end_;
}

void TokenLog::pop_front() {
  ++first_;
  const bool is_used_up = chunks_.size() > 1 ? chunks_[1].first == first_ : first_ == end_;
  if (is_used_up) chunks_.pop_front();
}

std::shared_ptr<const TokenLogSnapshot> TokenLog::snapshot() const {
  return std::make_shared<TokenLogSnapshot>(chunks_, first_, end_);
}

void TokenLogSnapshot::prepare() const {
  constexpr std::uint64_t kFew = 1'000;
  if (is_indexed_.load(std::memory_order_acquire)) return;
  if (end_ - first_ > kFew) Effort::before_waiting();
  std::call_once(indexed_, [this] {
    for (std::uint64_t number = first_; number < end_; ++number) {
      numbers_.insert_or_assign(at(number).token, number);
    }
    is_indexed_.store(true, std::memory_order_release);
  });
}

std::optional<std::uint64_t> TokenLogSnapshot::find(const Digest& token) const {
  const auto found = numbers_.find(token);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

const RememberedToken& TokenLogSnapshot::at(std::uint64_t number) const {
  const TokenLog::Chunk& chunk = TokenLog::chunk_of(chunks_, number);
  return (*chunk.tokens)[number - chunk.first];
}

}  // namespace magneto::storage
