#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "storage/engine/memory/node_pool.h"
#include "storage/engine/memory/record.h"

namespace magneto::storage {

// A key with its first 8 bytes as a big-endian integer, padded with zeros: its head.
struct Probe {
  explicit Probe(std::string_view key_bytes);

  std::uint64_t head;
  std::string_view key;
};

// Records ordered by their keys under memcmp: a B+ tree made for keys that begin with a hash. A
// node holds the heads of its keys in one run and decides by them; a record is looked at only where
// two heads are equal, so nearly always only the one that is found. Holds each record once.
//
// absl::btree_set with the same 16 bytes for each key took two to three times as long to find one
// of 10 million: its nodes are half as wide, and the steps of its binary search wait for one cache
// miss after the other, while here all lines of a node are fetched at once.
//
// Not thread-safe; const functions may run together.
class RecordTree {
  struct Leaf;
  struct Inner;

 public:
  // A place between records or at one. Valid until the tree changes.
  class Iterator {
   public:
    Iterator() = default;
    // At a record; false past the last one.
    explicit operator bool() const { return leaf_ != nullptr; }
    std::uint64_t head() const;
    Record* record() const;

   private:
    friend class RecordTree;
    Iterator(const Leaf* leaf, std::uint32_t index) : leaf_(leaf), index_(index) {}
    const Leaf* leaf_ = nullptr;
    std::uint32_t index_ = 0;
  };

  explicit RecordTree(NodePool& pool) : pool_(pool) {}
  ~RecordTree() { clear(); }
  // Takes the contents of the other, which is empty then.
  RecordTree(RecordTree&& other) noexcept
      : pool_(other.pool_),
        root_(std::exchange(other.root_, nullptr)),
        height_(std::exchange(other.height_, 0)) {}
  RecordTree(const RecordTree&) = delete;
  RecordTree& operator=(const RecordTree&) = delete;

  Record* find(const Probe& probe) const;  // nullptr when there is none
  // Takes the caller's hold of `record`; returns the one it replaces, for the caller to release, or
  // nullptr.
  Record* put(Record* record);
  // The record taken out, for the caller to release, or nullptr.
  Record* remove(const Probe& probe);
  void clear();

  Iterator first() const;
  Iterator last() const;
  // The first record whose key is not below (`or_equal`), or is above, the probe's.
  Iterator first_above(const Probe& probe, bool or_equal) const;
  // The last record whose key is below the probe's.
  Iterator last_below(const Probe& probe) const;
  static Iterator next(Iterator at);
  static Iterator previous(Iterator at);

 private:
  static constexpr std::uint32_t kSlots = 30;
  static constexpr int kMaxHeight = 16;  // of inner nodes; 15 at least in each
  struct Path;

  static std::uint32_t child_of(const Inner& node, const Probe& probe);
  Leaf* descend(const Probe& probe, Path* path) const;
  void split(Leaf* leaf, Path& path, std::uint32_t index, std::uint64_t head, Record* record);
  void add_child(Path& path, Record* separator, void* right);
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
