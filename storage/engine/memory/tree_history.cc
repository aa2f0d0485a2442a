#include "storage/engine/memory/tree_history.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace magneto::storage {
namespace {

using Changed = std::map<std::string, Record*, std::less<>>;

// Keys of one source, in one direction, up to the end of a span.
class ChangedWalk {
 public:
  ChangedWalk(const Changed& changed, const KeySpan& span, const Record* after, Direction direction)
      : changed_(changed), span_(span), is_forward_(direction == Direction::kForward) {
    if (is_forward_) {
      at_ = after != nullptr ? changed.upper_bound(after->key())
            : span.lower     ? changed.lower_bound(*span.lower)
                             : changed.begin();
    } else {
      at_ = after != nullptr ? changed.lower_bound(after->key())
            : span.upper     ? changed.lower_bound(*span.upper)
                             : changed.end();
      step_back();
    }
    stop_at_end();
  }

  bool at_end() const { return at_end_; }
  std::string_view key() const { return at_->first; }
  Record* record() const { return at_->second; }
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
  TreeWalk(const RecordTree& tree, const KeySpan& span, const Record* after, Direction direction)
      : span_(span), is_forward_(direction == Direction::kForward) {
    if (is_forward_) {
      at_ = after != nullptr ? tree.first_above(Probe(after->key()), false)
            : span.lower     ? tree.first_above(Probe(*span.lower), true)
                             : tree.first();
    } else {
      at_ = after != nullptr ? tree.last_below(Probe(after->key()))
            : span.upper     ? tree.last_below(Probe(*span.upper))
                             : tree.last();
    }
  }

  bool at_end() const {
    if (!at_) return true;
    return is_forward_ ? span_.upper && key() >= *span_.upper : span_.lower && key() < *span_.lower;
  }
  std::string_view key() const { return at_.record()->key(); }
  Record* record() const { return at_.record(); }
  void advance() { at_ = is_forward_ ? RecordTree::next(at_) : RecordTree::previous(at_); }

 private:
  const KeySpan& span_;
  const bool is_forward_;
  RecordTree::Iterator at_;
};

}  // namespace

TreeHistory::~TreeHistory() { free(layers_); }

TreeHistory::Layer& TreeHistory::layer(std::uint64_t snapshot) {
  if (layers_.empty() || layers_.back().snapshot != snapshot) {
    layers_.push_back({snapshot, {}, std::nullopt});
  }
  return layers_.back();
}

void TreeHistory::add(std::uint64_t snapshot, std::string_view key, Record* old) {
  Layer& to = layer(snapshot);
  if (to.rest) return;
  const bool is_first = to.changed.try_emplace(std::string(key), old).second;
  if (is_first && old != nullptr) old->pin();
}

void TreeHistory::add_all(std::uint64_t snapshot, RecordTree contents) {
  Layer& to = layer(snapshot);
  if (!to.rest) to.rest.emplace(std::move(contents));
}

std::deque<TreeHistory::Layer> TreeHistory::take_below(std::uint64_t oldest) {
  std::deque<Layer> taken;
  while (!layers_.empty() && layers_.front().snapshot < oldest) {
    taken.push_back(std::move(layers_.front()));
    layers_.pop_front();
  }
  return taken;
}

void TreeHistory::free(std::deque<Layer>& layers) {
  for (const Layer& layer : layers) {
    for (const auto& [key, record] : layer.changed) {
      if (record != nullptr) record->release();
    }
  }
  layers.clear();
}

Record* TreeHistory::find(std::uint64_t snapshot, const RecordTree& current,
                          std::string_view key) const {
  for (const Layer& layer : layers_) {
    if (layer.snapshot < snapshot) continue;
    const auto found = layer.changed.find(key);
    if (found != layer.changed.end()) return found->second;
    if (layer.rest) return layer.rest->find(Probe(key));
  }
  return current.find(Probe(key));
}

std::size_t TreeHistory::collect(std::uint64_t snapshot, const RecordTree& current,
                                 const KeySpan& span, const Record* after, Direction direction,
                                 Record** records, std::size_t limit) const {
  std::vector<ChangedWalk> layers;  // the first that has a key tells what was there
  const RecordTree* rest = &current;
  for (const Layer& layer : layers_) {
    if (layer.snapshot < snapshot) continue;
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
  while (count < limit) {
    Record* record = tree.at_end() ? nullptr : tree.record();
    std::optional<std::string_view> key;
    if (record != nullptr) key = tree.key();
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
      if (layer->at_end() || (key && comes_before(*key, layer->key()))) continue;
      key = layer->key();
      record = layer->record();
    }
    if (!key) break;
    if (record != nullptr) records[count++] = record;
    for (ChangedWalk& layer : layers) {
      if (!layer.at_end() && layer.key() == *key) layer.advance();
    }
    if (!tree.at_end() && tree.key() == *key) tree.advance();
  }
  return count;
}

}  // namespace magneto::storage
