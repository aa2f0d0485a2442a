#include "api/namespaces/namespace_memory.h"

#include <chrono>
#include <cstdint>

#include "api/messages/namespace_messages.h"
#include "api/namespaces/namespace_error.h"

namespace magneto::api {
namespace {

// The memory of a fork per table of its source: 9 KB were measured for a table with an index and a
// stream.
constexpr std::int64_t kBytesOfATable = 10 << 10;
constexpr std::int64_t kBytesOfANamespace = 64 << 10;
constexpr std::int64_t kLargeNamespace = 4 << 20;
constexpr std::int64_t kBytesOfASnapshotTable = 512;
constexpr std::chrono::milliseconds kEndingTime{2'000};

std::int64_t tables_of(const NamespaceSnapshot& data) {
  return data.store == nullptr ? 0 : static_cast<std::int64_t>(data.store->catalog.tables.size());
}

[[noreturn]] void refuse_for_memory() {
  throw NamespaceError(NamespaceError::Kind::kFull, messages::kNoMemoryForNamespace);
}

}  // namespace

// If there is no room, waits for a while until removed namespaces have released their memory.
NamespaceMemory::Turn NamespaceMemory::begin(std::int64_t bytes, bool& has_room) {
  has_room = true;
  if (room_ == nullptr) return {};
  has_room = room_->has_room_for(bytes);
  if (has_room && bytes < kLargeNamespace && room_->is_plenty()) return {};
  Turn turn(making_);
  has_room = room_->has_room_for(bytes);
  if (has_room) return turn;
  removed_.wait_for_few(0, kEndingTime);
  room_->trim();
  has_room = room_->has_room_for(bytes);
  return turn;
}

NamespaceMemory::Turn NamespaceMemory::begin(const NamespaceSnapshot& data) {
  bool has_room = false;
  Turn turn = begin(kBytesOfANamespace + tables_of(data) * kBytesOfATable, has_room);
  if (!has_room) refuse_for_memory();
  return turn;
}

NamespaceMemory::Turn NamespaceMemory::begin_replacing(const NamespaceSnapshot& data) {
  bool ignored = false;
  return begin(kBytesOfANamespace + tables_of(data) * kBytesOfATable, ignored);
}

void NamespaceMemory::check_made() const {
  if (room_ != nullptr && !room_->has_room_for(0)) refuse_for_memory();
}

void NamespaceMemory::check_snapshot(const NamespaceSnapshot& taken) const {
  if (room_ == nullptr || room_->has_room_for(tables_of(taken) * kBytesOfASnapshotTable)) return;
  room_->trim();
  check_made();
}

}  // namespace magneto::api
