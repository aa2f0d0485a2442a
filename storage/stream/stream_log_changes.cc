#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/engine/local_disk.h"
#include "storage/stream/stream_log.h"

namespace magneto::storage {
namespace {

ShardMoment with_notice(const ShardMoment& moment, const SequenceScale& scale) {
  if (!moment.is_ahead) return moment;
  const Clock::TimePoint time = scale.time_of(moment.sequence) + StreamLog::kNotice;
  return {milliseconds_of(time), scale.at(time), true};
}

}  // namespace

ShardMoment StreamLog::next_moment() const {
  const Clock::TimePoint time = now();
  return {milliseconds_of(time), sequence_.next(scale_.at(time))};
}

ShardMoment StreamLog::moment_ahead() const {
  const std::uint64_t sequence = scale_.of_version(group_->beyond());
  return {milliseconds_of(scale_.time_of(sequence)), sequence, true};
}

bool StreamLog::change(Edit edit, bool frees_space) {
  const std::string key = stream_key(description_.database, description_.number);
  std::optional<StreamSchema> changed;
  const auto decide = [&](Records::Change& records) {
    ShardMoment moment{};
    if (group_ != nullptr) moment = moment_ahead();
    records.hold(change_mutex_);
    changed = stored_schema(records);
    if (!changed) return false;
    if (group_ == nullptr) {
      const std::lock_guard lock(mutex_);
      moment = next_moment();
    }
    if (!edit(*changed, moment)) return false;
    if (records_.are_stored()) records.put(key, encode_stream(*changed));
    if (frees_space) records.batch().set_frees_space();
    return true;
  };
  return records_.change({key}, decide, [&] { replace_schema(std::move(*changed)); });
}

void StreamLog::change_shards(Edit edit) {
  if (!change(edit)) return;
  records_.announce({stream_key(description_.database, description_.number)});
}

bool StreamLog::is_like(const StreamSchema& record) const {
  const auto is_same = [](StreamShard mine, const StreamShard& stored) {
    if (mine.closed == 0) mine.last_sequence = stored.last_sequence;
    return mine == stored;
  };
  const std::lock_guard lock(mutex_);
  return schema_.closed == record.closed && schema_.policy == record.policy &&
         std::ranges::equal(schema_.shards, record.shards, is_same);
}

// Writers of this server must see the shards change in the order of the record's versions.
bool StreamLog::take_over() {
  const std::lock_guard changing(change_mutex_);
  const PinnedValue record =
      engine_.get(*records_.tree(), stream_key(description_.database, description_.number));
  if (!record) return false;
  StreamSchema schema = decode_stream(record.bytes());
  schema.database = description_.database;
  replace_schema(std::move(schema));
  return true;
}

// As it is stored, because another server may have changed it; nullopt if the stream is gone.
std::optional<StreamSchema> StreamLog::stored_schema(Records::Change& records) const {
  if (!records_.are_stored()) {
    const std::lock_guard lock(mutex_);
    return schema_;
  }
  const PinnedValue record = records.get(stream_key(description_.database, description_.number));
  if (!record) return std::nullopt;
  StreamSchema schema = decode_stream(record.bytes());
  schema.database = description_.database;
  const std::lock_guard lock(mutex_);
  for (StreamShard& shard : schema.shards) {
    const StreamShard* const mine = find_shard(schema_, shard.number);
    if (mine != nullptr && shard.closed == 0) shard.last_sequence = mine->last_sequence;
  }
  return schema;
}

void StreamLog::replace_schema(StreamSchema schema) {
  std::vector<TreePtr> trees = trees_of(schema);
  const std::lock_guard lock(mutex_);
  schema_ = std::move(schema);
  trees_ = std::move(trees);
  open_ = open_shards_of(schema_);
  record_schema();
  absl::erase_if(read_to_,
                 [this](const auto& read) { return find_shard(schema_, read.first) == nullptr; });
}

// Allowed on a full disk, because the deletion of the table follows.
void StreamLog::keep_policy(const std::optional<ResourcePolicy>& policy) {
  const auto keep = [&](StreamSchema& schema, const ShardMoment&) {
    return std::exchange(schema.policy, policy) != policy;
  };
  change(keep, true);
}

// Streams are asked often whether they are due, so the record is read only if they are.
bool StreamLog::is_due_to_roll_over() const {
  const std::lock_guard lock(mutex_);
  const Clock::TimePoint time = group_ == nullptr ? now() : now() + kNotice;
  StreamSchema changed = schema_;
  return changed.closed == 0 && roll_over_shards(changed, {milliseconds_of(time), 0});
}

std::size_t StreamLog::open_shards() const {
  const std::lock_guard lock(mutex_);
  return schema_.closed == 0 ? open_.size() : std::numeric_limits<std::size_t>::max();
}

void StreamLog::roll_over() {
  if (!is_due_to_roll_over()) return;
  change_shards([this](StreamSchema& schema, const ShardMoment& moment) {
    return schema.closed == 0 && roll_over_shards(schema, with_notice(moment, scale_));
  });
}

void StreamLog::split(std::uint32_t count) {
  bool again = open_shards() < count;
  while (again) {
    change_shards([&](StreamSchema& schema, const ShardMoment& moment) {
      again = schema.closed == 0 && open_shards_of(schema).size() < count;
      if (again) split_shards(schema, with_notice(moment, scale_));
      return again;
    });
  }
}

void StreamLog::close() {
  change_shards([](StreamSchema& schema, const ShardMoment& moment) {
    if (schema.closed != 0) return false;
    close_stream(schema, moment);
    return true;
  });
}

// Removes the records first: a known, empty shard can be trimmed again, a forgotten one cannot. No
// reader reads these records any more, and no writer adds to a closed shard. But a commit that was
// under way when the clock was advanced may still write to it.
void StreamLog::trim() {
  std::vector<TreePtr> expired;
  std::vector<std::uint32_t> numbers;  // of the shards
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t time = milliseconds_of(now());
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      const StreamShard& shard = schema_.shards[i];
      if (!storage::is_expired(shard, time) || may_have_commits(shard)) continue;
      expired.push_back(trees_[i]);
      numbers.push_back(shard.number);
    }
    // Entries before the second one are no longer read. This follows the last sequence number,
    // because the clock may be set back.
    const auto last = scale_.time_of(sequence_.last());
    const std::uint64_t oldest = scale_.at(last - kStreamRetention);
    while (leads_.size() > 1 && leads_[1].first <= oldest) leads_.erase(leads_.begin());
  }
  if (expired.empty()) return;
  clear_and_reclaim(engine_, expired);
  change_shards([&](StreamSchema& schema, const ShardMoment&) {
    std::erase_if(schema.shards, [&](const StreamShard& shard) {
      return std::ranges::find(numbers, shard.number) != numbers.end();
    });
    return true;
  });
}

void StreamLog::clear() {
  std::vector<TreePtr> trees;
  {
    const std::lock_guard lock(mutex_);
    trees = trees_;
  }
  clear_and_reclaim(engine_, trees);
}

}  // namespace magneto::storage
