#include "storage/engine/memory/tree_history.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "storage/engine/memory/key_head.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

using Changed = TreeHistory::Changed;

// Keys without a record that one call skips at most on a thread that must not work long.
constexpr int kShortRun = 512;

// The keys of one source, in one direction, up to the end of a span.
class ChangedWalk {
 public:
  ChangedWalk(const Changed& changed, const KeySpan& span, OptionalKey after, Direction direction)
      : changed_(changed), span_(span), is_forward_(direction == Direction::kForward) {
    if (is_forward_) {
      at_ = after        ? changed.upper_bound(*after)
            : span.lower ? changed.lower_bound(*span.lower)
                         : changed.begin();
    } else {
      at_ = after        ? changed.lower_bound(*after)
            : span.upper ? changed.lower_bound(*span.upper)
                         : changed.end();
      step_back();
    }
    stop_at_end();
  }

  bool at_end() const { return at_end_; }
  std::string_view key() const { return at_->first; }
  KeyedRecord entry() const { return {at_->second, key_head(at_->first)}; }
  void advance() {
    if (is_forward_) {
      ++at_;
    } else {
      step_back();
    }
    stop_at_end();
  }

 private:
  void step_back() {
    if (at_ == changed_.begin()) {
      at_end_ = true;
    } else {
      --at_;
    }
  }
  void stop_at_end() {
    if (at_end_) return;
    at_end_ = is_forward_ ? at_ == changed_.end() || (span_.upper && at_->first >= *span_.upper)
                          : span_.lower && at_->first < *span_.lower;
  }

  const Changed& changed_;
  const KeySpan& span_;
  const bool is_forward_;
  Changed::const_iterator at_;
  bool at_end_ = false;
};

class TreeWalk {
 public:
  TreeWalk(const RecordTree& tree, const KeySpan& span, OptionalKey after, Direction direction)
      : span_(span), is_forward_(direction == Direction::kForward) {
    if (is_forward_) {
      at_ = after        ? tree.first_above(Probe(*after), false)
            : span.lower ? tree.first_above(Probe(*span.lower), true)
                         : tree.first();
    } else {
      at_ = after        ? tree.last_below(Probe(*after))
            : span.upper ? tree.last_below(Probe(*span.upper))
                         : tree.last();
    }
  }

  bool at_end() const {
    if (!at_) return true;
    if (is_forward_) return span_.upper && !at_.is_below(Probe(*span_.upper));
    return span_.lower && at_.is_below(Probe(*span_.lower));
  }
  // Valid until the next call.
  std::string_view key() {
    key_.clear();
    at_.entry().append_key(key_);
    return key_;
  }
  KeyedRecord entry() const { return at_.entry(); }
  void advance() { at_ = is_forward_ ? RecordTree::next(at_) : RecordTree::previous(at_); }

 private:
  const KeySpan& span_;
  const bool is_forward_;
  RecordTree::Iterator at_;
  std::string key_;
};

}  // namespace

TreeHistory::~TreeHistory() {
  Layers all;
  while (!layers_.empty()) all.push_back(std::move(layers_.extract(layers_.begin()).mapped()));
  destroy(all);
}

// Layers above that of the newest snapshot belong to snapshots that were just released. A key in
// such a layer has already changed, so its old record is already kept.
bool TreeHistory::add(std::uint64_t snapshot, std::string_view key, Record* old) {
  for (auto above = layers_.upper_bound(snapshot); above != layers_.end(); ++above) {
    if (above->second.rest || above->second.changed.contains(key)) return false;
  }
  const auto [to, is_new] = layers_.try_emplace(snapshot);
  Layer& layer = to->second;
  if (layer.rest || layer.changed.contains(key)) return is_new;
  layer.changed.emplace(key, old);
  if (old != nullptr) old->pin();
  return is_new;
}

bool TreeHistory::add_all(std::uint64_t snapshot, RecordTree contents) {
  for (auto above = layers_.upper_bound(snapshot); above != layers_.end(); ++above) {
    if (above->second.rest) return false;
  }
  if (layers_.upper_bound(snapshot) != layers_.end()) {
    layers_.rbegin()->second.rest.emplace(std::move(contents));
    return false;
  }
  const auto [to, is_new] = layers_.try_emplace(snapshot);
  if (!to->second.rest) to->second.rest.emplace(std::move(contents));
  return is_new;
}

std::uint64_t TreeHistory::heir_of(std::uint64_t snapshot, std::uint64_t older) const {
  const auto above = layers_.lower_bound(snapshot);
  return above == layers_.begin() ? older : std::max(older, std::prev(above)->first);
}

void TreeHistory::retire(std::uint64_t snapshot, std::uint64_t heir, Layers& unneeded) {
  auto retired = layers_.extract(snapshot);
  if (retired.empty()) return;
  const auto to = layers_.find(heir);
  if (heir != 0 && to == layers_.end()) {
    retired.key() = heir;
    layers_.insert(std::move(retired));
    return;
  }
  Layer& from = unneeded.emplace_back(std::move(retired.mapped()));
  if (heir == 0 || to->second.rest) return;
  inherit(to->second, from);
}

// If both layers have a key, the older layer's record stays. The smaller layer is moved.
void TreeHistory::inherit(Layer& into, Layer& from) {
  if (from.rest) into.rest.emplace(std::move(*from.rest));
  if (from.changed.size() <= into.changed.size()) {
    into.changed.merge(from.changed);
    return;
  }
  Changed few;
  few.swap(into.changed);
  into.changed.swap(from.changed);
  while (!few.empty()) {
    auto placed = into.changed.insert(few.extract(few.begin()));
    if (placed.inserted) continue;
    std::swap(placed.position->second, placed.node.mapped());
    from.changed.insert(std::move(placed.node));
  }
}

void TreeHistory::destroy(Layers& layers) {
  for (const Layer& layer : layers) {
    for (const auto& [key, record] : layer.changed) {
      if (record != nullptr) record->release();
    }
  }
  layers.clear();
}

Record* TreeHistory::find(std::uint64_t snapshot, const RecordTree& current,
                          std::string_view key) const {
  for (auto at = layers_.lower_bound(snapshot); at != layers_.end(); ++at) {
    const Layer& layer = at->second;
    const auto found = layer.changed.find(key);
    if (found != layer.changed.end()) return found->second;
    if (layer.rest) return layer.rest->find(Probe(key));
  }
  return current.find(Probe(key));
}

std::size_t TreeHistory::collect(std::uint64_t snapshot, const RecordTree& current,
                                 const KeySpan& span, OptionalKey after, Direction direction,
                                 KeyedRecord* records, std::size_t limit) const {
  std::vector<ChangedWalk> layers;  // the first layer that has a key has its old record
  const RecordTree* rest = &current;
  for (auto at = layers_.lower_bound(snapshot); at != layers_.end(); ++at) {
    const Layer& layer = at->second;
    layers.emplace_back(layer.changed, span, after, direction);
    if (layer.rest) {
      rest = &*layer.rest;
      break;
    }
  }
  TreeWalk tree(*rest, span, after, direction);
  const auto comes_before = [&](std::string_view a, std::string_view b) {
    return direction == Direction::kForward ? a < b : b < a;
  };
  std::size_t count = 0;
  int passed = 0;
  while (count < limit) {
    if (++passed > kShortRun + static_cast<int>(limit)) Effort::before_waiting();
    KeyedRecord next{nullptr, 0};
    OptionalKey key;
    OptionalKey tree_key;
    if (!tree.at_end()) {
      next = tree.entry();
      key = tree_key = tree.key();
    }
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
      if (layer->at_end() || (key && comes_before(*key, layer->key()))) continue;
      key = layer->key();
      next = layer->entry();
    }
    if (!key) break;
    if (next.record != nullptr) records[count++] = next;
    const bool is_of_tree = tree_key == key;
    for (ChangedWalk& layer : layers) {
      if (!layer.at_end() && layer.key() == *key) layer.advance();
    }
    if (is_of_tree) tree.advance();
  }
  return count;
}

}  // namespace magneto::storage
