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
  return time_of_sequence(sequence()) - lead_of(cursor_->value());
}

StreamRecord StreamCursor::record() { return decode_stream_record(cursor_->value(), *key_, keys_); }

StreamLog::StreamLog(const Records& records, const Clock& clock, StreamSchema schema)
    : engine_(records.engine()),
      clock_(clock),
      records_(records),
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
  for (const StreamShard& shard : schema_.shards) {
    stored_ = std::max(stored_, shard.closed == 0 ? shard.first_sequence : shard.last_sequence);
  }
  if (schema_.closed != 0) {
    const Clock::TimePoint closed{std::chrono::milliseconds(schema_.closed)};
    stored_ = std::max(stored_, sequence_at(closed));
  }
  sequence_.raise(stored_);
}

Clock::TimePoint StreamLog::now() const {
  const Clock::Duration lead = time_.lead();
  const Clock::TimePoint now = time_.at(clock_.now(), time_of_sequence(sequence_.last()));
  if (time_.lead() != lead) leads_.emplace_back(sequence_.last() + 1, time_.lead());
  return now;
}

StreamSchema StreamLog::schema() const {
  const std::lock_guard lock(mutex_);
  const std::int64_t time = milliseconds_of(now());
  StreamSchema schema = schema_;
  std::erase_if(schema.shards,
                [time](const StreamShard& shard) { return storage::is_expired(shard, time); });
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
    const std::uint64_t position = std::max(first, sequence_at(time + lead));
    if (position < from) return std::min(position, end);
    first = from;
    lead = ahead;
  }
  return std::min(std::max(first, sequence_at(time + lead)), end);
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
  cursor = StreamCursor(std::move(tree), std::move(records), description_.key, shard_ends);
  return Access::kGiven;
}

void StreamLog::record_read(std::uint32_t shard_number, std::uint64_t position) const {
  const std::lock_guard lock(mutex_);
  if (find_shard(schema_, shard_number) == nullptr) return;
  std::uint64_t& read_to = read_to_[shard_number];
  read_to = std::max(read_to, position);
}

std::chrono::microseconds StreamLog::reader_lag() const {
  std::uint64_t lag = 0;
  const std::lock_guard lock(mutex_);
  const std::uint64_t oldest = oldest_kept();
  for (const StreamShard& shard : schema_.shards) {
    const auto read_to = read_to_.find(shard.number);
    const std::uint64_t next =
        std::max(oldest, read_to == read_to_.end() ? shard.first_sequence : read_to->second);
    if (shard.last_sequence > next) lag = std::max(lag, shard.last_sequence - next);
  }
  return std::chrono::microseconds(lag);
}

void StreamLog::change(
    absl::FunctionRef<bool(StreamSchema& schema, const ShardMoment& moment)> edit,
    bool frees_space) {
  const std::string key = stream_key(description_.database, description_.number);
  std::optional<StreamSchema> changed;
  const auto decide = [&](Records::Change& records) {
    records.hold(change_mutex_);
    changed = stored_schema(records);
    if (!changed) return false;
    ShardMoment moment{};
    {
      const std::lock_guard lock(mutex_);
      moment = {milliseconds_of(now()), next_sequence()};
    }
    if (!edit(*changed, moment)) return false;
    if (records_.are_stored()) records.put(key, encode_stream(*changed));
    if (frees_space) records.batch().set_frees_space();
    return true;
  };
  records_.change({key}, decide, [&] { replace_schema(std::move(*changed)); });
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

std::optional<ResourcePolicy> StreamLog::policy() const {
  const std::lock_guard lock(mutex_);
  return schema_.policy;
}

// Allowed on a full disk, because the deletion of the table follows.
void StreamLog::keep_policy(const std::optional<ResourcePolicy>& policy) {
  const auto keep = [&](StreamSchema& schema, const ShardMoment&) {
    return std::exchange(schema.policy, policy) != policy;
  };
  change(keep, true);
}

void StreamLog::roll_over() {
  change([](StreamSchema& schema, const ShardMoment& moment) {
    return schema.closed == 0 && roll_over_shards(schema, moment);
  });
}

void StreamLog::split(std::uint32_t count) {
  bool again = true;
  while (again) {
    change([&](StreamSchema& schema, const ShardMoment& moment) {
      again = schema.closed == 0 && open_.size() < count;
      if (again) split_shards(schema, moment);
      return again;
    });
  }
}

void StreamLog::close() {
  change([](StreamSchema& schema, const ShardMoment& moment) {
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
    const auto last = time_of_sequence(sequence_.last());
    const std::uint64_t oldest = sequence_at(last - kStreamRetention);
    while (leads_.size() > 1 && leads_[1].first <= oldest) leads_.erase(leads_.begin());
  }
  if (expired.empty()) return;
  clear_and_reclaim(engine_, expired);
  change([&](StreamSchema& schema, const ShardMoment&) {
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

StreamLog::Drawn StreamLog::draw(std::span<Append> appends, WriteBatch& batch) {
  // A thread that changes the shards waits for the disk, but so do all writers: they are on
  // workers.
  Effort::take(change_mutex_);
  const std::lock_guard changing(change_mutex_, std::adopt_lock);
  const std::lock_guard lock(mutex_);
  if (open_.empty()) return {};
  const std::uint64_t first = sequence_.draw(appends.size(), sequence_at(now()));
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

void StreamLog::finish(Drawn drawn, bool is_committed) {
  const std::lock_guard lock(mutex_);
  sequence_.finish(drawn.first);
  if (is_committed) stored_ = std::max(stored_, drawn.last);
}

void StreamAppends::add(StreamLog& log, std::string_view key, std::string record) {
  appends_.push_back({&log, leading_hash(key), std::move(record)});
}

void StreamAppends::draw(WriteBatch& batch) {
  std::span<StreamLog::Append> rest(appends_.data(), appends_.size());
  while (!rest.empty()) {
    StreamLog& log = *rest.front().log;
    const auto other = std::ranges::find_if(
        rest, [&](const StreamLog::Append& append) { return append.log != &log; });
    const auto run = rest.first(static_cast<std::size_t>(other - rest.begin()));
    const StreamLog::Drawn drawn = log.draw(run, batch);
    if (drawn.first != 0) drawn_.emplace_back(&log, drawn);
    rest = rest.subspan(run.size());
  }
}

void StreamAppends::finish(bool is_committed) {
  for (const auto& [log, drawn] : drawn_) log->finish(drawn, is_committed);
  drawn_.clear();
}

}  // namespace magneto::storage
