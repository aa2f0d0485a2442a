#include "storage/engine/rocksdb_memtable.h"

#include <rocksdb/memtablerep.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

#include "storage/engine/key_head.h"

namespace magneto::storage {

namespace {

constexpr int kMaxHeight = 12;
constexpr std::uint32_t kBranching = 4;

// A user key and what tells its versions apart: the sequence number, and the kind of the entry.
class InternalKey {
 public:
  // As RocksDB hands it over: the user key, then the tag, 8 bytes, little-endian.
  explicit InternalKey(std::string_view bytes)
      : user_key_(bytes.substr(0, bytes.size() - kTagSize)),
        tag_(bytes.data() + user_key_.size()),
        first_(key_head(user_key_)),
        second_(key_head(user_key_.substr(std::min(sizeof first_, user_key_.size())))) {}
  // As it stands at the start of an entry (the format is frozen, rocksdb/memtablerep.h): its size
  // as a varint32 comes first.
  static InternalKey of_entry(const char* entry) { return InternalKey(bytes_of(entry)); }

  // The order of `entry` to this: less than, equal to or greater than 0.
  int order(const char* entry) const {
    const std::string_view bytes = bytes_of(entry);
    const std::string_view user_key = bytes.substr(0, bytes.size() - kTagSize);
    if (user_key.size() >= sizeof first_ + sizeof second_) {
      const std::uint64_t first = key_head(user_key);
      if (first != first_) return first < first_ ? -1 : 1;
      const std::uint64_t second = key_head(user_key.substr(sizeof first_));
      if (second != second_) return second < second_ ? -1 : 1;
    }
    if (const int order = user_key.compare(user_key_); order != 0) return order;
    return order_of_tags(bytes.data() + user_key.size(), tag_);
  }

 private:
  static constexpr std::size_t kTagSize = 8;

  static std::string_view bytes_of(const char* entry) {
    std::uint32_t size = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*entry++);
      size |= (byte & 0x7FU) << shift;
      if (byte < 0x80) return {entry, size};
    }
  }

  // Newer versions come first.
  static int order_of_tags(const char* left, const char* right) {
    for (int i = kTagSize - 1; i >= 0; --i) {
      const auto l = static_cast<std::uint8_t>(left[i]);
      const auto r = static_cast<std::uint8_t>(right[i]);
      if (l != r) return l > r ? -1 : 1;
    }
    return 0;
  }

  const std::string_view user_key_;
  const char* const tag_;
  const std::uint64_t first_;   // the head of the user key
  const std::uint64_t second_;  // the head of what follows
};

// The links of the levels above the lowest lie before it in memory, the entry behind its height.
class Node {
 public:
  // Of a node without its entry.
  static constexpr std::size_t size(int height) { return sizeof(Link) * height + sizeof(height_); }

  // In size(height) bytes that are aligned for a pointer, with room for an entry behind them.
  static Node* make(char* memory, int height) {
    for (int i = 0; i < height; ++i) new (memory + sizeof(Link) * i) Link(nullptr);
    Node* node = reinterpret_cast<Node*>(memory + sizeof(Link) * (height - 1));
    node->height_ = static_cast<std::uint8_t>(height);
    return node;
  }

  int height() const { return height_; }
  char* entry() { return reinterpret_cast<char*>(&height_) + sizeof(height_); }
  const char* entry() const { return reinterpret_cast<const char*>(&height_) + sizeof(height_); }

  Node* next(int level) const { return link(level).load(std::memory_order_acquire); }
  // Before the node can be reached on this level.
  void prepare_next(int level, Node* next) { link(level).store(next, std::memory_order_relaxed); }
  // False when something else than `expected` is next.
  bool set_next(int level, Node* expected, Node* next) {
    return link(level).compare_exchange_strong(expected, next, std::memory_order_release,
                                               std::memory_order_relaxed);
  }

 private:
  using Link = std::atomic<Node*>;

  Link& link(int level) { return *(&lowest_ - level); }
  const Link& link(int level) const { return *(&lowest_ - level); }

  Link lowest_;
  std::uint8_t height_;
};

int random_height() {
  thread_local std::uint64_t state = reinterpret_cast<std::uintptr_t>(&state) | 1;
  state ^= state << 13;  // xorshift64
  state ^= state >> 7;
  state ^= state << 17;
  int height = 1;
  for (std::uint64_t bits = state; height < kMaxHeight && bits % kBranching == 0; ++height) {
    bits /= kBranching;
  }
  return height;
}

class SkipListMemtable final : public rocksdb::MemTableRep {
 public:
  explicit SkipListMemtable(rocksdb::Allocator* allocator)
      : MemTableRep(allocator), head_(allocate(kMaxHeight, 0)) {}
  ~SkipListMemtable() override;

  rocksdb::KeyHandle Allocate(const std::size_t size, char** entry) override {
    Node* node = allocate(random_height(), size);
    *entry = node->entry();
    return node;
  }

  void Insert(rocksdb::KeyHandle node) override { insert(static_cast<Node*>(node)); }
  bool InsertKey(rocksdb::KeyHandle node) override { return insert(static_cast<Node*>(node)); }
  void InsertConcurrently(rocksdb::KeyHandle node) override { Insert(node); }
  bool InsertKeyConcurrently(rocksdb::KeyHandle node) override { return InsertKey(node); }

  bool Contains(const char* entry) const override {
    const InternalKey key = InternalKey::of_entry(entry);
    const Node* node = first_from(key);
    return node != nullptr && key.order(node->entry()) == 0;
  }

  // All of it is the allocator's, but for a few iterators. It may not change once nothing is added.
  std::size_t ApproximateMemoryUsage() override { return 0; }

  void Get(const rocksdb::LookupKey& key, void* argument,
           bool (*callback)(void* argument, const char* entry)) override;
  MemTableRep::Iterator* GetIterator(rocksdb::Arena* arena) override;
  MemTableRep::Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override;

 private:
  class Cursor;
  struct Slot;

  // Where a key belongs, on each level.
  struct Place {
    std::array<Node*, kMaxHeight> before;
    std::array<Node*, kMaxHeight> after;  // nullptr at the end
  };

  Node* allocate(int height, std::size_t entry_size) {
    constexpr std::size_t kAlignment = alignof(Node);
    char* memory = nullptr;
    MemTableRep::Allocate(Node::size(height) + entry_size + kAlignment - 1, &memory);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return Node::make(memory + (kAlignment - address % kAlignment) % kAlignment, height);
  }

  bool insert(Node* node);
  static void advance(const InternalKey& key, int level, Node*& before, Node*& after);
  Place find(const InternalKey& key) const;
  const Node* first_from(const InternalKey& key) const { return find(key).after[0]; }
  const Node* last_before(const InternalKey& key) const { return unless_head(find(key).before[0]); }
  const Node* first() const { return head_->next(0); }
  const Node* last() const;
  const Node* unless_head(const Node* node) const { return node == head_ ? nullptr : node; }

  static thread_local Cursor* lookup_;

  Node* const head_;
  std::atomic<Slot*> slots_ = nullptr;
};

// The last node before `key` and the one after it, from `before` on.
void SkipListMemtable::advance(const InternalKey& key, int level, Node*& before, Node*& after) {
  for (after = before->next(level); after != nullptr && key.order(after->entry()) < 0;
       after = before->next(level)) {
    before = after;
  }
}

SkipListMemtable::Place SkipListMemtable::find(const InternalKey& key) const {
  Place place;
  Node* before = head_;
  const Node* known_after = nullptr;
  for (int level = kMaxHeight - 1; level >= 0; --level) {
    Node* after = before->next(level);
    if (after != known_after) advance(key, level, before, after);
    place.before[level] = before;
    place.after[level] = after;
    known_after = after;
  }
  return place;
}

// False when the very version is there already.
bool SkipListMemtable::insert(Node* node) {
  const InternalKey key = InternalKey::of_entry(node->entry());
  Place place = find(key);
  if (place.after[0] != nullptr && key.order(place.after[0]->entry()) == 0) return false;
  for (int level = 0; level < node->height(); ++level) {
    node->prepare_next(level, place.after[level]);
    while (!place.before[level]->set_next(level, place.after[level], node)) {
      advance(key, level, place.before[level], place.after[level]);
      node->prepare_next(level, place.after[level]);
    }
  }
  return true;
}

const Node* SkipListMemtable::last() const {
  const Node* node = head_;
  for (int level = kMaxHeight - 1; level >= 0; --level) {
    while (const Node* next = node->next(level)) node = next;
  }
  return unless_head(node);
}

// RocksDB ends iterators of an arena without freeing them, and arenas are not in its public
// headers. So iterators live in slots, which are used again once the iterator has ended wholly: the
// lease is the base that is destroyed last.
class SlotLease {
 public:
  explicit SlotLease(std::atomic<bool>& is_taken) : is_taken_(is_taken) {}
  ~SlotLease() { is_taken_.store(false, std::memory_order_release); }
  SlotLease(const SlotLease&) = delete;
  SlotLease& operator=(const SlotLease&) = delete;

 private:
  std::atomic<bool>& is_taken_;
};

class SkipListMemtable::Cursor final : private SlotLease, public MemTableRep::Iterator {
 public:
  Cursor(const SkipListMemtable& list, std::atomic<bool>& is_taken)
      : SlotLease(is_taken), list_(list) {}

  static void* operator new(std::size_t, void* slot) { return slot; }
  static void operator delete(void*) {}  // the slot stays

  bool Valid() const override { return node_ != nullptr; }
  const char* key() const override { return node_->entry(); }
  void Next() override { node_ = node_->next(0); }
  void Prev() override { node_ = list_.last_before(InternalKey::of_entry(node_->entry())); }
  void Seek(const rocksdb::Slice& key, const char*) override {
    node_ = list_.first_from(InternalKey({key.data(), key.size()}));
  }
  void SeekForPrev(const rocksdb::Slice& key, const char*) override {
    const InternalKey wanted({key.data(), key.size()});
    const Place place = list_.find(wanted);
    const Node* after = place.after[0];
    const bool is_there = after != nullptr && wanted.order(after->entry()) == 0;
    node_ = is_there ? after : list_.unless_head(place.before[0]);
  }
  void SeekToFirst() override { node_ = list_.first(); }
  void SeekToLast() override { node_ = list_.last(); }

 private:
  const SkipListMemtable& list_;
  const Node* node_ = nullptr;
};

struct SkipListMemtable::Slot {
  std::atomic<bool> is_taken = true;
  Slot* older = nullptr;
  alignas(Cursor) std::array<std::byte, sizeof(Cursor)> cursor;
};

SkipListMemtable::~SkipListMemtable() {
  for (Slot* slot = slots_.load(); slot != nullptr;) {
    const Slot* ended = slot;
    slot = slot->older;
    delete ended;
  }
}

rocksdb::MemTableRep::Iterator* SkipListMemtable::GetIterator(rocksdb::Arena*) {
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

// The base class knows what a LookupKey is, but never frees the iterator it looks up with: it is
// given this one.
void SkipListMemtable::Get(const rocksdb::LookupKey& key, void* argument,
                           bool (*callback)(void* argument, const char* entry)) {
  std::atomic<bool> is_taken = true;
  Cursor cursor(*this, is_taken);
  lookup_ = &cursor;
  MemTableRep::Get(key, argument, callback);
  lookup_ = nullptr;
}

thread_local SkipListMemtable::Cursor* SkipListMemtable::lookup_ = nullptr;

rocksdb::MemTableRep::Iterator* SkipListMemtable::GetDynamicPrefixIterator(rocksdb::Arena* arena) {
  if (lookup_ == nullptr) return GetIterator(arena);
  return std::exchange(lookup_, nullptr);
}

class MemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  const char* Name() const override { return "MagnetoSkipList"; }
  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator&,
                                          rocksdb::Allocator* allocator,
                                          const rocksdb::SliceTransform*,
                                          rocksdb::Logger*) override {
    return new SkipListMemtable(allocator);
  }
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory() {
  return std::make_shared<MemtableFactory>();
}

}  // namespace magneto::storage
