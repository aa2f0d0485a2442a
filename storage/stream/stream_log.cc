#include "storage/stream/stream_log.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

StreamSchema without_shards(const StreamSchema& schema) {
  StreamSchema description = schema;
  description.shards.clear();
  return description;
}

}  // namespace

bool StreamCursor::next() { return cursor_->next(); }

std::uint64_t StreamCursor::sequence() const { return sequence_of(cursor_->key()); }

StreamRecord StreamCursor::record() { return decode_stream_record(cursor_->value(), *key_, keys_); }

StreamLog::StreamLog(Engine& engine, const Clock& clock, TreePtr system, StreamSchema schema)
    : engine_(engine),
      clock_(clock),
      system_(std::move(system)),
      description_(without_shards(schema)),
      view_(schema.view_type),
      schema_(std::move(schema)),
      trees_(open_trees(schema_)),
      open_(open_shards_of(schema_)) {
  find_last_sequences();
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

void StreamLog::find_last_sequences() {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    StreamShard& shard = schema_.shards[i];
    if (shard.closed == 0) {
      const auto newest = engine_.scan(*trees_[i], {}, {}, Direction::kBackward);
      if (newest->next()) shard.last_sequence = sequence_of(newest->key());
    }
    sequence_.raise(shard.last_sequence);
  }
}

StreamSchema StreamLog::schema() const {
  const std::int64_t now = milliseconds_of(clock_.now());
  const std::lock_guard lock(mutex_);
  StreamSchema schema = schema_;
  std::erase_if(schema.shards,
                [now](const StreamShard& shard) { return storage::is_expired(shard, now); });
  return schema;
}

bool StreamLog::is_closed() const {
  const std::lock_guard lock(mutex_);
  return schema_.closed != 0;
}

bool StreamLog::is_expired() const {
  const std::int64_t now = milliseconds_of(clock_.now());
  const std::lock_guard lock(mutex_);
  return storage::is_expired(schema_, now);
}

std::uint64_t StreamLog::horizon() const { return sequence_at(clock_.now() - kStreamRetention); }

std::uint64_t StreamLog::end() const {
  const std::lock_guard lock(mutex_);
  return sequence_.visible_end();
}

std::uint64_t StreamLog::next_sequence() const { return sequence_.next(sequence_at(clock_.now())); }

StreamLog::Access StreamLog::read(std::uint32_t shard_number, std::uint64_t position,
                                  std::optional<StreamCursor>& cursor) const {
  TreePtr tree;
  std::uint64_t upper = 0;
  bool shard_ends = false;
  {
    const std::int64_t now = milliseconds_of(clock_.now());
    const std::lock_guard lock(mutex_);
    const StreamShard* shard = find_shard(schema_, shard_number);
    if (shard == nullptr || storage::is_expired(*shard, now)) return Access::kNoShard;
    tree = trees_[static_cast<std::size_t>(shard - schema_.shards.data())];
    upper = sequence_.visible_end();
    shard_ends = shard->closed != 0 && upper > shard->last_sequence;
  }
  const auto scan = [&](std::uint64_t first, std::uint64_t beyond) {
    const auto key = [&](std::uint64_t sequence) {
      return stream_record_key(description_.number, shard_number, sequence);
    };
    return engine_.scan(*tree, key(first), key(std::max(first, beyond)), Direction::kForward);
  };
  const std::uint64_t oldest = horizon();
  if (position < oldest && scan(position, std::min(oldest, upper))->next()) {
    return Access::kTrimmed;
  }
  auto records = scan(std::max(position, oldest), upper);
  cursor = StreamCursor(std::move(tree), std::move(records), description_.key, shard_ends);
  return Access::kGiven;
}

void StreamLog::note_read(std::uint32_t shard_number, std::uint64_t position) const {
  const std::lock_guard lock(mutex_);
  if (find_shard(schema_, shard_number) == nullptr) return;
  std::uint64_t& read_to = read_to_[shard_number];
  read_to = std::max(read_to, position);
}

std::chrono::microseconds StreamLog::reader_lag() const {
  const std::uint64_t oldest = horizon();
  std::uint64_t lag = 0;
  const std::lock_guard lock(mutex_);
  for (const StreamShard& shard : schema_.shards) {
    const auto read_to = read_to_.find(shard.number);
    const std::uint64_t next =
        std::max(oldest, read_to == read_to_.end() ? shard.first_sequence : read_to->second);
    if (shard.last_sequence > next) lag = std::max(lag, shard.last_sequence - next);
  }
  return std::chrono::microseconds(lag);
}

void StreamLog::change(
    absl::FunctionRef<bool(StreamSchema& schema, const ShardMoment& moment)> edit) {
  const std::lock_guard changing(change_mutex_);
  ShardMoment moment{};
  StreamSchema changed;
  {
    const std::lock_guard lock(mutex_);
    moment = {milliseconds_of(clock_.now()), next_sequence()};
    changed = schema_;
  }
  if (!edit(changed, moment)) return;
  std::vector<TreePtr> trees = open_trees(changed);
  if (system_ != nullptr) {
    WriteBatch batch;
    batch.put(system_, stream_key(changed.database, changed.number), encode_stream(changed));
    engine_.commit(batch);
  }
  const std::lock_guard lock(mutex_);
  schema_ = std::move(changed);
  trees_ = std::move(trees);
  open_ = open_shards_of(schema_);
  sequence_.raise(moment.sequence);
  absl::erase_if(read_to_,
                 [this](const auto& read) { return find_shard(schema_, read.first) == nullptr; });
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

// Records go first: a shard that is known but empty can be trimmed again, one that is forgotten
// cannot. Nobody reads them any more, and nobody adds to a closed shard.
void StreamLog::trim() {
  const std::int64_t now = milliseconds_of(clock_.now());
  std::vector<TreePtr> expired;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      if (storage::is_expired(schema_.shards[i], now)) expired.push_back(trees_[i]);
    }
  }
  if (expired.empty()) return;
  for (const TreePtr& tree : expired) engine_.clear(*tree);
  for (const TreePtr& tree : expired) engine_.reclaim(*tree);
  change([now](StreamSchema& schema, const ShardMoment&) {
    std::erase_if(schema.shards,
                  [now](const StreamShard& shard) { return storage::is_expired(shard, now); });
    return true;
  });
}

void StreamLog::clear() {
  std::vector<TreePtr> trees;
  {
    const std::lock_guard lock(mutex_);
    trees = trees_;
  }
  for (const TreePtr& tree : trees) engine_.clear(*tree);
  for (const TreePtr& tree : trees) engine_.reclaim(*tree);
}

std::uint64_t StreamLog::draw(std::span<Append> appends, WriteBatch& batch) {
  // Who changes the shards waits for the disk then, but so do all writers: they are on workers.
  Effort::take(change_mutex_);
  const std::lock_guard changing(change_mutex_, std::adopt_lock);
  const std::lock_guard lock(mutex_);
  if (open_.empty()) return 0;
  const std::uint64_t first = sequence_.draw(appends.size(), sequence_at(clock_.now()));
  auto undraw = absl::MakeCleanup([&] { sequence_.finish(first); });
  std::uint64_t sequence = first;
  for (Append& append : appends) {
    const std::size_t place = open_[(append.hash * std::uint64_t{open_.size()}) >> 32];
    StreamShard& shard = schema_.shards[place];
    shard.last_sequence = sequence;
    batch.put(trees_[place], stream_record_key(schema_.number, shard.number, sequence),
              std::move(append.record));
    ++sequence;
  }
  std::move(undraw).Cancel();
  return first;
}

void StreamLog::finish(std::uint64_t first) {
  const std::lock_guard lock(mutex_);
  sequence_.finish(first);
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
    if (const std::uint64_t first = log.draw(run, batch)) drawn_.emplace_back(&log, first);
    rest = rest.subspan(run.size());
  }
}

void StreamAppends::finish() {
  for (const auto& [log, first] : drawn_) log->finish(first);
  drawn_.clear();
}

}  // namespace magneto::storage
