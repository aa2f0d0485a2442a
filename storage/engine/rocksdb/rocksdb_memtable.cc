#include "storage/engine/rocksdb/rocksdb_memtable.h"

#include <rocksdb/memtablerep.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/memory/key_head.h"
#include "storage/engine/rocksdb/background_throttle.h"

namespace magneto::storage {

namespace {

// An entry begins with the size of its internal key as a varint32 (the format is frozen,
// rocksdb/memtablerep.h).
std::string_view internal_key_of(const char* entry) {
  std::uint32_t size = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*entry++);
    size |= (byte & 0x7FU) << shift;
    if (byte < 0x80) return {entry, size};
  }
}

const char* entry_of(std::string_view internal_key) {
  std::size_t size_of_varint = 1;
  for (std::size_t size = internal_key.size(); size >= 0x80; size >>= 7) ++size_of_varint;
  return internal_key.data() - size_of_varint;
}

// An internal key: a user key, then a little-endian tag of 8 bytes that distinguishes its versions.
// The first 16 bytes of the user key nearly always decide a comparison, so they are kept here.
class SortedKey {
 public:
  explicit SortedKey(std::string_view internal_key)
      : bytes_(internal_key),
        first_(key_head(user_key())),
        second_(key_head(user_key().substr(std::min(sizeof first_, user_key().size())))) {}

  std::string_view bytes() const { return bytes_; }

  bool operator<(const SortedKey& other) const {
    if (first_ != other.first_) return first_ < other.first_;
    if (second_ != other.second_) return second_ < other.second_;
    const int order = user_key().compare(other.user_key());
    return order != 0 ? order < 0 : tag() > other.tag();  // newer versions come first
  }

 private:
  std::string_view user_key() const { return bytes_.substr(0, bytes_.size() - sizeof(tag())); }
  std::uint64_t tag() const {
    std::uint64_t tag = 0;
    std::memcpy(&tag, bytes_.data() + bytes_.size() - sizeof tag, sizeof tag);
    return tag;
  }

  std::string_view bytes_;
  std::uint64_t first_;
  std::uint64_t second_;
};

using Run = std::vector<SortedKey>;                    // ascending
using Runs = std::vector<std::shared_ptr<const Run>>;  // each at least twice as long as the next

std::shared_ptr<const Run> merge(const Run& left, const Run& right) {
  auto merged = std::make_shared<Run>();
  merged->reserve(left.size() + right.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(*merged));
  return merged;
}

void add_run(Runs& runs, std::shared_ptr<const Run> run) {
  for (; !runs.empty() && runs.back()->size() < 2 * run->size(); runs.pop_back()) {
    run = merge(*runs.back(), *run);
  }
  runs.push_back(std::move(run));
}

// A node; its entry follows it in memory.
struct Node {
  Node* older = nullptr;

  char* entry() { return reinterpret_cast<char*>(this + 1); }
};

class Memtable final : public rocksdb::MemTableRep {
 public:
  explicit Memtable(rocksdb::Allocator* allocator) : MemTableRep(allocator) {}
  ~Memtable() override;

  rocksdb::KeyHandle Allocate(const std::size_t size, char** entry) override {
    constexpr std::uintptr_t kMask = alignof(Node) - 1;
    char* memory = nullptr;
    MemTableRep::Allocate(sizeof(Node) + size + kMask, &memory);
    Node* node = new (memory + (-reinterpret_cast<std::uintptr_t>(memory) & kMask)) Node;
    *entry = node->entry();
    return node;
  }

  void Insert(rocksdb::KeyHandle handle) override {
    Node* node = static_cast<Node*>(handle);
    node->older = newest_.load(std::memory_order_relaxed);
    while (!newest_.compare_exchange_weak(node->older, node, std::memory_order_release)) {
    }
  }
  void InsertConcurrently(rocksdb::KeyHandle handle) override { Insert(handle); }

  bool Contains(const char* entry) const override;

  // Nearly all of its memory belongs to the allocator. The result must not change once nothing is
  // added.
  std::size_t ApproximateMemoryUsage() override { return 0; }

  void Get(const rocksdb::LookupKey& key, void* argument,
           bool (*callback)(void* argument, const char* entry)) override;
  MemTableRep::Iterator* GetIterator(rocksdb::Arena* arena) override;
  MemTableRep::Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override;

 private:
  class Cursor;
  struct Slot;

  // Sorts all entries inserted before the call. If there is no memory, throws and changes nothing:
  // a later call sorts them. Inside the engine there is memory (memory_reserve.h).
  std::shared_ptr<const Runs> sorted() const;
  void add_runs(Node* newest) const;

  static thread_local Cursor* lookup_;

  std::atomic<Node*> newest_ = nullptr;
  mutable std::mutex mutex_;                     // guards the next two
  mutable const Node* newest_sorted_ = nullptr;  // this node and all older ones are in runs_
  mutable std::shared_ptr<const Runs> runs_ = std::make_shared<Runs>();
  std::atomic<Slot*> slots_ = nullptr;
};

std::shared_ptr<const Runs> Memtable::sorted() const {
  const std::lock_guard guard(mutex_);
  Node* newest = newest_.load(std::memory_order_acquire);
  if (newest != newest_sorted_) add_runs(newest);
  return runs_;
}

void Memtable::add_runs(Node* newest) const {
  constexpr std::size_t kLargestPiece = 1'024;
  auto runs = std::make_shared<Runs>(*runs_);
  for (Node* node = newest; node != newest_sorted_;) {
    auto piece = std::make_shared<Run>();
    for (; node != newest_sorted_ && piece->size() < kLargestPiece; node = node->older) {
      piece->emplace_back(internal_key_of(node->entry()));
    }
    std::sort(piece->begin(), piece->end());
    add_run(*runs, std::move(piece));
    yield_to_foreground();
  }
  runs_ = std::move(runs);
  newest_sorted_ = newest;
}

bool Memtable::Contains(const char* entry) const {
  const SortedKey key(internal_key_of(entry));
  const std::shared_ptr<const Runs> runs = sorted();
  return std::any_of(runs->begin(), runs->end(), [&](const std::shared_ptr<const Run>& run) {
    return std::binary_search(run->begin(), run->end(), key);
  });
}

// RocksDB ends iterators of an arena without freeing them, and arenas are not in its public
// headers. So iterators live in slots, which are reused after the iterator is destroyed. The lease
// is the base class that is destroyed last.
class SlotLease {
 public:
  explicit SlotLease(std::atomic<bool>& is_taken) : is_taken_(is_taken) {}
  ~SlotLease() { is_taken_.store(false, std::memory_order_release); }
  SlotLease(const SlotLease&) = delete;
  SlotLease& operator=(const SlotLease&) = delete;

 private:
  std::atomic<bool>& is_taken_;
};

// Walks the runs that exist when it is positioned, as one.
class Memtable::Cursor final : private SlotLease, public MemTableRep::Iterator {
 public:
  Cursor(const Memtable& memtable, std::atomic<bool>& is_taken)
      : SlotLease(is_taken), memtable_(memtable) {}

  static void* operator new(std::size_t, void* slot) { return slot; }
  static void operator delete(void*) {}  // the slot stays

  bool Valid() const override { return current_ != nullptr; }
  const char* key() const override { return entry_of(current_->bytes()); }
  void Next() override {
    if (is_forward_) {
      ++iterators_[run_];
    } else {
      place_after(*current_);
    }
    choose_first();
  }
  void Prev() override {
    if (is_forward_) {
      place_before(*current_);
    } else {
      --iterators_[run_];
    }
    choose_last();
  }
  void Seek(const rocksdb::Slice& key, const char*) override {
    runs_ = memtable_.sorted();
    place_before(SortedKey({key.data(), key.size()}));
    choose_first();
  }
  void SeekForPrev(const rocksdb::Slice& key, const char*) override {
    runs_ = memtable_.sorted();
    place_after(SortedKey({key.data(), key.size()}));
    choose_last();
  }
  void SeekToFirst() override {
    runs_ = memtable_.sorted();
    place([](const Run& run) { return run.begin(); });
    choose_first();
  }
  void SeekToLast() override {
    runs_ = memtable_.sorted();
    place([](const Run& run) { return run.end(); });
    choose_last();
  }

 private:
  template <typename Find>
  void place(Find find) {
    iterators_.clear();
    for (const std::shared_ptr<const Run>& run : *runs_) iterators_.push_back(find(*run));
  }
  void place_before(const SortedKey& key) {
    place([&](const Run& run) { return std::lower_bound(run.begin(), run.end(), key); });
  }
  void place_after(const SortedKey& key) {
    place([&](const Run& run) { return std::upper_bound(run.begin(), run.end(), key); });
  }

  void choose_first();
  void choose_last();

  const Memtable& memtable_;
  std::shared_ptr<const Runs> runs_;
  std::vector<Run::const_iterator> iterators_;  // one for each run, between two of its keys
  bool is_forward_ = true;                      // current_ is behind the iterator of its run
  std::size_t run_ = 0;                         // the run of current_
  const SortedKey* current_ = nullptr;          // nullptr at the end
};

void Memtable::Cursor::choose_first() {
  is_forward_ = true;
  current_ = nullptr;
  for (std::size_t i = 0; i < iterators_.size(); ++i) {
    if (iterators_[i] == (*runs_)[i]->end()) continue;
    if (current_ == nullptr || *iterators_[i] < *current_) {
      current_ = &*iterators_[i];
      run_ = i;
    }
  }
}

void Memtable::Cursor::choose_last() {
  is_forward_ = false;
  current_ = nullptr;
  for (std::size_t i = 0; i < iterators_.size(); ++i) {
    if (iterators_[i] == (*runs_)[i]->begin()) continue;
    const SortedKey& last = *(iterators_[i] - 1);
    if (current_ == nullptr || *current_ < last) {
      current_ = &last;
      run_ = i;
    }
  }
}

struct Memtable::Slot {
  std::atomic<bool> is_taken = true;
  Slot* older = nullptr;
  alignas(Cursor) std::array<std::byte, sizeof(Cursor)> cursor;
};

Memtable::~Memtable() {
  for (Slot* slot = slots_.load(); slot != nullptr;) {
    const Slot* ended = slot;
    slot = slot->older;
    delete ended;
  }
}

rocksdb::MemTableRep::Iterator* Memtable::GetIterator(rocksdb::Arena*) {
  Slot* slot = slots_.load(std::memory_order_acquire);
  while (slot != nullptr && slot->is_taken.exchange(true, std::memory_order_acquire)) {
    slot = slot->older;
  }
  if (slot == nullptr) {
    slot = new Slot;
    slot->older = slots_.load(std::memory_order_relaxed);
    while (!slots_.compare_exchange_weak(slot->older, slot, std::memory_order_release)) {
    }
  }
  return new (slot->cursor.data()) Cursor(*this, slot->is_taken);
}

// The base class can read a LookupKey but never frees the iterator that it uses. Get() therefore
// passes it this one.
void Memtable::Get(const rocksdb::LookupKey& key, void* argument,
                   bool (*callback)(void* argument, const char* entry)) {
  std::atomic<bool> is_taken = true;
  Cursor cursor(*this, is_taken);
  lookup_ = &cursor;
  MemTableRep::Get(key, argument, callback);
  lookup_ = nullptr;
}

thread_local Memtable::Cursor* Memtable::lookup_ = nullptr;

rocksdb::MemTableRep::Iterator* Memtable::GetDynamicPrefixIterator(rocksdb::Arena* arena) {
  if (lookup_ == nullptr) return GetIterator(arena);
  return std::exchange(lookup_, nullptr);
}

class MemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  const char* Name() const override { return "MagnetoSortedWhenRead"; }
  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator&,
                                          rocksdb::Allocator* allocator,
                                          const rocksdb::SliceTransform*,
                                          rocksdb::Logger*) override {
    return new Memtable(allocator);
  }
  bool IsInsertConcurrentlySupported() const override { return true; }
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory() {
  return std::make_shared<MemtableFactory>();
}

}  // namespace magneto::storage
