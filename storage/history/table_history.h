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

// Where a history can be gone back to, by the clock.
struct RecoveryWindow {
  Clock::TimePoint earliest;
  Clock::TimePoint latest;  // now
};

// What is stored of a history; where nothing is, it has not begun. Throws EngineError.
HistoryState stored_history(Engine& engine, const TreePtr& system, std::uint32_t number);

// What a table was: a record of each change since the history began, in segments, each a tree of
// ColumnFamily::kExpiry (keyspace.h). Shared by all versions of the table from the enabling of
// point-in-time recovery to its disabling, which drops it. Segments are added and dropped under the
// catalog's lock for changes, by who keeps the histories (background/history_keeper.h).
// Thread-safe.
class TableHistory {
 public:
  struct Segment {
    std::uint16_t number;
    TreePtr tree;
  };
  // At one moment, with all that has been committed while no scope is open.
  struct Origin {
    std::uint32_t number = 0;
    HistoryState state = {};
    std::vector<Segment> segments = {};
    Clock::TimePoint last = {};
    std::uint32_t ordinal = 0;
  };

  // A new one: not begun. `system`: where its records are stored; nullptr when the engine is not
  // durable.
  TableHistory(Engine& engine, const Clock& clock, const HistoryBudgetPtr& budget,
               std::uint32_t number, TreePtr system);
  // As it is stored, to be opened. Reads segments whose contents are not known exactly. Throws
  // EngineError.
  TableHistory(Engine& engine, const Clock& clock, const HistoryBudgetPtr& budget,
               std::uint32_t number, TreePtr system, HistoryState stored);
  // An open one that begins as another was, with trees over the other's. Nothing of it is stored.
  using OverlayOf = absl::FunctionRef<TreePtr(const TreePtr& below)>;
  TableHistory(const Clock& clock, const HistoryBudgetPtr& budget, const Origin& origin,
               OverlayOf overlay_of);
  ~TableHistory();
  TableHistory(const TableHistory&) = delete;
  TableHistory& operator=(const TableHistory&) = delete;

  // From now on it goes by its clock, which may have done anything since the history was stored: an
  // era may begin. Before all but snapshot().
  void open();

  std::uint32_t number() const { return number_; }
  Origin snapshot() const;

  // ---- writing, by HistoryAppends --------------------------------------------------------------

  // The moment of a commit, and the segment for it, whose scope is open and whose keys are held. Adds
  // to the batch, which is committed then, the eras that are not stored: a change without its era
  // would be at another time after a kill.
  struct Position {
    HistoryMoment moment;
    Segment segment;
  };
  Position draw(WriteBatch& batch);
  // So many bytes were committed there.
  void note(const Segment& segment, std::int64_t bytes);

  // ---- the window ------------------------------------------------------------------------------

  // From now on all changes are recorded, unless it has begun already.
  void begin();
  // These look at the clock, and begin an era where that went back.

  // At most `days` back. nullopt: it has not begun.
  std::optional<RecoveryWindow> window(std::int32_t days);
  // A moment to look at, by the history's time: each change from now on is behind it. That when the
  // clock showed `time` for the last time; nullopt: not in the window.
  std::optional<Clock::TimePoint> place_of(Clock::TimePoint time, std::int32_t days);
  // Now. nullopt: it has not begun.
  std::optional<Clock::TimePoint> present();
  // Whether a moment that was given before, maybe by an earlier process, can be seen, though it may have
  // left the window.
  bool knows(Clock::TimePoint moment);
  // Of what is older nothing has to be kept: a little more than the window, since that moves on
  // while somebody looks at it.
  Clock::TimePoint horizon(std::int32_t days);

  // What the clock showed at a time of the history.
  Clock::TimePoint shown_at(Clock::TimePoint time) const;
  // The segments that may have changes behind that time of the history, the older first.
  std::vector<Segment> segments_behind(Clock::TimePoint time) const;

  // ---- keeping it ------------------------------------------------------------------------------

  // The clock was turned or stepped, and said that before.
  void note_turn(Clock::TimePoint before);
  HistoryState state() const;
  // Adds the eras to the batch unless they are stored. Once it is committed, note_stored() is to be
  // called with what this returned.
  std::uint64_t stage_eras(WriteBatch& batch);
  // Adds the whole record, with such a state, in which that of the eras is contained.
  void stage_record(const HistoryState& state, WriteBatch& batch);
  void note_stored(std::uint64_t eras_version);
  // Removes all records of it.
  void stage_removal(WriteBatch& batch) const;
  // Whether there were more eras than it keeps since that was asked last.
  bool take_forgotten_eras();
  std::vector<Segment> segments() const;
  void add_segment(const Segment& segment);
  // The first one, which is not the last: all that is not behind its last change is forgotten.
  // Returns the bytes that are freed with it.
  std::int64_t drop_first();
  // The table or its recovery has gone: takes nothing of the budget any more.
  void retire();

 private:
  struct Held {
    Segment segment;
    std::int64_t own = 0;  // bytes that do not lie below a fork
  };

  class Look;

  bool has_new_eras() const { return state_.eras_version != stored_version_; }
  void add_eras(WriteBatch& batch);
  void remove_eras_before(std::uint64_t version, WriteBatch& batch) const;
  // Each requires mutex_.
  Clock::TimePoint first_known(Clock::TimePoint now, std::int32_t days) const;
  Held* held(std::uint16_t number);
  void measure(std::size_t segment, Engine& engine);

  const Clock& clock_;
  const HistoryBudgetPtr budget_;  // may outlive its store, as this may
  const std::uint32_t number_;
  const TreePtr system_;      // nullptr: nothing of it is stored
  mutable std::mutex mutex_;  // guards what follows; nobody waits who holds it
  HistoryState state_;
  std::vector<Held> held_;     // of state_.segments
  Clock::TimePoint last_;      // drawn
  std::uint32_t ordinal_ = 0;  // of last_
  Clock::TimePoint seen_;      // the last moment that was looked at; no change is to be of it
  std::uint64_t stored_version_ = 0;        // of the eras
  std::vector<std::uint64_t> era_records_;  // the versions of those that may be stored
  bool is_retired_ = false;
};
using HistoryPtr = std::shared_ptr<TableHistory>;

// The records that one commit adds to histories. Not thread-safe.
class HistoryAppends {
 public:
  bool empty() const { return appends_.empty(); }
  // What the item under `key`, which is held, was: encode_item() of it, empty when it was not there.
  // History and bytes are to outlive draw().
  void add(TableHistory& history, std::string_view key, std::string_view before) {
    appends_.push_back({&history, key, before});
  }
  // Right before the commit: all records of a history get one moment.
  void draw(WriteBatch& batch);
  // Once it is made.
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
