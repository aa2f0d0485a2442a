#include "storage/stream/stream_log.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/engine/local_disk.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

// The wait before the next attempt to trim a shard that a commit may still write to.
constexpr std::chrono::milliseconds kTrimRetry{10};

StreamSchema without_shards(const StreamSchema& schema) {
  StreamSchema description = schema;
  description.shards.clear();
  return description;
}

}  // namespace

bool StreamCursor::next() { return cursor_->next(); }

std::uint64_t StreamCursor::sequence() const { return sequence_of(cursor_->key()); }

Clock::TimePoint StreamCursor::made() const {
  return scale_.time_of(sequence()) - lead_of(cursor_->value());
}

StreamRecord StreamCursor::record() { return decode_stream_record(cursor_->value(), *key_, keys_); }

StreamLog::StreamLog(const Records& records, const Clock& clock, StreamSchema schema)
    : engine_(records.engine()),
      clock_(clock),
      records_(records),
      group_(engine_.group()),
      scale_(engine_.shared_since()),
      description_(without_shards(schema)),
      view_(schema.view_type),
      schema_(std::move(schema)),
      trees_(open_trees(schema_)),
      open_(open_shards_of(schema_)) {
  find_last_sequences();
}

StreamLog::StreamLog(Engine& engine, const Clock& clock, StreamSnapshot snapshot)
    : engine_(engine),
      clock_(clock),
      records_(engine),
      group_(nullptr),
      scale_(engine.shared_since()),
      description_(without_shards(snapshot.schema)),
      view_(snapshot.schema.view_type),
      schema_(std::move(snapshot.schema)),
      trees_(std::move(snapshot.trees)),
      open_(open_shards_of(schema_)),
      time_(snapshot.time),
      leads_(std::move(snapshot.leads)) {
  sequence_.raise(snapshot.last_sequence);
  stored_ = snapshot.last_sequence;
}

StreamSnapshot StreamLog::snapshot() const {
  const std::lock_guard lock(mutex_);
  return {schema_, trees_, sequence_.last(), time_, leads_};
}

std::vector<TreePtr> StreamLog::open_trees(const StreamSchema& schema) const {
  std::vector<TreePtr> trees;
  trees.reserve(schema.shards.size());
  for (const StreamShard& shard : schema.shards) {
    trees.push_back(
        engine_.open_tree(ColumnFamily::kStreams, shard_prefix(schema.number, shard.number)));
  }
  return trees;
}

// Existing shards keep their trees.
std::vector<TreePtr> StreamLog::trees_of(const StreamSchema& changed) const {
  std::vector<TreePtr> trees;
  trees.reserve(changed.shards.size());
  const std::lock_guard lock(mutex_);
  for (const StreamShard& shard : changed.shards) {
    const StreamShard* known = find_shard(schema_, shard.number);
    trees.push_back(known != nullptr
                        ? trees_[static_cast<std::size_t>(known - schema_.shards.data())]
                        : engine_.open_tree(ColumnFamily::kStreams,
                                            shard_prefix(changed.number, shard.number)));
  }
  return trees;
}

void StreamLog::find_last_sequences() {
  if (group_ != nullptr) return;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    StreamShard& shard = schema_.shards[i];
    if (shard.closed == 0) {
      const auto newest = engine_.scan(*trees_[i], {}, {}, Direction::kBackward);
      if (newest->next()) shard.last_sequence = sequence_of(newest->key());
    }
    stored_ = std::max(stored_, shard.last_sequence);
  }
  record_schema();
}

// A closed stream lasts for a day, by its own time, even if the clock is set back.
void StreamLog::record_schema() {
  if (group_ != nullptr) return;
  for (const StreamShard& shard : schema_.shards) {
    stored_ = std::max(stored_, shard.closed == 0 ? shard.first_sequence : shard.last_sequence);
  }
  if (schema_.closed != 0) {
    const Clock::TimePoint closed{std::chrono::milliseconds(schema_.closed)};
    stored_ = std::max(stored_, scale_.at(closed));
  }
  sequence_.raise(stored_);
}

std::uint64_t StreamLog::visible_end() const {
  if (group_ == nullptr) return std::min(sequence_.visible_end(), stored_ + 1);
  const std::uint64_t settled = scale_.of_version(group_->settled());
  if (schema_.closed == 0) return settled;
  std::uint64_t last = 0;
  for (const StreamShard& shard : schema_.shards) last = std::max(last, shard.last_sequence);
  return std::min(settled, last + 1);
}

std::uint64_t StreamLog::position_of_now() const {
  return group_ == nullptr ? position_of(clock_.now()) : scale_.of_version(group_->beyond());
}

Clock::TimePoint StreamLog::now() const {
  if (group_ != nullptr) return clock_.now();
  const Clock::Duration lead = time_.lead();
  const Clock::TimePoint now = time_.at(clock_.now(), scale_.time_of(sequence_.last()));
  if (time_.lead() != lead) leads_.emplace_back(sequence_.last() + 1, time_.lead());
  return now;
}

StreamSchema StreamLog::schema() const {
  const std::lock_guard lock(mutex_);
  const std::int64_t time = milliseconds_of(now());
  StreamSchema schema = schema_;
  std::erase_if(schema.shards,
                [time](const StreamShard& shard) { return storage::is_expired(shard, time); });
  if (group_ == nullptr) return schema;
  // A change of the shards that is still ahead is not shown.
  const std::uint64_t end = visible_end();
  std::erase_if(schema.shards, [end](const StreamShard& shard) {
    return shard.parent != 0 && shard.first_sequence > end;
  });
  for (StreamShard& shard : schema.shards) {
    if (shard.closed != 0 && schema.closed == 0 && shard.last_sequence >= end) shard.closed = 0;
  }
  return schema;
}

bool StreamLog::may_have_commits(const StreamShard& shard) const {
  return shard.last_sequence >= sequence_.visible_end();
}

bool StreamLog::is_closed() const {
  const std::lock_guard lock(mutex_);
  return schema_.closed != 0;
}

bool StreamLog::is_expired() const {
  const std::lock_guard lock(mutex_);
  return storage::is_expired(schema_, milliseconds_of(now()));
}

Clock::TimePoint StreamLog::closed() const {
  const std::lock_guard lock(mutex_);
  if (schema_.closed == 0) return Clock::kFirst;
  return Clock::TimePoint(std::chrono::milliseconds(schema_.closed)) - time_.lead();
}

Clock::TimePoint StreamLog::next_change() const {
  const std::lock_guard lock(mutex_);
  // Also updates the lead. A shard with a commit under way is trimmed later.
  const std::int64_t retried = milliseconds_of(now() + kTrimRetry - kStreamRetention);
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::int64_t next = kNone;
  const auto expect = [&](std::int64_t since, std::chrono::milliseconds duration) {
    if (since != 0) next = std::min(next, since + milliseconds_of(duration));
  };
  expect(schema_.closed, kStreamRetention);
  for (const StreamShard& shard : schema_.shards) {
    if (shard.closed != 0) {
      expect(may_have_commits(shard) ? std::max(shard.closed, retried) : shard.closed,
             kStreamRetention);
    } else {
      expect(shard.opened, kShardLifetime);
    }
  }
  if (next == kNone) return Clock::TimePoint::max();
  return Clock::TimePoint(std::chrono::milliseconds(next)) - time_.lead();
}

std::uint64_t StreamLog::horizon() const {
  const std::lock_guard lock(mutex_);
  return std::min(oldest_kept(), visible_end());
}

std::uint64_t StreamLog::end() const {
  const std::lock_guard lock(mutex_);
  return visible_end();
}

std::uint64_t StreamLog::position_at(Clock::TimePoint time) const {
  const std::lock_guard lock(mutex_);
  now();  // updates the lead
  const std::uint64_t end = visible_end();
  std::uint64_t first = 0;
  Clock::Duration lead{0};
  for (const auto& [from, ahead] : leads_) {
    const std::uint64_t position = std::max(first, scale_.at(time + lead));
    if (position < from) return std::min(position, end);
    first = from;
    lead = ahead;
  }
  return std::min(std::max(first, scale_.at(time + lead)), end);
}

StreamLog::Access StreamLog::read(std::uint32_t shard_number, std::uint64_t position,
                                  std::optional<StreamCursor>& cursor) const {
  TreePtr tree;
  std::uint64_t upper = 0;
  std::uint64_t oldest = 0;
  bool shard_ends = false;
  {
    const std::lock_guard lock(mutex_);
    const StreamShard* shard = find_shard(schema_, shard_number);
    if (shard == nullptr || storage::is_expired(*shard, milliseconds_of(now()))) {
      return Access::kNoShard;
    }
    oldest = oldest_kept();
    tree = trees_[static_cast<std::size_t>(shard - schema_.shards.data())];
    upper = visible_end();
    shard_ends = shard->closed != 0 && upper > shard->last_sequence;
  }
  const auto scan = [&](std::uint64_t first, std::uint64_t beyond) {
    const auto key = [&](std::uint64_t sequence) {
      return stream_record_key(description_.number, shard_number, sequence);
    };
    return engine_.scan(*tree, key(first), key(std::max(first, beyond)), Direction::kForward);
  };
  if (position < oldest && scan(position, std::min(oldest, upper))->next()) {
    return Access::kTrimmed;
  }
  auto records = scan(std::max(position, oldest), upper);
  cursor = StreamCursor(std::move(tree), std::move(records), description_.key, scale_, shard_ends);
  return Access::kGiven;
}

void StreamLog::record_read(std::uint32_t shard_number, std::uint64_t position) const {
  const std::lock_guard lock(mutex_);
  if (find_shard(schema_, shard_number) == nullptr) return;
  std::uint64_t& read_to = read_to_[shard_number];
  read_to = std::max(read_to, position);
}

std::chrono::microseconds StreamLog::reader_lag() const {
  Clock::Duration lag{0};
  const std::lock_guard lock(mutex_);
  const std::uint64_t oldest = oldest_kept();
  for (const StreamShard& shard : schema_.shards) {
    const auto read_to = read_to_.find(shard.number);
    const std::uint64_t next =
        std::max(oldest, read_to == read_to_.end() ? shard.first_sequence : read_to->second);
    if (shard.last_sequence > next) {
      lag = std::max(lag, scale_.time_of(shard.last_sequence) - scale_.time_of(next));
    }
  }
  return lag;
}

std::optional<ResourcePolicy> StreamLog::policy() const {
  const std::lock_guard lock(mutex_);
  return schema_.policy;
}

StreamLog::Drawn StreamLog::draw(std::span<Append> appends, WriteBatch& batch) {
  // A thread that changes the shards waits for the disk, but so do all writers: they are on
  // workers.
  Effort::take(change_mutex_);
  const std::lock_guard changing(change_mutex_, std::adopt_lock);
  const std::lock_guard lock(mutex_);
  if (open_.empty()) return {};
  const std::uint64_t first = sequence_.draw(appends.size(), scale_.at(now()));
  auto undraw = absl::MakeCleanup([&] { sequence_.finish(first); });
  std::uint64_t sequence = first;
  for (Append& append : appends) {
    const std::size_t place = open_[(append.hash * std::uint64_t{open_.size()}) >> 32];
    StreamShard& shard = schema_.shards[place];
    shard.last_sequence = sequence;
    if (time_.lead() > Clock::Duration(0)) add_lead(append.record, time_.lead());
    batch.put(trees_[place], stream_record_key(schema_.number, shard.number, sequence),
              std::move(append.record));
    ++sequence;
  }
  std::move(undraw).Cancel();
  return {first, sequence - 1};
}

// A planned end of a shard stays what it is.
void StreamLog::add_versioned(std::span<Append> appends, Version first, WriteBatch& batch) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < appends.size(); ++i) {
    const std::uint64_t sequence = scale_.of_version(first + i * kVersionStep);
    const std::vector<std::size_t> open = open_shards_at(schema_, sequence);
    if (open.empty()) return;
    const std::size_t place = open[(appends[i].hash * std::uint64_t{open.size()}) >> 32];
    StreamShard& shard = schema_.shards[place];
    if (shard.closed == 0) shard.last_sequence = std::max(shard.last_sequence, sequence);
    batch.put(trees_[place], stream_record_key(schema_.number, shard.number, sequence),
              std::move(appends[i].record));
  }
}

void StreamLog::finish(Drawn drawn, bool is_committed) {
  const std::lock_guard lock(mutex_);
  sequence_.finish(drawn.first);
  if (is_committed) stored_ = std::max(stored_, drawn.last);
}

void StreamAppends::add(StreamLog& log, std::string_view key, std::string record) {
  appends_.push_back({&log, leading_hash(key), std::move(record)});
}

void StreamAppends::draw(Version first, WriteBatch& batch) {
  std::span<StreamLog::Append> rest(appends_.data(), appends_.size());
  while (!rest.empty()) {
    StreamLog& log = *rest.front().log;
    const auto other = std::ranges::find_if(
        rest, [&](const StreamLog::Append& append) { return append.log != &log; });
    const auto run = rest.first(static_cast<std::size_t>(other - rest.begin()));
    rest = rest.subspan(run.size());
    if (first != 0) {
      log.add_versioned(run, first, batch);
      first += run.size() * kVersionStep;
      continue;
    }
    const StreamLog::Drawn drawn = log.draw(run, batch);
    if (drawn.first != 0) drawn_.emplace_back(&log, drawn);
  }
}

void StreamAppends::finish(bool is_committed) {
  for (const auto& [log, drawn] : drawn_) log->finish(drawn, is_committed);
  drawn_.clear();
}

}  // namespace magneto::storage
