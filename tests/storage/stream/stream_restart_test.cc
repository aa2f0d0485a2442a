// A stream over restarts, and when it cannot be stored.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/storage/stream/stream_log_fixture.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

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
