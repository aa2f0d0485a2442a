#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "storage/engine/pinned_value.h"
#include "storage/model/attribute_value.h"
#include "storage/table/table.h"
#include "storage/table/write_refused.h"

namespace magneto::storage {

// The action for an item, decided while its key is held.
struct WriteDecision {
  enum class Kind { kReject, kKeep, kPut, kDelete };
  Kind kind = Kind::kKeep;
  Item item;  // kPut: the complete new item, with its key attributes

  static WriteDecision reject() { return {Kind::kReject, {}}; }  // the condition failed
  static WriteDecision keep() { return {Kind::kKeep, {}}; }  // the condition held, nothing to write
  static WriteDecision put(Item item) { return {Kind::kPut, std::move(item)}; }
  static WriteDecision remove() { return {Kind::kDelete, {}}; }
};

// An item as stored, or none. Keeps its bytes alive.
class StoredItem {
 public:
  StoredItem() = default;
  explicit StoredItem(PinnedValue value) : value_(std::move(value)) {}
  explicit operator bool() const { return static_cast<bool>(value_); }
  ItemView view() const { return value_ ? decode_item(value_.bytes()) : ItemView(); }
  // encode_item() of it; empty if there is none.
  std::string_view stored() const { return value_ ? value_.bytes() : std::string_view(); }
  std::size_t size() const { return value_ ? decode_item_size(value_.bytes()) : 0; }

 private:
  PinnedValue value_;
};

// Thrown if the table of a write was deleted, or is being deleted, after the request pinned it.
class TableGone : public WriteRefused {};

// The limit for the key of an item, and of its entry in an index: Engine::max_key_bytes() less a
// margin, because keys in expiry queues, histories and queues for replicas have up to twelve bytes
// besides an item's key.
inline std::size_t max_item_key_bytes(const Engine& engine) {
  constexpr std::size_t kMargin = kTreePrefixSize + sizeof(std::uint64_t);
  return engine.max_key_bytes() - kMargin;
}

// Thrown if the engine cannot hold the key of an item or of its entry in an index.
class KeyTooLong : public WriteRefused {
 public:
  // `bytes`: of the encoded key.
  KeyTooLong(std::size_t bytes, std::size_t limit) : bytes_(bytes), limit_(limit) {}
  std::size_t bytes() const { return bytes_; }
  std::size_t limit() const { return limit_; }

 private:
  std::size_t bytes_;
  std::size_t limit_;
};

// Sees the current item (false if there is none) and decides. Must be pure: it may run again after
// a conflict. If it throws, nothing is written.
using Decide = absl::FunctionRef<WriteDecision(const StoredItem& current)>;

// One item to decide on and write.
struct ItemWrite {
  TablePtr table;
  std::string key;  // item_key()
  Decide decide;
  bool by_time_to_live = false;  // a deletion by the service, recorded so in the stream
  // For a change that was made in another region: it is decided on and made only if the item's
  // stamp is smaller than this one. nullptr: the change is made here.
  const Stamp* stamp = nullptr;
};

// The effect of a write on one index; bytes as item_size counts them, 0 for no entry.
struct IndexEffect {
  const Index* index;
  std::size_t old_size;
  std::size_t new_size;
  bool moved;  // the old entry was deleted and a new one inserted under another key
};

struct WriteOutcome {
  bool rejected = false;  // `decide` returned kReject: nothing was written
  // it returned kKeep, or another region's change was too old: nothing was written
  bool kept = false;
  StoredItem old_item;  // the item before
  Item new_item;        // the item after; no attributes when deleted, rejected or kept
  std::size_t old_size = 0;
  std::size_t new_size = 0;                           // of new_item: 0 when that has no attributes
  absl::InlinedVector<IndexEffect, 4> index_effects;  // only indexes whose entry changed
  TablePtr table;  // the version written to; keeps index_effects' indexes alive
};

}  // namespace magneto::storage
