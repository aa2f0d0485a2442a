#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/history/history_budget.h"
#include "storage/history/history_state.h"

namespace magneto::storage {

// The range of times, by the clock, to which a history can be restored.
struct RecoveryWindow {
  Clock::TimePoint earliest;
  Clock::TimePoint latest;  // now
};

// The stored state of a history; if there is none, it has not begun. Throws EngineError.
HistoryState stored_history(Engine& engine, const TreePtr& system, std::uint32_t number);

// The past of a table: a record of each change since the history began, in segments, each in a tree
// of ColumnFamily::kExpiry (keyspace.h). All versions of the table share it, from the enabling of
// point-in-time recovery until its disabling, which drops it. The history keeper adds and removes
// segments under the catalog's lock for changes (background/history_keeper.h). Thread-safe.
class TableHistory {
 public:
  struct Segment {
    std::uint16_t number;
    TreePtr tree;
  };
  // The history at one moment while no scope is open, with all commits.
  struct Origin {
    std::uint32_t number = 0;
    HistoryState state = {};
    std::vector<Segment> segments = {};
    Clock::TimePoint last = {};
    std::uint32_t ordinal = 0;
  };

  // A new history that has not begun. `system`: the tree of its records; nullptr if the engine is
  // not durable.
  TableHistory(Engine& engine, const Clock& clock, const HistoryBudgetPtr& budget,
               std::uint32_t number, TreePtr system);
  // A stored history, to be opened. Reads segments whose contents are not known exactly. Throws
  // EngineError.
  TableHistory(Engine& engine, const Clock& clock, const HistoryBudgetPtr& budget,
               std::uint32_t number, TreePtr system, HistoryState stored);
  // An open history that starts from another one's state, with trees over the other's. Not stored.
  using OverlayOf = absl::FunctionRef<TreePtr(const TreePtr& below)>;
  TableHistory(const Clock& clock, const HistoryBudgetPtr& budget, const Origin& origin,
               OverlayOf overlay_of);
  ~TableHistory();
  TableHistory(const TableHistory&) = delete;
  TableHistory& operator=(const TableHistory&) = delete;

  // Starts using its clock, which may have been turned arbitrarily since the history was stored;
  // may begin an era. Call it before all other functions except snapshot().
  void open();

  std::uint32_t number() const { return number_; }
  Origin snapshot() const;

  // ---- writing, by HistoryAppends ---------------------------------------------------------------

  // The moment of a commit, and the segment for it. The commit's scope is open and its keys are
  // held. Adds the eras that are not stored to the batch, which must then be committed: without its
  // era, a change would have another time after a kill.
  struct Position {
    HistoryMoment moment;
    Segment segment;
  };
  Position draw(WriteBatch& batch);
  // Counts `bytes` that were committed to the segment.
  void note(const Segment& segment, std::int64_t bytes);

  // ---- the window -------------------------------------------------------------------------------

  // Records all changes from now on; does nothing if it has begun already.
  void begin();
  // The next functions read the clock, and begin an era if it went back.

  // At most `days` back. nullopt: it has not begun.
  std::optional<RecoveryWindow> window(std::int32_t days);
  // A moment to read, by the history's time: the last one when the clock showed `time`. All later
  // changes are after it. nullopt: not in the window.
  std::optional<Clock::TimePoint> place_of(Clock::TimePoint time, std::int32_t days);
  // The current moment. nullopt: it has not begun.
  std::optional<Clock::TimePoint> present();
  // Whether a moment that was returned before, perhaps to an earlier process, can still be read. It
  // may have left the window.
  bool knows(Clock::TimePoint moment);
  // Older changes need not be kept. It is slightly before the window, which moves on during a read.
  Clock::TimePoint horizon(std::int32_t days);

  // The clock's time at a time of the history.
  Clock::TimePoint shown_at(Clock::TimePoint time) const;
  // The segments that may have changes after that time of the history, oldest first.
  std::vector<Segment> segments_behind(Clock::TimePoint time) const;

  // ---- keeping it -------------------------------------------------------------------------------

  // The clock was turned or stepped; it showed `before` then.
  void record_turn(Clock::TimePoint before);
  HistoryState state() const;
  // Adds the eras to the batch unless they are stored. After the commit, pass the result to
  // record_stored().
  std::uint64_t stage_eras(WriteBatch& batch);
  // Adds the whole record with this state, which includes the eras.
  void stage_record(const HistoryState& state, WriteBatch& batch);
  void record_stored(std::uint64_t eras_version);
  // Removes all records of the history.
  void stage_removal(WriteBatch& batch) const;
  // Whether eras were forgotten because of their number since the last call.
  bool take_forgotten_eras();
  std::vector<Segment> segments() const;
  void add_segment(const Segment& segment);
  // Removes the first segment, which must not be the last one. All changes up to its last one are
  // forgotten. Returns the number of bytes freed.
  std::int64_t drop_first();
  // The table or its recovery is gone: the history no longer uses the budget.
  void retire();

 private:
  struct Held {
    Segment segment;
    std::int64_t own = 0;  // bytes that are not below a fork
  };

  class Look;

  bool has_new_eras() const { return state_.eras_version != stored_version_; }
  void add_eras(WriteBatch& batch);
  void remove_eras_before(std::uint64_t version, WriteBatch& batch) const;
  // The next functions require mutex_.
  Clock::TimePoint first_known(Clock::TimePoint now, std::int32_t days) const;
  Held* held(std::uint16_t number);
  void measure(std::size_t segment, Engine& engine);

  const Clock& clock_;
  const HistoryBudgetPtr budget_;  // may outlive its store, like this object
  const std::uint32_t number_;
  const TreePtr system_;      // nullptr: nothing is stored
  mutable std::mutex mutex_;  // guards the next members; its holder never waits
  HistoryState state_;
  std::vector<Held> held_;                  // of state_.segments
  Clock::TimePoint last_;                   // drawn
  std::uint32_t ordinal_ = 0;               // of last_
  Clock::TimePoint seen_;                   // the last moment that was read; no change may have it
  std::uint64_t stored_version_ = 0;        // of the eras
  std::vector<std::uint64_t> era_records_;  // the versions of those that may be stored
  bool is_retired_ = false;
};
using HistoryPtr = std::shared_ptr<TableHistory>;

// The records that one commit adds to histories. Not thread-safe.
class HistoryAppends {
 public:
  bool empty() const { return appends_.empty(); }
  // Adds a record for the item under `key`, which is held. `before`: encode_item() of its old
  // value, empty if it did not exist. The history and the bytes must outlive draw().
  void add(TableHistory& history, std::string_view key, std::string_view before) {
    appends_.push_back({&history, key, before});
  }
  // Called right before the commit: all records of a history get the same moment.
  void draw(WriteBatch& batch);
  // Called after the commit.
  void committed();
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Append {
    TableHistory* history;
    std::string_view key;
    std::string_view before;
  };
  struct Drawn {
    TableHistory* history;
    TableHistory::Segment segment;
    std::int64_t bytes;
  };
  std::vector<Append> appends_;
  std::vector<Drawn> drawn_;
  std::int64_t bytes_ = 0;
};

}  // namespace magneto::storage
