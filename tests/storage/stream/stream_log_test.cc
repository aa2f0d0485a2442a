#include "storage/stream/stream_log.h"

#include <gtest/gtest.h>

#include <chrono>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "tests/storage/database_fixture.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

using Access = StreamLog::Access;
using std::chrono::hours;
using std::chrono::minutes;

class StreamLogTest : public EngineTest {
 protected:
  StreamLogTest() { open(*engine_, first_schema()); }

  StreamSchema first_schema() const {
    StreamSchema schema;
    schema.number = 1;
    schema.table_name = "t";
    schema.view_type = "NEW_IMAGE";
    schema.key = {{string_key("pk")}, {}};
    schema.created = milliseconds_of(clock_.now());
    open_shards(schema, 2, {schema.created, sequence_at(clock_.now())});
    return schema;
  }

  void open(Engine& engine, StreamSchema schema) {
    system_ = engine.is_durable() ? engine.open_tree(ColumnFamily::kSystem, "") : nullptr;
    log_ = std::make_unique<StreamLog>(engine, clock_, system_, std::move(schema));
  }

  // Closes and opens the engine. The stream is read from its record if there is one.
  void reopen_log() {
    log_.reset();
    system_.reset();
    reopen();
    const TreePtr system = engine_->open_tree(ColumnFamily::kSystem, "");
    open(*engine_, decode_stream(engine_->get(*system, stream_key(0, 1)).bytes()));
  }

  // A key whose record goes to the lower or the upper range of the hash.
  static std::string key_of(bool upper) {
    std::string key = tree_prefix(1, 0);
    append_uint64(key, upper ? ~std::uint64_t{0} : 0);
    return key;
  }
  std::string record(int version) const {
    return log_->encode({}, make_item({{"pk", "p"}, {"version", version}}), false);
  }

  void add(int version, bool upper = false) {
    StreamAppends appends;
    appends.add(*log_, key_of(upper), record(version));
    WriteBatch batch;
    appends.draw(batch);
    engine_->commit(batch);
    appends.finish();
  }

  // Returns the versions in a shard from a position on, and how the shard continues: "1 2 ..".
  std::string read(std::uint32_t shard, std::uint64_t position = 0) {
    std::optional<StreamCursor> cursor;
    const Access access = log_->read(shard, position, cursor);
    if (access == Access::kNoShard) return "no shard";
    if (access == Access::kTrimmed) return "trimmed";
    std::string text;
    std::uint64_t last = 0;
    while (cursor->next()) {
      EXPECT_GT(cursor->sequence(), last);
      last = cursor->sequence();
      text += std::to_string(*cursor->record().new_image.find("version").number().to_integer());
      text += ' ';
    }
    return text + (cursor->shard_has_ended() ? "end" : "..");
  }

  std::uint64_t sequence_of_first(std::uint32_t shard) {
    std::optional<StreamCursor> cursor;
    EXPECT_EQ(log_->read(shard, 0, cursor), Access::kGiven);
    EXPECT_TRUE(cursor->next());
    return cursor->sequence();
  }

  // How many minutes after `start` the records of a shard were made: "0 90 ".
  std::string made(std::uint32_t shard, Clock::TimePoint start) {
    std::optional<StreamCursor> cursor;
    EXPECT_EQ(log_->read(shard, log_->horizon(), cursor), Access::kGiven);
    std::string text;
    while (cursor->next()) {
      text += std::to_string(std::chrono::round<minutes>(cursor->made() - start).count());
      text += ' ';
    }
    return text;
  }

  Clock clock_;
  TreePtr system_;
  std::unique_ptr<StreamLog> log_;
};
INSTANTIATE_TEST_SUITE_P(Engines, StreamLogTest, kEngineKinds, engine_kind_name);

TEST_P(StreamLogTest, RecordsStandInTheShardOfTheirHashInTheOrderTheyCame) {
  add(1);
  add(2, true);
  add(3);
  EXPECT_EQ(read(1), "1 3 ..");
  EXPECT_EQ(read(2), "2 ..");
  EXPECT_EQ(read(3), "no shard");
}

TEST_P(StreamLogTest, ReadsFromAPositionOn) {
  add(1);
  const std::uint64_t end = log_->end();
  add(2);
  EXPECT_EQ(read(1, sequence_of_first(1)), "1 2 ..");
  EXPECT_EQ(read(1, sequence_of_first(1) + 1), "2 ..");
  EXPECT_EQ(read(1, end), "2 ..");
  EXPECT_EQ(read(1, log_->end()), "..");
  EXPECT_EQ(read(1, ~std::uint64_t{0}), "..");
}

TEST_P(StreamLogTest, ATimeIsThePositionOfWhatWasMadeThenOrLater) {
  clock_.freeze();
  const auto read_at = [&](Clock::TimePoint time) { return read(1, log_->position_at(time)); };
  const Clock::TimePoint noon = clock_.now();
  EXPECT_EQ(read_at(Clock::kFirst), "..");
  add(1);
  clock_.advance(minutes(1));
  add(2);
  EXPECT_EQ(read_at(noon), "1 2 ..");
  EXPECT_EQ(read_at(noon + Clock::Duration(1)), "2 ..");
  EXPECT_EQ(read_at(noon + minutes(1)), "2 ..");
  EXPECT_LE(log_->position_at(clock_.now() + hours(1)), log_->end());

  clock_.advance(-hours(2));
  add(3);
  clock_.advance(hours(1));
  add(4);
  EXPECT_EQ(read_at(noon - hours(2)), "1 2 3 4 ..");
  clock_.advance(hours(2));
  add(5);
  EXPECT_EQ(read_at(noon + minutes(1)), "2 3 4 5 ..");
  EXPECT_EQ(read_at(clock_.now()), "5 ..");
}

TEST_P(StreamLogTest, NobodySeesARecordBeforeOneWhoseCommitIsUnderWay) {
  StreamAppends slow;
  slow.add(*log_, key_of(false), record(1));
  WriteBatch batch;
  slow.draw(batch);
  add(2);
  add(3, true);
  EXPECT_EQ(read(1), "..");
  EXPECT_EQ(read(2), "..");
  engine_->commit(batch);
  EXPECT_EQ(read(1), "..");
  slow.finish();
  EXPECT_EQ(read(1), "1 2 ..");
  EXPECT_EQ(read(2), "3 ..");
}

TEST_P(StreamLogTest, AFailedCommitHoldsNobodyUp) {
  {
    StreamAppends failed;
    failed.add(*log_, key_of(false), record(1));
    WriteBatch batch;
    failed.draw(batch);
    add(2);
    EXPECT_EQ(read(1), "..");
  }
  EXPECT_EQ(read(1), "2 ..");
}

TEST_P(StreamLogTest, RecordsOfOneCommitMayGoToSeveralStreams) {
  StreamSchema schema = first_schema();
  schema.number = 2;
  StreamLog other(*engine_, clock_, system_, schema);
  StreamAppends appends;
  appends.add(*log_, key_of(false), record(1));
  appends.add(other, key_of(false), record(2));
  appends.add(*log_, key_of(false), record(3));
  WriteBatch batch;
  appends.draw(batch);
  engine_->commit(batch);
  EXPECT_EQ(read(1), "..");
  appends.finish();
  EXPECT_EQ(read(1), "1 3 ..");
}

TEST_P(StreamLogTest, AShardThatRolledOverEndsAndItsChildGoesOn) {
  add(1);
  clock_.advance(hours(4));
  log_->roll_over();
  add(2);
  EXPECT_EQ(read(1), "1 end");
  EXPECT_EQ(read(2), "end");
  EXPECT_EQ(read(3), "2 ..");
  EXPECT_EQ(read(4), "..");
  const StreamSchema schema = log_->schema();
  EXPECT_EQ(schema.shards[2].parent, 1U);
  EXPECT_EQ(schema.shards[0].last_sequence, sequence_of_first(1));
  EXPECT_EQ(schema.shards[1].last_sequence, schema.shards[1].first_sequence);
  EXPECT_LT(schema.shards[0].last_sequence, schema.shards[2].first_sequence);
  EXPECT_LE(schema.shards[2].first_sequence, sequence_of_first(3));
}

TEST_P(StreamLogTest, AClosedShardHasNotEndedWhileARecordOfItIsUnderWay) {
  StreamAppends slow;
  slow.add(*log_, key_of(false), record(1));
  WriteBatch batch;
  slow.draw(batch);
  log_->split(4);
  EXPECT_EQ(read(1), "..");
  engine_->commit(batch);
  slow.finish();
  EXPECT_EQ(read(1), "1 end");
}

TEST_P(StreamLogTest, ASplitCutsRangesInTwoUntilThereAreEnough) {
  log_->split(2);
  EXPECT_EQ(log_->schema().shards.size(), 2U);
  log_->split(5);
  EXPECT_EQ(log_->schema().shards.size(), 2U + 4U + 8U);
  add(1);
  add(2, true);
  EXPECT_EQ(read(7), "1 ..");
  EXPECT_EQ(read(14), "2 ..");
}

TEST_P(StreamLogTest, AClosedStreamTakesNothingMore) {
  add(1);
  log_->close();
  EXPECT_TRUE(log_->is_closed());
  add(2);
  log_->roll_over();
  log_->split(8);
  EXPECT_EQ(log_->schema().shards.size(), 2U);
  EXPECT_EQ(read(1), "1 end");
  EXPECT_EQ(read(2), "end");
}

TEST_P(StreamLogTest, RecordsAreTrimmedAfterADay) {
  add(1);
  clock_.advance(hours(4));
  add(2);
  clock_.advance(hours(20) - minutes(1));
  EXPECT_EQ(read(1), "1 2 ..");
  clock_.advance(minutes(2));
  EXPECT_EQ(read(1), "trimmed");
  EXPECT_EQ(read(1, log_->horizon()), "2 ..");
  EXPECT_EQ(read(2), "..");  // nothing of it is lost
}

TEST_P(StreamLogTest, AnExpiredShardGoesWithItsRecords) {
  add(1);
  clock_.advance(hours(5));
  log_->roll_over();
  add(2);
  clock_.advance(hours(24) - minutes(1));
  log_->trim();
  EXPECT_EQ(log_->schema().shards.size(), 4U);
  clock_.advance(minutes(2));
  EXPECT_EQ(log_->schema().shards.size(), 2U);  // before it is trimmed, too
  EXPECT_EQ(read(1), "no shard");
  log_->trim();
  EXPECT_EQ(log_->schema().shards.size(), 2U);
  const TreePtr all = engine_->open_tree(ColumnFamily::kStreams, shard_prefix(1, 1));
  EXPECT_FALSE(engine_->scan(*all, {}, {}, Direction::kForward)->next());
  add(3, true);
  EXPECT_EQ(read(4), "3 ..");
}

TEST_P(StreamLogTest, SequenceNumbersAscendWhenTheClockGoesBack) {
  add(1);
  clock_.advance(-hours(1));
  add(2);
  add(3);
  EXPECT_EQ(read(1), "1 2 3 ..");
  log_->split(4);
  add(4);
  EXPECT_EQ(read(1), "1 2 3 end");
  EXPECT_EQ(read(3), "4 ..");
}

TEST_P(StreamLogTest, TrimmingLeavesTimesOfRecordsThatComeBackWithTheClock) {
  clock_.freeze();
  const Clock::TimePoint noon = clock_.now();
  add(1);
  clock_.advance(-hours(10));
  add(2);
  clock_.advance(minutes(1));
  add(3);
  clock_.advance(-minutes(2));
  add(4);
  clock_.advance(hours(23));
  EXPECT_EQ(made(1, noon), "0 -600 -599 -601 ");
  clock_.advance(minutes(90));
  log_->trim();
  EXPECT_EQ(made(1, noon), "");
  clock_.advance(-minutes(90));
  EXPECT_EQ(made(1, noon), "0 -600 -599 -601 ");
}

TEST_P(StreamLogTest, GoesOnAfterARestart) {
  if (!engine_->is_durable()) return;
  clock_.advance(hours(5));
  log_->roll_over();
  add(1);
  add(2);
  const StreamSchema before = log_->schema();
  clock_.advance(-hours(2));
  reopen_log();
  EXPECT_EQ(log_->schema().shards, before.shards);
  EXPECT_EQ(read(3), "1 2 ..");
  const std::uint64_t end = log_->end();
  add(3);
  EXPECT_EQ(read(3), "1 2 3 ..");
  EXPECT_EQ(read(3, end), "3 ..");
}

TEST_P(StreamLogTest, ARecordKeepsItsTimeOverARestart) {
  if (!engine_->is_durable()) return;
  log_->keep_policy(ResourcePolicy{"{}", "1"});  // stores the stream
  clock_.freeze();
  const Clock::TimePoint noon = clock_.now();
  add(1);
  clock_.advance(hours(10));
  add(2);
  clock_.advance(-hours(10));
  add(3);
  EXPECT_EQ(made(1, noon), "0 600 0 ");
  reopen_log();
  EXPECT_EQ(made(1, noon), "0 600 0 ");
  clock_.advance(-minutes(30));
  add(4);
  reopen_log();
  EXPECT_EQ(made(1, noon), "0 600 0 -30 ");
  EXPECT_EQ(read(1, log_->position_at(noon)), "1 2 3 4 ..");
}

TEST_P(StreamLogTest, NumbersOfARestartBeginAtThePositionThatWasGivenBefore) {
  if (!engine_->is_durable()) return;
  clock_.freeze();
  for (int i = 0; i < 2; ++i) {
    clock_.advance(hours(25));
    log_->roll_over();
    log_->trim();
  }
  const std::uint64_t trimmed = log_->end();
  log_->keep_policy(ResourcePolicy{"{}", "1"});
  const std::uint64_t end = log_->end();
  clock_.advance(-hours(50));
  reopen_log();
  add(1);
  EXPECT_EQ(read(5, trimmed), "1 ..");
  EXPECT_EQ(read(5, end), "1 ..");
}

TEST_P(StreamLogTest, NoPositionIsAboveANumberThatWasDrawnInVain) {
  if (!engine_->is_durable()) return;
  log_->keep_policy(ResourcePolicy{"{}", "1"});  // stores the stream
  clock_.freeze();
  const std::uint64_t first = log_->end();
  clock_.advance(hours(1));
  {
    StreamAppends failed;
    failed.add(*log_, key_of(false), record(1));
    WriteBatch batch;
    failed.draw(batch);
    EXPECT_EQ(log_->end(), first);
  }
  EXPECT_EQ(log_->end(), first);
  clock_.advance(-hours(1));
  reopen_log();
  add(2);
  EXPECT_EQ(read(1, first), "2 ..");
}

TEST_P(StreamLogTest, AClosedStreamLastsForADayWhateverTheClockDoes) {
  clock_.freeze();
  clock_.advance(hours(1000));
  log_->close();
  clock_.advance(-hours(1000));
  if (engine_->is_durable()) reopen_log();
  EXPECT_FALSE(log_->is_expired());
  clock_.advance(hours(23));
  EXPECT_FALSE(log_->is_expired());
  clock_.advance(hours(2));
  EXPECT_TRUE(log_->is_expired());
}

TEST_P(StreamLogTest, TheHorizonIsNoPositionBehindTheEnd) {
  clock_.freeze();
  clock_.advance(hours(48));
  const std::uint64_t horizon = log_->horizon();
  clock_.advance(-hours(48));
  add(1);
  EXPECT_EQ(read(1, horizon), "1 ..");
}

TEST_P(StreamLogTest, ShardsStayAsTheyAreWhenTheyCannotBeStored) {
  const bool is_durable = engine_->is_durable();
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  log_.reset();
  system_.reset();
  engine_ = std::make_unique<FaultyEngine>(std::move(engine_), faults);
  open(*engine_, first_schema());
  add(1);
  clock_.advance(hours(5));
  if (is_durable) {
    faults->commits = true;
    EXPECT_THROW(log_->roll_over(), EngineError);
    EXPECT_THROW(log_->split(4), EngineError);
    EXPECT_THROW(log_->close(), EngineError);
    faults->commits = false;
    EXPECT_EQ(log_->schema().shards.size(), 2U);
  }
  add(2);
  EXPECT_EQ(read(1), "1 2 ..");
  log_->roll_over();
  EXPECT_EQ(log_->schema().shards.size(), 4U);
}

}  // namespace
}  // namespace magneto::storage
