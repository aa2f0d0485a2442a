#include "storage/stream/stream_log.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/storage/stream/stream_log_fixture.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

using Access = StreamLog::Access;
using std::chrono::hours;
using std::chrono::minutes;

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
  StreamLog other(Records(*engine_), clock_, schema);
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
  EXPECT_FALSE(has_records(1));
  add(3, true);
  EXPECT_EQ(read(4), "3 ..");
}

// The clock can be advanced at any time, and the sweeper trims at once then.
TEST_P(StreamLogTest, AShardStaysWhileARecordOfItIsUnderWay) {
  clock_.freeze();
  StreamAppends slow;
  slow.add(*log_, key_of(false), record(1));
  WriteBatch batch;
  slow.draw(batch);
  clock_.advance(hours(5));
  log_->roll_over();
  clock_.advance(hours(25));
  log_->roll_over();
  log_->trim();
  EXPECT_GT(log_->next_change(), clock_.now());  // the sweeper does not try without a pause
  engine_->commit(batch);
  slow.finish();
  EXPECT_LE(log_->next_change(), clock_.now());
  log_->trim();
  EXPECT_FALSE(has_records(1));
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

}  // namespace
}  // namespace magneto::storage
