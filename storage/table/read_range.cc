#include "storage/table/read_range.h"

namespace magneto::storage {
namespace {

std::uint16_t number_of(const Index* index) { return index == nullptr ? 0 : index->schema.number; }

}  // namespace

EntryKey::EntryKey(const Table& table, const Index* index, ItemView item)
    : bytes_(index == nullptr ? item_key(table.schema, item)
                              : index_key(table.schema, index->schema, item).value()) {}

ReadRange ReadRange::matching(const Table& table, const Index* index,
                              const KeyCondition& condition) {
  return ReadRange(key_range(table.schema.number, number_of(index), condition));
}

ReadRange ReadRange::of_segment(const Table& table, const Index* index, std::uint32_t segment,
                                std::uint32_t total_segments) {
  return ReadRange(segment_range(table.schema.number, number_of(index), segment, total_segments));
}

void ReadRange::continue_after(EntryKey key, Direction direction) {
  std::string& bytes = key.bytes_;
  if (direction == Direction::kBackward) {
    if (bytes < keys_.upper) keys_.upper = std::move(bytes);
    return;
  }
  bytes.push_back('\0');  // the first key after it
  if (keys_.lower < bytes) keys_.lower = std::move(bytes);
}

void ReadRange::intersect(ReadRange other) {
  if (keys_.lower < other.keys_.lower) keys_.lower = std::move(other.keys_.lower);
  if (other.keys_.upper < keys_.upper) keys_.upper = std::move(other.keys_.upper);
}

void ReadRange::extend_to(ReadRange other) {
  if (keys_.upper < other.keys_.upper) keys_.upper = std::move(other.keys_.upper);
}

}  // namespace magneto::storage
