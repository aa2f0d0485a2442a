#include "storage/engine/memory/record_tree.h"

#include <algorithm>
#include <string>
#include <utility>

#include "storage/engine/memory/key_head.h"

namespace magneto::storage {

struct RecordTree::Leaf {
  std::uint64_t heads[kSlots];
  std::uint32_t count;
  Leaf* previous;
  Leaf* next;
  Record* records[kSlots];
};

// The keys in children[i] are not below separators[i - 1] and are below separators[i]. Separators
// are records of their own, without value.
struct RecordTree::Inner {
  std::uint64_t heads[kSlots];  // of the separators
  std::uint32_t count;          // of the separators; there is one child more
  Record* separators[kSlots];
  void* children[kSlots + 1];
};

// The inner nodes on the way from the root to a leaf, and the child taken at each.
struct RecordTree::Path {
  struct Step {
    Inner* node;
    std::uint32_t child;
  };
  Step steps[kMaxHeight];
  int depth = 0;
};

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

template <typename T>
void insert_at(T* array, std::uint32_t count, std::uint32_t index, T value) {
  std::copy_backward(array + index, array + count, array + count + 1);
  array[index] = value;
}

template <typename T>
void erase_at(T* array, std::uint32_t count, std::uint32_t index) {
  std::copy(array + index + 1, array + count, array + index);
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
    split(leaf, path, index, probe.head, record);
  } else {
    insert_at(leaf->heads, leaf->count, index, probe.head);
    insert_at(leaf->records, leaf->count, index, record);
    ++leaf->count;
  }
  return nullptr;
}

// Inserts into a full leaf. If keys only grow, in the tree or among those with the same head, the
// left leaf stays full. Sort keys of one partition key often grow like that.
void RecordTree::split(Leaf* leaf, Path& path, std::uint32_t index, std::uint64_t head,
                       Record* record) {
  const bool grows_tree = index == kSlots && leaf->next == nullptr;
  const bool grows_head = index > 0 && leaf->heads[index - 1] == head &&
                          (index == kSlots || leaf->heads[index] != head);
  const std::uint32_t kept = grows_tree || grows_head ? index : kSlots / 2;
  Leaf* right = new (pool_.allocate(sizeof(Leaf))) Leaf;
  right->count = kSlots - kept;
  std::copy_n(leaf->heads + kept, right->count, right->heads);
  std::copy_n(leaf->records + kept, right->count, right->records);
  leaf->count = kept;
  right->previous = leaf;
  right->next = leaf->next;
  if (right->next != nullptr) right->next->previous = right;
  leaf->next = right;

  Leaf* into = index <= kept && kept < kSlots ? leaf : right;
  const std::uint32_t at = into == leaf ? index : index - kept;
  insert_at(into->heads, into->count, at, head);
  insert_at(into->records, into->count, at, record);
  ++into->count;
  Record* const separator = make_separator(*leaf, *right);
  add_child(path, separator, right->heads[0], right);
}

// The first key of `right`. Neighbours whose heads differ need no more of it than its head.
Record* RecordTree::make_separator(const Leaf& left, const Leaf& right) {
  std::string key;
  right.records[0]->append_key(right.heads[0], key);
  const bool is_head_enough = left.heads[left.count - 1] != right.heads[0];
  return Record::create(
      std::string_view(key).substr(0, is_head_enough ? sizeof(Probe::head) : key.size()), {});
}

// Inserts `right` after the child that the path took; `separator` is not below any key before it,
// and not above its first key.
void RecordTree::add_child(Path& path, Record* separator, std::uint64_t head, void* right) {
  while (path.depth > 0) {
    const Path::Step step = path.steps[--path.depth];
    Inner& node = *step.node;
    if (node.count < kSlots) {
      insert_at(node.heads, node.count, step.child, head);
      insert_at(node.separators, node.count, step.child, separator);
      insert_at(node.children, node.count + 1, step.child + 1, right);
      ++node.count;
      return;
    }
    std::uint64_t heads[kSlots + 1];
    Record* separators[kSlots + 1];
    void* children[kSlots + 2];
    std::copy_n(node.heads, kSlots, heads);
    std::copy_n(node.separators, kSlots, separators);
    std::copy_n(node.children, kSlots + 1, children);
    insert_at(heads, kSlots, step.child, head);
    insert_at(separators, kSlots, step.child, separator);
    insert_at(children, kSlots + 1, step.child + 1, right);

    node.count = kSlots / 2;
    std::copy_n(heads, node.count, node.heads);
    std::copy_n(separators, node.count, node.separators);
    std::copy_n(children, node.count + 1, node.children);
    Inner* other = new (pool_.allocate(sizeof(Inner))) Inner;
    other->count = kSlots - node.count;
    std::copy_n(heads + node.count + 1, other->count, other->heads);
    std::copy_n(separators + node.count + 1, other->count, other->separators);
    std::copy_n(children + node.count + 1, other->count + 1, other->children);
    separator = separators[node.count];
    head = heads[node.count];
    right = other;
  }
  Inner* root = new (pool_.allocate(sizeof(Inner))) Inner;
  root->count = 1;
  root->heads[0] = head;
  root->separators[0] = separator;
  root->children[0] = root_;
  root->children[1] = right;
  root_ = root;
  ++height_;
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
