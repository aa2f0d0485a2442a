#include <algorithm>
#include <string>
#include <string_view>

#include "storage/engine/memory/record_tree.h"
#include "storage/engine/memory/record_tree_nodes.h"

namespace magneto::storage {

// An insertion into two neighbouring leaves, one of them full. Records move between them: if keys
// only grow, `left` stays full, otherwise both get the same number.
class RecordTree::Insertion {
 public:
  // `index`: the place, counted from the first record of `left`.
  Insertion(Leaf& left, Leaf& right, std::uint32_t index, const KeyedRecord& entry, bool grows)
      : left_(left),
        right_(right),
        index_(index),
        entry_(entry),
        total_(left.count + right.count + 1),
        left_count_(grows ? std::min(index + 1, kSlots) : (total_ + 1) / 2) {}

  bool is_possible() const { return total_ - left_count_ <= kSlots; }
  Record* make_separator() const;
  void apply() const;

 private:
  KeyedRecord at(std::uint32_t place) const;

  Leaf& left_;
  Leaf& right_;
  const std::uint32_t index_;
  const KeyedRecord& entry_;
  const std::uint32_t total_;
  const std::uint32_t left_count_;  // with the new record, if it goes there
};

// The first key of `right`. Neighbours whose heads differ need no more of it than its head.
Record* RecordTree::Insertion::make_separator() const {
  const KeyedRecord first = at(left_count_);
  std::string key;
  first.append_key(key);
  const bool is_head_enough = at(left_count_ - 1).head != first.head;
  return Record::create(
      std::string_view(key).substr(0, is_head_enough ? sizeof(Probe::head) : key.size()), {});
}

// The record that will be at a place counted from the first one of `left`.
KeyedRecord RecordTree::Insertion::at(std::uint32_t place) const {
  if (place == index_) return entry_;
  const std::uint32_t now = place > index_ ? place - 1 : place;
  if (now < left_.count) return {left_.records[now], left_.heads[now]};
  return {right_.records[now - left_.count], right_.heads[now - left_.count]};
}

void RecordTree::Insertion::apply() const {
  const bool is_left = index_ < left_count_;
  const std::uint32_t kept = is_left ? left_count_ - 1 : left_count_;
  if (kept < left_.count) {
    const std::uint32_t moved = left_.count - kept;
    std::copy_backward(right_.heads, right_.heads + right_.count,
                       right_.heads + right_.count + moved);
    std::copy_backward(right_.records, right_.records + right_.count,
                       right_.records + right_.count + moved);
    std::copy_n(left_.heads + kept, moved, right_.heads);
    std::copy_n(left_.records + kept, moved, right_.records);
    right_.count += moved;
  } else {
    const std::uint32_t moved = kept - left_.count;
    std::copy_n(right_.heads, moved, left_.heads + left_.count);
    std::copy_n(right_.records, moved, left_.records + left_.count);
    std::copy(right_.heads + moved, right_.heads + right_.count, right_.heads);
    std::copy(right_.records + moved, right_.records + right_.count, right_.records);
    right_.count -= moved;
  }
  left_.count = kept;
  if (is_left) {
    left_.insert(index_, entry_);
  } else {
    right_.insert(index_ - left_count_, entry_);
  }
}

// A neighbour under the same parent takes records if it has room. Otherwise the leaf is split. Keys
// grow at the end of the tree, or among those with the same head, as sort keys of one partition key
// often do.
void RecordTree::insert_into_full(Leaf* leaf, Path& path, std::uint32_t index,
                                  const KeyedRecord& entry) {
  const bool grows_tree = index == kSlots && leaf->next == nullptr;
  const bool grows_head = index > 0 && leaf->heads[index - 1] == entry.head &&
                          (index == kSlots || leaf->heads[index] != entry.head);
  const bool grows = grows_tree || grows_head;
  if (path.depth > 0) {
    const auto [parent, child] = path.steps[path.depth - 1];
    if (child < parent->count && share(*parent, child, index, entry, grows)) return;
    if (child > 0) {
      const auto* left = static_cast<const Leaf*>(parent->children[child - 1]);
      if (share(*parent, child - 1, left->count + index, entry, grows)) return;
    }
  }
  split(leaf, path, index, entry, grows);
}

// Inserts into child `left` or the next one. Returns false, and does nothing, if the one that is
// not full has little room.
bool RecordTree::share(Inner& parent, std::uint32_t left, std::uint32_t index,
                       const KeyedRecord& entry, bool grows) {
  Leaf& left_leaf = *static_cast<Leaf*>(parent.children[left]);
  Leaf& right_leaf = *static_cast<Leaf*>(parent.children[left + 1]);
  if (std::min(left_leaf.count, right_leaf.count) > kSlots - kRoom) return false;
  const Insertion insertion(left_leaf, right_leaf, index, entry, grows);
  if (!insertion.is_possible()) return false;
  Record* const separator = insertion.make_separator();
  insertion.apply();
  parent.separators[left]->release();
  parent.separators[left] = separator;
  parent.heads[left] = right_leaf.heads[0];
  return true;
}

void RecordTree::split(Leaf* leaf, Path& path, std::uint32_t index, const KeyedRecord& entry,
                       bool grows) {
  Leaf* right = new (pool_.allocate(sizeof(Leaf))) Leaf;
  right->count = 0;
  const Insertion insertion(*leaf, *right, index, entry, grows);
  Record* const separator = insertion.make_separator();
  right->previous = leaf;
  right->next = leaf->next;
  if (right->next != nullptr) right->next->previous = right;
  leaf->next = right;
  insertion.apply();
  add_child(path, separator, right->heads[0], right);
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

    node.count = step.child == kSlots ? kSlots - 1 : kSlots / 2;  // keys often only grow
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

}  // namespace magneto::storage
