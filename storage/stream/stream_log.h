#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/engine/commit_sequence.h"
#include "storage/engine/engine.h"
#include "storage/forward_time.h"
#include "storage/stream/stream_record.h"
#include "storage/stream/stream_shards.h"

namespace magneto::storage {

// From a sequence number on, how far a stream's time is ahead of the clock; 0 before the first.
// Ascending.
using StreamLeads = std::vector<std::pair<std::uint64_t, Clock::Duration>>;

// Records of one shard from a position on, in the order of their sequence numbers. Movable.
class StreamCursor {
 public:
  bool next();  // throws EngineError
  std::uint64_t sequence() const;
  // The record, as the clock said then. Throws EngineError.
  Clock::TimePoint made() const;
  // Valid until the next call of next().
  StreamRecord record();

  // After next() returned false: no record will ever follow.
  bool shard_has_ended() const { return shard_ends_; }

 private:
  friend class StreamLog;
  StreamCursor(TreePtr tree, std::unique_ptr<Cursor> cursor, const KeySchema& key, bool shard_ends)
      : tree_(std::move(tree)), cursor_(std::move(cursor)), key_(&key), shard_ends_(shard_ends) {}

  TreePtr tree_;
  std::unique_ptr<Cursor> cursor_;
  const KeySchema* key_;
  bool shard_ends_;
  std::string keys_;
};

// A stream at one moment. Its trees are those of schema.shards.
struct StreamSnapshot {
  StreamSchema schema;
  std::vector<TreePtr> trees;
  std::uint64_t last_sequence = 0;
  ForwardTime time = {};
  StreamLeads leads = {};
};

// The records of one stream: takes those of committed changes, gives them to readers, and lets its
// shards follow each other.
//
// A sequence number is the time in microseconds when it is drawn, or one above the last where that
// is more: strictly ascending in the stream, over restarts too, so ascending for each item. It is
// drawn while the item's key is held, and the record is part of the batch that changes the item.
// Readers see what is below the smallest number whose commit is under way, so they cannot overtake
// a record that is not visible yet.
//
// So that what is kept for a day is kept for a day also where the clock was set back, all times of
// the stream but `created` are by a time of its own, which never goes back (forward_time.h), and
// sequence numbers follow that. A record says how far that time was ahead of the clock, so what the
// clock said is known over restarts too. Thread-safe.
class StreamLog {
 public:
  // Opens a stream; where it is stored, its last sequence number is found again. `system` is
  // nullptr when the engine is not durable. Engine and clock must outlive it. Throws EngineError.
  StreamLog(Engine& engine, const Clock& clock, TreePtr system, StreamSchema schema);
  // One that begins as another was, with trees over the other's. Nothing of it is stored.
  StreamLog(Engine& engine, const Clock& clock, StreamSnapshot snapshot);
  StreamLog(const StreamLog&) = delete;
  StreamLog& operator=(const StreamLog&) = delete;

  // The stream now. Without the shards, what does not change can be had without a copy.
  StreamSchema schema() const;
  const StreamSchema& description() const { return description_; }
  std::string arn() const { return description_.arn(); }
  bool is_closed() const;
  bool is_expired() const;
  // As it is now; while no scope is open, with all that has been committed.
  StreamSnapshot snapshot() const;
  // That it had when its table left it.
  std::optional<ResourcePolicy> policy() const;
  // When it was closed, by the clock; kFirst while it is open.
  Clock::TimePoint closed() const;
  // When roll_over(), trim() or the end of the stream is due next, by the clock; max(): never.
  Clock::TimePoint next_change() const;

  // The record of a change, to be added by StreamAppends.
  std::string encode(ItemView before, ItemView after, bool by_time_to_live) const {
    return encode_stream_record(description_.key, view_, before, after, by_time_to_live);
  }

  // ---- reading --------------------------------------------------------------------------------

  // Positions are sequence numbers: the first one that may be read. None that is given here is above
  // the number of a later record, even after a restart with a clock that is behind. Records below
  // the horizon are older than kStreamRetention, and trimmed.
  std::uint64_t horizon() const;  // at most end()
  // The position after all records that are visible now.
  std::uint64_t end() const;
  // From where on records may be made at `time`, by the clock, or later; at most end(). Where the
  // clock was set back, the first such time counts. Where that was before a restart, earlier records
  // may follow too.
  std::uint64_t position_at(Clock::TimePoint time) const;

  enum class Access : std::uint8_t {
    kGiven,
    kNoShard,
    kTrimmed,  // a record at or after the position is no longer there
  };
  // Opens `cursor` on the records of a shard, unless it answers otherwise. The cursor must not
  // outlive this. Throws EngineError.
  Access read(std::uint32_t shard_number, std::uint64_t position,
              std::optional<StreamCursor>& cursor) const;

  // A reader was given what is below the position.
  void note_read(std::uint32_t shard_number, std::uint64_t position) const;
  // How much older than the newest record of its shard the first one is that no reader was given
  // since the process began; of the shard where that is most.
  std::chrono::microseconds reader_lag() const;

  // Right before its table leaves it. Throws EngineError, and has changed nothing then.
  void keep_policy(const std::optional<ResourcePolicy>& policy);

  // ---- shards following each other; each throws EngineError, and has changed nothing then ------

  void roll_over();
  // Splits all open shards until there are at least `count`.
  void split(std::uint32_t count);
  // Ends the stream. No writer knows of it any more.
  void close();
  // Removes shards that have expired, with their records.
  void trim();
  // Removes all records of an expired stream, before the stream itself is forgotten.
  void clear();

 private:
  friend class StreamAppends;

  // A record that waits for its sequence number.
  struct Append {
    StreamLog* log;
    std::uint32_t hash;
    std::string record;
  };

  // The sequence numbers of one commit, which follow each other.
  struct Drawn {
    std::uint64_t first = 0;  // 0: none
    std::uint64_t last = 0;
  };

  // Gives the records sequence numbers and puts them into the batch: none when the stream is closed.
  // finish() takes them once the batch is committed or has failed.
  Drawn draw(std::span<Append> appends, WriteBatch& batch);
  void finish(Drawn drawn, bool is_committed);

  // These require mutex_.
  Clock::TimePoint now() const;  // the stream's time
  std::uint64_t visible_end() const { return std::min(sequence_.visible_end(), stored_ + 1); }
  std::uint64_t next_sequence() const { return sequence_.next(sequence_at(now())); }
  std::uint64_t oldest_kept() const { return sequence_at(now() - kStreamRetention); }

  std::vector<TreePtr> open_trees(const StreamSchema& schema) const;
  std::vector<TreePtr> trees_of(const StreamSchema& changed) const;
  void find_last_sequences();
  // Requires mutex_. Numbers go on above those that stand in the stream's record.
  void note_schema();
  void change(absl::FunctionRef<bool(StreamSchema& schema, const ShardMoment& moment)> edit,
              bool frees_space = false);

  Engine& engine_;
  const Clock& clock_;
  const TreePtr system_;
  const StreamSchema description_;  // without shards
  const StreamView view_;

  // Held while shards change, also while that is committed, and while numbers are drawn: a record
  // must not go into a shard that a crash would lose. Taken before mutex_. Readers do without.
  std::mutex change_mutex_;
  mutable std::mutex mutex_;       // guards what follows; nobody waits who holds it
  StreamSchema schema_;            // last_sequence of open shards is kept up to date here only
  std::vector<TreePtr> trees_;     // of schema_.shards
  std::vector<std::size_t> open_;  // open_shards_of(schema_)
  CommitSequence sequence_;
  // The last number that is found again when the stream is reopened. That of a failed commit is not.
  std::uint64_t stored_ = 0;
  mutable ForwardTime time_;
  mutable StreamLeads leads_;  // of numbers that may be read yet
  mutable absl::flat_hash_map<std::uint32_t, std::uint64_t> read_to_;  // by number of the shard
};

using StreamPtr = std::shared_ptr<StreamLog>;

// The records that one commit adds to streams. Not thread-safe.
class StreamAppends {
 public:
  StreamAppends() = default;
  StreamAppends(const StreamAppends&) = delete;
  StreamAppends& operator=(const StreamAppends&) = delete;
  ~StreamAppends() { finish(false); }

  // Of the item under `key`, which is held. The stream must outlive this.
  void add(StreamLog& log, std::string_view key, std::string record);
  // Right before the commit.
  void draw(WriteBatch& batch);
  // After the commit, with the keys still held: makes the records visible.
  void finish() { finish(true); }

 private:
  void finish(bool is_committed);

  absl::InlinedVector<StreamLog::Append, 1> appends_;
  absl::InlinedVector<std::pair<StreamLog*, StreamLog::Drawn>, 1> drawn_;
};

}  // namespace magneto::storage
