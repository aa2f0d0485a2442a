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
#include "storage/engine/records.h"
#include "storage/engine/server_group.h"
#include "storage/forward_time.h"
#include "storage/stream/sequence_scale.h"
#include "storage/stream/stream_record.h"
#include "storage/stream/stream_shards.h"

namespace magneto::storage {

// The offset of a stream's time ahead of the clock, from a sequence number on; 0 before the first.
// Ascending.
using StreamLeads = std::vector<std::pair<std::uint64_t, Clock::Duration>>;

// Reads the records of one shard from a position on, in the order of their sequence numbers.
// Movable.
class StreamCursor {
 public:
  bool next();  // throws EngineError
  std::uint64_t sequence() const;
  // When the record was made, by the clock at that time. Throws EngineError.
  Clock::TimePoint made() const;
  // Valid until the next call of next().
  StreamRecord record();

  // After next() returned false: true if no record will ever follow.
  bool shard_has_ended() const { return shard_ends_; }

 private:
  friend class StreamLog;
  StreamCursor(TreePtr tree, std::unique_ptr<Cursor> cursor, const KeySchema& key,
               const SequenceScale& scale, bool shard_ends)
      : tree_(std::move(tree)),
        cursor_(std::move(cursor)),
        key_(&key),
        scale_(scale),
        shard_ends_(shard_ends) {}

  TreePtr tree_;
  std::unique_ptr<Cursor> cursor_;
  const KeySchema* key_;
  SequenceScale scale_;
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

// The records of one stream: stores the records of committed changes, returns them to readers, and
// lets its shards follow each other.
//
// A sequence number is the time in microseconds when it is drawn, or one above the last number if
// that is greater. It is strictly ascending in the stream, across restarts too, so it ascends for
// each item. It is drawn while the item's key is held, and the record is part of the batch that
// changes the item. Readers see only records below the smallest number whose commit is in progress,
// so they cannot overtake a record that is not visible yet.
//
// Servers that share a store (ServerGroup) take the number of a record from the version of its
// commit, which is greater than that of the item before. Readers see records of settled versions. A
// change of the shards is decided kNotice ahead: every server knows it before it draws such a
// number. There the stream's own time is the clock's.
//
// Data kept for a day must be kept for a day even if the clock is set back. So all times of the
// stream except `created` are in its own time, which never goes back (forward_time.h), and sequence
// numbers follow that time. A record contains how far that time was ahead of the clock, so the
// clock's time is known across restarts too. Thread-safe.
class StreamLog {
 public:
  // Opens a stream; if it is stored, finds its last sequence number again. `system` is nullptr if
  // the engine is not durable. Engine and clock must outlive it. Throws EngineError.
  StreamLog(const Records& records, const Clock& clock, StreamSchema schema);
  // A stream that starts from another one's state, with trees over the other's. Not stored.
  StreamLog(Engine& engine, const Clock& clock, StreamSnapshot snapshot);
  StreamLog(const StreamLog&) = delete;
  StreamLog& operator=(const StreamLog&) = delete;

  // How long before its time a change of the shards is made known to the servers of a group. It is
  // longer than clocks of servers may differ.
  static constexpr std::chrono::minutes kNotice{2};

  // The current state. description() returns the constant part, without the shards, and makes no
  // copy.
  StreamSchema schema() const;
  const StreamSchema& description() const { return description_; }
  std::string arn() const { return description_.arn(); }
  bool is_closed() const;
  bool is_expired() const;
  // The current state; while no scope is open, it has all commits.
  StreamSnapshot snapshot() const;
  // The policy that the stream had when its table left it.
  std::optional<ResourcePolicy> policy() const;
  // When it was closed, by the clock; kFirst while it is open.
  Clock::TimePoint closed() const;
  // When roll_over(), trim() or the end of the stream is due next, by the clock; max(): never.
  Clock::TimePoint next_change() const;

  // Encodes the record of a change for StreamAppends.
  std::string encode(ItemView before, ItemView after, bool by_time_to_live) const {
    return encode_stream_record(description_.key, view_, before, after, by_time_to_live);
  }

  // ---- reading --------------------------------------------------------------------------------

  // A position is a sequence number: the first one to read. No position returned here is above the
  // number of a later record, even after a restart with a clock that is behind. Records below the
  // horizon are older than kStreamRetention, and trimmed.
  std::uint64_t horizon() const;  // at most end()
  // The position after all records that are visible now.
  std::uint64_t end() const;
  // The position from which on records may have been made at `time`, by the clock, or later; at
  // most end(). If the clock was set back, the first such time counts. If it was set back before a
  // restart, earlier records may follow too.
  std::uint64_t position_at(Clock::TimePoint time) const;
  // The position of a record made at `time`, unless the stream is ahead of the clock.
  std::uint64_t position_of(Clock::TimePoint time) const { return scale_.at(time); }
  // A position above those of all records that any server has made. If servers share the store, this
  // may wait for the store, and throw EngineError; otherwise a stream ahead of the clock may have
  // higher ones.
  std::uint64_t position_of_now() const;

  enum class Access : std::uint8_t {
    kGiven,
    kNoShard,
    kTrimmed,  // a record at or after the position no longer exists
  };
  // Opens `cursor` on the records of a shard if the result is kGiven. The cursor must not outlive
  // this stream. Throws EngineError.
  Access read(std::uint32_t shard_number, std::uint64_t position,
              std::optional<StreamCursor>& cursor) const;

  // Records that a reader received all records below the position.
  void record_read(std::uint32_t shard_number, std::uint64_t position) const;
  // The lag of readers: the age difference between the newest record of a shard and the first one
  // that no reader has received since the process began. Returns the largest lag of all shards.
  std::chrono::microseconds reader_lag() const;

  // Called right before the table leaves the stream. On a failure throws EngineError and changes
  // nothing.
  void keep_policy(const std::optional<ResourcePolicy>& policy);

  // ---- shards; on a failure each throws EngineError and changes nothing -------------------------

  void roll_over();
  // Splits all open shards until there are at least `count`.
  void split(std::uint32_t count);
  // Ends the stream. No writer uses it any more.
  void close();
  // Takes over the record as another server has changed it. Returns false if it is gone.
  bool take_over();
  // Whether the record says what is known. It need not have the last numbers of open shards.
  bool is_like(const StreamSchema& record) const;
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

  // The consecutive sequence numbers of one commit.
  struct Drawn {
    std::uint64_t first = 0;  // 0: none
    std::uint64_t last = 0;
  };

  // Assigns sequence numbers to the records and adds them to the batch; does nothing if the stream
  // is closed. Pass the result to finish() once the batch is committed or has failed.
  Drawn draw(std::span<Append> appends, WriteBatch& batch);
  void finish(Drawn drawn, bool is_committed);
  // For servers of a group: the records have the numbers of these versions.
  void add_versioned(std::span<Append> appends, Version first, WriteBatch& batch);

  // The next functions require mutex_.
  Clock::TimePoint now() const;  // the stream's time
  std::uint64_t visible_end() const;
  // Whether a commit may be under way that writes to the shard.
  bool may_have_commits(const StreamShard& shard) const;
  std::uint64_t oldest_kept() const { return scale_.at(now() - kStreamRetention); }
  ShardMoment next_moment() const;

  // The moment of a change of shards, which must be made known to writers. Waits for the store if
  // there is a group.
  ShardMoment moment_ahead() const;

  std::vector<TreePtr> open_trees(const StreamSchema& schema) const;
  std::vector<TreePtr> trees_of(const StreamSchema& changed) const;
  void find_last_sequences();
  bool is_due_to_roll_over() const;
  std::size_t open_shards() const;  // the greatest number if the stream is closed
  // Requires mutex_. Raises the numbers above those in the stream's record.
  void record_schema();
  using Edit = absl::FunctionRef<bool(StreamSchema& schema, const ShardMoment& moment)>;
  // Returns whether `edit` has changed the stream.
  bool change(Edit edit, bool frees_space = false);
  // The same, and makes the change known to the group.
  void change_shards(Edit edit);
  std::optional<StreamSchema> stored_schema(Records::Change& records) const;
  void replace_schema(StreamSchema schema);

  Engine& engine_;
  const Clock& clock_;
  const Records records_;
  ServerGroup* const group_;  // nullptr: this process uses the store alone
  const SequenceScale scale_;
  const StreamSchema description_;  // without shards
  const StreamView view_;

  // Held while shards change, also during their commit, and while numbers are drawn: a record must
  // not go into a shard that a crash would lose. Taken before mutex_, and after a scope, since
  // writers draw while they hold keys. Readers do not take it.
  std::mutex change_mutex_;
  mutable std::mutex mutex_;       // guards the next members; its holder never waits
  StreamSchema schema_;            // last_sequence of open shards is kept up to date here only
  std::vector<TreePtr> trees_;     // of schema_.shards
  std::vector<std::size_t> open_;  // open_shards_of(schema_)
  CommitSequence sequence_;
  // The last number that a reopened stream will find. The number of a failed commit is not found.
  std::uint64_t stored_ = 0;
  mutable ForwardTime time_;
  mutable StreamLeads leads_;  // for numbers that may still be read
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

  // Adds a record of the item under `key`, which is held. The stream must outlive this object.
  void add(StreamLog& log, std::string_view key, std::string record);
  // Called right before the commit of `scope`; without one, on an engine that has no group.
  void draw(WriteScope& scope, WriteBatch& batch) {
    if (!appends_.empty()) draw(scope.draw(appends_.size()), batch);
  }
  void draw(WriteBatch& batch) { draw(0, batch); }
  // Called after the commit, with the keys still held: makes the records visible.
  void finish() { finish(true); }

 private:
  void draw(Version first, WriteBatch& batch);  // 0: the streams draw numbers
  void finish(bool is_committed);

  absl::InlinedVector<StreamLog::Append, 1> appends_;
  absl::InlinedVector<std::pair<StreamLog*, StreamLog::Drawn>, 1> drawn_;
};

}  // namespace magneto::storage
