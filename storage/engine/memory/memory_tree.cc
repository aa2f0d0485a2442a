#include "storage/engine/memory/memory_tree.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#ifdef __SANITIZE_THREAD__
// ThreadSanitizer's search for deadlocks ends the program at the 65th lock of a thread, but a
// commit locks every tree that it changes.
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }
#endif

namespace magneto::storage {

MemoryTree::MemoryTree(std::string_view prefix, std::shared_ptr<NodePool> pool)
    : pool_(std::move(pool)), prefix_size_(prefix.size()), records_(*pool_) {}

std::optional<Record*> MemoryTree::find(std::string_view key) const {
  const Probe probe(without_prefix(key));
  const auto lock = lock_to_read();
  if (is_closed_) return std::nullopt;
  Record* record = records_.find(probe);
  if (record != nullptr) record->pin();
  return record;
}

std::optional<std::size_t> MemoryTree::pin_run(const KeySpan& span, OptionalKey after,
                                               Direction direction, KeyedRecord* records,
                                               std::size_t limit) const {
  const auto lock = lock_to_read();
  if (is_closed_) return std::nullopt;
  const std::size_t count = direction == Direction::kForward
                                ? collect_forward(span, after, records, limit)
                                : collect_backward(span, after, records, limit);
  for (std::size_t i = 0; i < count; ++i) records[i].record->pin();
  return count;
}

Record* MemoryTree::find_at(std::uint64_t snapshot, std::string_view key) const {
  const std::string_view bare = without_prefix(key);
  const auto lock = lock_to_read();
  Record* record =
      history_ == nullptr ? records_.find(Probe(bare)) : history_->find(snapshot, records_, bare);
  if (record != nullptr) record->pin();
  return record;
}

std::size_t MemoryTree::pin_run_at(std::uint64_t snapshot, const KeySpan& span, OptionalKey after,
                                   Direction direction, KeyedRecord* records,
                                   std::size_t limit) const {
  if (span.empty) return 0;
  const auto lock = lock_to_read();
  const std::size_t count =
      history_ != nullptr
          ? history_->collect(snapshot, records_, span, after, direction, records, limit)
      : direction == Direction::kForward ? collect_forward(span, after, records, limit)
                                         : collect_backward(span, after, records, limit);
  for (std::size_t i = 0; i < count; ++i) records[i].record->pin();
  return count;
}

bool MemoryTree::preserve(std::uint64_t snapshot, std::string_view key, Record* old) {
  if (history_ == nullptr) history_ = std::make_unique<TreeHistory>();
  return history_->add(snapshot, without_prefix(key), old);
}

bool MemoryTree::preserve_all(std::uint64_t snapshot, RecordTree contents) {
  if (history_ == nullptr) history_ = std::make_unique<TreeHistory>();
  return history_->add_all(snapshot, std::move(contents));
}

Record* MemoryTree::make_record(std::string_view key, std::string_view value) const {
  return Record::create(without_prefix(key), value);
}

Record* MemoryTree::make_tombstone(std::string_view key) const {
  return Record::create_tombstone(without_prefix(key));
}

// Prefetches the records, which are touched after the walk. If the last one of a node is before the
// end, so are the others.
std::size_t MemoryTree::collect_forward(const KeySpan& span, OptionalKey after,
                                        KeyedRecord* records, std::size_t limit) const {
  RecordTree::Iterator at = after        ? records_.first_above(Probe(*after), false)
                            : span.lower ? records_.first_above(Probe(*span.lower), true)
                                         : records_.first();
  const std::optional<Probe> end = span.upper ? std::optional<Probe>(*span.upper) : std::nullopt;
  std::size_t count = 0;
  while (count < limit && at) {
    const std::size_t left = std::min(limit - count, at.left_in_node());
    const bool has_end = end && !at.ahead(left - 1).is_below(*end);
    std::size_t run = has_end ? 0 : left;
    while (has_end && at.ahead(run).is_below(*end)) ++run;
    at.copy_to(records + count, run);
    count += run;
    if (has_end) break;
    at = RecordTree::next(at.ahead(run - 1));
  }
  return count;
}

std::size_t MemoryTree::collect_backward(const KeySpan& span, OptionalKey after,
                                         KeyedRecord* records, std::size_t limit) const {
  RecordTree::Iterator at = after        ? records_.last_below(Probe(*after))
                            : span.upper ? records_.last_below(Probe(*span.upper))
                                         : records_.last();
  const std::optional<Probe> end = span.lower ? std::optional<Probe>(*span.lower) : std::nullopt;
  std::size_t count = 0;
  for (; count < limit && at; at = RecordTree::previous(at)) {
    if (end && at.is_below(*end)) break;
    __builtin_prefetch(at.record(), 1);
    records[count++] = at.entry();
  }
  return count;
}

MemoryTreeLocks::MemoryTreeLocks(Trees trees) : trees_(std::move(trees)) {
  std::sort(trees_.begin(), trees_.end(), std::less<>());
  trees_.erase(std::unique(trees_.begin(), trees_.end()), trees_.end());
  for (MemoryTree* tree : trees_) tree->mutex().lock();
}

MemoryTreeLocks::~MemoryTreeLocks() {
  for (MemoryTree* tree : trees_) tree->mutex().unlock();
}

std::string_view MemoryCursor::key() const {
  key_.assign(prefix_);
  records_[current_].append_key(key_);
  return key_;
}

bool MemoryCursor::fill() {
  std::array<KeyedRecord, kLargestChunk> records;
  std::size_t found = 0;
  if (!at_end_) {
    thread_local std::string key_bytes;  // saves an allocation for each chunk
    OptionalKey last;
    if (count_ > 0) {
      key_bytes.clear();
      records_[count_ - 1].append_key(key_bytes);
      last = key_bytes;
    }
    const std::optional<std::size_t> pinned =
        tree_.pin_run(span_, last, direction_, records.data(), chunk_);
    if (!pinned) {
      is_cut_off_ = true;
      if (count_ > 0) {
        current_ = count_ - 1;
        key();
      }
    }
    found = pinned.value_or(0);
    at_end_ = found < chunk_;
    chunk_ = std::min(chunk_ * 2, kLargestChunk);
  }
  release_chunk();
  std::copy_n(records.begin(), found, records_.begin());
  count_ = found;
  current_ = 0;
  return count_ > 0;
}

void MemoryCursor::release_chunk() {
  for (std::size_t i = 0; i < count_; ++i) records_[i].record->release();
}

}  // namespace magneto::storage
