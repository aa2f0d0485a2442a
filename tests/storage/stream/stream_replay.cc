#include "tests/storage/stream/stream_replay.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {

bool StreamReplay::read(const StreamLog& stream, std::size_t limit) {
  bool found = false;
  const StreamSchema schema = stream.schema();
  for (const StreamShard& shard : schema.shards) shards_.try_emplace(shard.number);
  for (const StreamShard& shard : schema.shards) {
    const auto parent = shards_.find(shard.parent);
    if (parent != shards_.end() && !parent->second.has_ended) continue;
    found |= read_shard(stream, shard.number, limit);
  }
  return found;
}

bool StreamReplay::read_shard(const StreamLog& stream, std::uint32_t number, std::size_t limit) {
  Progress& progress = shards_[number];
  if (progress.has_ended) return false;
  std::optional<StreamCursor> cursor;
  const StreamLog::Access access = stream.read(number, progress.position, cursor);
  EXPECT_EQ(access, StreamLog::Access::kGiven);
  if (access != StreamLog::Access::kGiven) return false;
  std::size_t count = 0;
  for (; count < limit; ++count) {
    if (!cursor->next()) {
      progress.has_ended = cursor->shard_has_ended();
      if (progress.has_ended) ++ended_;
      break;
    }
    EXPECT_GE(cursor->sequence(), progress.position);
    progress.position = cursor->sequence() + 1;
    apply(cursor->record());
  }
  records_ += count;
  return count > 0 || progress.has_ended;
}

void StreamReplay::apply(const StreamRecord& record) {
  const std::string key = describe_item(record.keys);
  const std::string before = describe_item(record.old_image);
  const std::string after = describe_item(record.new_image);
  const auto held = items_.find(key);
  EXPECT_EQ(before, held == items_.end() ? "" : held->second) << key;
  EXPECT_NE(before, after) << key;
  const ChangeKind kind = before.empty()  ? ChangeKind::kInsert
                          : after.empty() ? ChangeKind::kRemove
                                          : ChangeKind::kModify;
  EXPECT_EQ(record.kind, kind);
  if (after.empty()) {
    items_.erase(key);
  } else {
    items_[key] = after;
  }
}

}  // namespace magneto::storage
