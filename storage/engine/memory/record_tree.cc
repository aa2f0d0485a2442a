#include "storage/engine/memory/record_tree.h"

#include <algorithm>
#include <utility>

#include "storage/engine/memory/key_head.h"
#include "storage/engine/memory/record_tree_nodes.h"

namespace magneto::storage {

namespace {

struct Place {
  std::uint32_t below;  // the number of keys below the probe
  bool is_found;        // whether the key after those equals it
};

Place place_of(const std::uint64_t* heads, Record* const* records, std::uint32_t count,
               const Probe& probe) {
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < count; ++i) first += heads[i] < probe.head ? 1U : 0U;
  const auto has_head = [&](std::uint32_t i) { return i < count && heads[i] == probe.head; };
  std::uint32_t end = has_head(first) ? first + 1 : first;
  if (end > first && has_head(end)) {
    const auto* above = std::upper_bound(heads + end + 1, heads + count, probe.head);
    end = static_cast<std::uint32_t>(above - heads);
  }
  while (first < end) {
    const std::uint32_t middle = (first + end) / 2;
    // The two that may be compared next, while this one is.
    __builtin_prefetch(records[(first + middle) / 2]);
    __builtin_prefetch(records[std::min((middle + 1 + end) / 2, end - 1)]);
    const int order = records[middle]->compare_key(probe.key);
    if (order == 0) return {middle, true};
    if (order < 0) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return {first, false};
}

}  // namespace

Probe::Probe(std::string_view key_bytes) : head(key_head(key_bytes)), key(key_bytes) {}

std::uint64_t RecordTree::Iterator::head() const { return leaf_->heads[index_]; }
Record* RecordTree::Iterator::record() const { return leaf_->records[index_]; }
std::size_t RecordTree::Iterator::left_in_node() const { return leaf_->count - index_; }

void RecordTree::Iterator::copy_to(KeyedRecord* records, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    __builtin_prefetch(leaf_->records[index_ + i], 1);
    records[i] = {leaf_->records[index_ + i], leaf_->heads[index_ + i]};
  }
}

std::uint32_t RecordTree::child_of(const Inner& node, const Probe& probe) {
  const Place place = place_of(node.heads, node.separators, node.count, probe);
  return place.below + (place.is_found ? 1 : 0);
}

// The leaf where the key belongs; the tree is not empty.
RecordTree::Leaf* RecordTree::descend(const Probe& probe, Path* path) const {
  void* node = root_;
  for (int level = height_; level > 0; --level) {
    Inner* inner = static_cast<Inner*>(node);
    const std::uint32_t child = child_of(*inner, probe);
    if (path != nullptr) path->steps[path->depth++] = {inner, child};
    node = inner->children[child];
  }
  Leaf* leaf = static_cast<Leaf*>(node);
  // Fetched at the same time as the heads instead of after them.
  for (std::uint32_t i = 0; i < kSlots; i += 8) __builtin_prefetch(&leaf->records[i]);
  return leaf;
}

Record* RecordTree::find(const Probe& probe) const {
  if (root_ == nullptr) return nullptr;
  const Leaf* leaf = descend(probe, nullptr);
  const Place place = place_of(leaf->heads, leaf->records, leaf->count, probe);
  return place.is_found ? leaf->records[place.below] : nullptr;
}

Record* RecordTree::put(const Probe& probe, Record* record) {
  if (root_ == nullptr) {
    Leaf* leaf = new (pool_.allocate(sizeof(Leaf))) Leaf;
    leaf->count = 0;
    leaf->previous = leaf->next = nullptr;
    root_ = leaf;
  }
  Path path;
  Leaf* leaf = descend(probe, &path);
  const auto [index, is_found] = place_of(leaf->heads, leaf->records, leaf->count, probe);
  if (is_found) return std::exchange(leaf->records[index], record);
  if (leaf->count == kSlots) {
    insert_into_full(leaf, path, index, {record, probe.head});
  } else {
    leaf->insert(index, {record, probe.head});
  }
  return nullptr;
}

Record* RecordTree::remove(const Probe& probe) {
  if (root_ == nullptr) return nullptr;
  Path path;
  Leaf* leaf = descend(probe, &path);
  const auto [index, is_found] = place_of(leaf->heads, leaf->records, leaf->count, probe);
  if (!is_found) return nullptr;
  Record* record = leaf->records[index];
  erase_at(leaf->heads, leaf->count, index);
  erase_at(leaf->records, leaf->count, index);
  --leaf->count;
  if (leaf->count < kSlots / 4) shrink(leaf, path);
  return record;
}

// Joins a leaf of few records with a neighbour under the same parent, if that leaves room in the
// joined leaf.
void RecordTree::shrink(Leaf* leaf, Path& path) {
  constexpr std::uint32_t kJoined = kSlots * 3 / 4;
  if (path.depth == 0) {
    if (leaf->count > 0) return;
    free_leaf(leaf);
    root_ = nullptr;
    return;
  }
  const auto [parent, child] = path.steps[path.depth - 1];
  if (leaf->count == 0) {
    free_leaf(leaf);
    remove_child(path, child);
    return;
  }
  if (child < parent->count) {
    Leaf* right = static_cast<Leaf*>(parent->children[child + 1]);
    if (leaf->count + right->count <= kJoined) return merge(leaf, right, path, child + 1);
  }
  if (child > 0) {
    Leaf* left = static_cast<Leaf*>(parent->children[child - 1]);
    if (left->count + leaf->count <= kJoined) merge(left, leaf, path, child);
  }
}

void RecordTree::merge(Leaf* left, Leaf* right, Path& path, std::uint32_t right_index) {
  std::copy_n(right->heads, right->count, left->heads + left->count);
  std::copy_n(right->records, right->count, left->records + left->count);
  left->count += right->count;
  free_leaf(right);
  remove_child(path, right_index);
}

// Removes child `index` of the last node on the path.
void RecordTree::remove_child(Path& path, std::uint32_t index) {
  while (path.depth > 0) {
    Inner* node = path.steps[--path.depth].node;
    if (node->count > 0) {
      const std::uint32_t separator = index > 0 ? index - 1 : 0;
      node->separators[separator]->release();
      erase_at(node->heads, node->count, separator);
      erase_at(node->separators, node->count, separator);
      erase_at(node->children, node->count + 1, index);
      --node->count;
      break;
    }
    pool_.free(node, sizeof(Inner));  // it was the only child
    if (path.depth > 0) {
      index = path.steps[path.depth - 1].child;
    } else {
      root_ = nullptr;
      height_ = 0;
    }
  }
  while (height_ > 0 && static_cast<Inner*>(root_)->count == 0) {
    Inner* root = static_cast<Inner*>(root_);
    root_ = root->children[0];
    --height_;
    pool_.free(root, sizeof(Inner));
  }
}

void RecordTree::free_leaf(Leaf* leaf) {
  if (leaf->previous != nullptr) leaf->previous->next = leaf->next;
  if (leaf->next != nullptr) leaf->next->previous = leaf->previous;
  pool_.free(leaf, sizeof(Leaf));
}

void RecordTree::clear() {
  if (root_ != nullptr) free_nodes(root_, height_);
  root_ = nullptr;
  height_ = 0;
}

void RecordTree::free_nodes(void* node, int height) {
  if (height == 0) {
    Leaf* leaf = static_cast<Leaf*>(node);
    for (std::uint32_t i = 0; i < leaf->count; ++i) __builtin_prefetch(leaf->records[i], 1);
    for (std::uint32_t i = 0; i < leaf->count; ++i) leaf->records[i]->release();
    pool_.free(leaf, sizeof(Leaf));
    return;
  }
  Inner* inner = static_cast<Inner*>(node);
  for (std::uint32_t i = 0; i < inner->count; ++i) inner->separators[i]->release();
  for (std::uint32_t i = 0; i <= inner->count; ++i) free_nodes(inner->children[i], height - 1);
  pool_.free(inner, sizeof(Inner));
}

RecordTree::Iterator RecordTree::first() const {
  if (root_ == nullptr) return {};
  void* node = root_;
  for (int level = height_; level > 0; --level) node = static_cast<Inner*>(node)->children[0];
  return {static_cast<Leaf*>(node), 0};
}

RecordTree::Iterator RecordTree::last() const {
  if (root_ == nullptr) return {};
  void* node = root_;
  for (int level = height_; level > 0; --level) {
    const Inner* inner = static_cast<Inner*>(node);
    node = inner->children[inner->count];
  }
  const Leaf* leaf = static_cast<Leaf*>(node);
  return {leaf, leaf->count - 1};
}

RecordTree::Iterator RecordTree::first_above(const Probe& probe, bool or_equal) const {
  if (root_ == nullptr) return {};
  const Leaf* leaf = descend(probe, nullptr);
  const Place place = place_of(leaf->heads, leaf->records, leaf->count, probe);
  const std::uint32_t index = place.below + (place.is_found && !or_equal ? 1 : 0);
  if (index < leaf->count) return {leaf, index};
  return {leaf->next, 0};
}

RecordTree::Iterator RecordTree::last_below(const Probe& probe) const {
  if (root_ == nullptr) return {};
  const Leaf* leaf = descend(probe, nullptr);
  const std::uint32_t index = place_of(leaf->heads, leaf->records, leaf->count, probe).below;
  if (index > 0) return {leaf, index - 1};
  return leaf->previous != nullptr ? Iterator(leaf->previous, leaf->previous->count - 1)
                                   : Iterator();
}

RecordTree::Iterator RecordTree::next(Iterator at) {
  if (++at.index_ < at.leaf_->count) return at;
  return {at.leaf_->next, 0};
}

RecordTree::Iterator RecordTree::previous(Iterator at) {
  if (at.index_ > 0) return {at.leaf_, at.index_ - 1};
  const Leaf* leaf = at.leaf_->previous;
  return leaf != nullptr ? Iterator(leaf, leaf->count - 1) : Iterator();
}

}  // namespace magneto::storage
