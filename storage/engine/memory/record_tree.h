#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "storage/engine/memory/node_pool.h"
#include "storage/engine/memory/record.h"

namespace magneto::storage {

// A key and its head: the first 8 bytes as a big-endian integer, padded with zeros.
struct Probe {
  explicit Probe(std::string_view key_bytes);

  std::uint64_t head;
  std::string_view key;
};

// Records ordered by their keys under memcmp: a B+ tree for keys that begin with a hash. A node
// holds the heads of its keys in one array and decides by them. It reads a record only if two heads
// are equal, so nearly always only the one that is found. Holds one reference to each record.
//
// absl::btree_set with the same 16 bytes for each key took two to three times as long to find one
// of 10 million. Its nodes are half as wide, and the steps of its binary search wait for one cache
// miss after the other; here all lines of a node are fetched at once.
//
// Not thread-safe; const functions may run concurrently.
class RecordTree {
  struct Leaf;
  struct Inner;

 public:
  // A position at a record or past the last one. Valid until the tree changes.
  class Iterator {
   public:
    Iterator() = default;
    // At a record; false past the last one.
    explicit operator bool() const { return leaf_ != nullptr; }
    std::uint64_t head() const;
    Record* record() const;
    KeyedRecord entry() const { return {record(), head()}; }
    bool is_below(const Probe& probe) const {
      const std::uint64_t own = head();
      return own != probe.head ? own < probe.head : record()->compare_key(probe.key) < 0;
    }
    // The number of records of the node from here on, one of them, and a copy of some. `steps` is
    // below that number, and `count` at most that.
    std::size_t left_in_node() const;
    Iterator ahead(std::size_t steps) const {
      return {leaf_, index_ + static_cast<std::uint32_t>(steps)};
    }
    void copy_to(KeyedRecord* records, std::size_t count) const;

   private:
    friend class RecordTree;
    Iterator(const Leaf* leaf, std::uint32_t index) : leaf_(leaf), index_(index) {}
    const Leaf* leaf_ = nullptr;
    std::uint32_t index_ = 0;
  };

  explicit RecordTree(NodePool& pool) : pool_(pool) {}
  ~RecordTree() { clear(); }
  // Takes the contents of the other tree, which is empty then.
  RecordTree(RecordTree&& other) noexcept
      : pool_(other.pool_),
        root_(std::exchange(other.root_, nullptr)),
        height_(std::exchange(other.height_, 0)) {}
  RecordTree(const RecordTree&) = delete;
  RecordTree& operator=(const RecordTree&) = delete;

  Record* find(const Probe& probe) const;  // nullptr if there is none
  // Takes over the caller's reference to `record`, which has the probe's key. Returns the replaced
  // record, which the caller must release, or nullptr.
  Record* put(const Probe& probe, Record* record);
  // Returns the removed record, which the caller must release, or nullptr.
  Record* remove(const Probe& probe);
  void clear();

  Iterator first() const;
  Iterator last() const;
  // The first record whose key is above the probe's; with `or_equal` also one that equals it.
  Iterator first_above(const Probe& probe, bool or_equal) const;
  // The last record whose key is below the probe's.
  Iterator last_below(const Probe& probe) const;
  static Iterator next(Iterator at);
  static Iterator previous(Iterator at);

 private:
  static constexpr std::uint32_t kSlots = 30;
  static constexpr int kMaxHeight = 16;  // of inner nodes, which take 15 children before a split
  // A full leaf gives records to a neighbour with room for this many.
  static constexpr std::uint32_t kRoom = 4;
  class Insertion;
  struct Path;

  static std::uint32_t child_of(const Inner& node, const Probe& probe);
  Leaf* descend(const Probe& probe, Path* path) const;
  void insert_into_full(Leaf* leaf, Path& path, std::uint32_t index, const KeyedRecord& entry);
  static bool share(Inner& parent, std::uint32_t left, std::uint32_t index,
                    const KeyedRecord& entry, bool grows);
  void split(Leaf* leaf, Path& path, std::uint32_t index, const KeyedRecord& entry, bool grows);
  void add_child(Path& path, Record* separator, std::uint64_t head, void* right);
  void shrink(Leaf* leaf, Path& path);
  void merge(Leaf* left, Leaf* right, Path& path, std::uint32_t right_index);
  void remove_child(Path& path, std::uint32_t index);
  void free_leaf(Leaf* leaf);
  void free_nodes(void* node, int height);

  NodePool& pool_;
  void* root_ = nullptr;  // a Leaf when height_ is 0
  int height_ = 0;
};

}  // namespace magneto::storage
