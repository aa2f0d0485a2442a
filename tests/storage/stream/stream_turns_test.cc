// Numbers, positions and times of a stream, compared with a list of the added records. The clock is
// set and the stream reopened at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/stream/stream_log.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class StreamTurnsTest : public EngineTest {
 protected:
  struct Added {
    std::uint64_t number;
    Clock::TimePoint made;
  };

  void begin() {
    StreamSchema schema;
    schema.number = 1;
    schema.view_type = "KEYS_ONLY";
    schema.key = {{string_key("pk")}, {}};
    schema.created = milliseconds_of(clock_.now());
    open_shards(schema, 1, {schema.created, SequenceScale().at(clock_.now())});
    const Records records(*engine_);
    records.change({stream_key(0, 1)}, [&](Records::Change& change) {
      change.put(stream_key(0, 1), encode_stream(schema));
      return true;
    });
    log_ = std::make_unique<StreamLog>(records, clock_, std::move(schema));
  }
  void reopen_log() {
    log_.reset();
    reopen();
    const Records records(*engine_);
    StreamSchema schema = decode_stream(engine_->get(*records.tree(), stream_key(0, 1)).bytes());
    log_ = std::make_unique<StreamLog>(records, clock_, std::move(schema));
  }

  void add(bool fails) {
    std::string key = tree_prefix(1, 0);
    append_uint64(key, std::uint64_t{random_()} << 32);
    StreamAppends appends;
    appends.add(*log_, key, log_->encode({}, make_item({{"pk", "p"}}), false));
    WriteBatch batch;
    appends.draw(batch);
    if (fails) return;
    engine_->commit(batch);
    appends.finish();
    EXPECT_GE(log_->end(), given_ + 1);
    added_.push_back({log_->end() - 1, clock_.now()});
  }

  void step() {
    switch (random_() % 10) {
      case 0:
        return add(true);
      case 1:
      case 2:
        return clock_.advance(std::chrono::seconds(random_() % 72'000));
      case 3:
        return clock_.advance(-std::chrono::seconds(random_() % 72'000));
      case 4:
        log_->roll_over();
        return log_->trim();
      case 5:
        if (log_->schema().shards.size() < 8) log_->split(4);
        return;
      case 6:
        if (engine_->is_durable()) reopen_log();
        return;
      default:
        return add(false);
    }
  }

  void check() {
    for (const std::uint64_t position :
         {log_->end(), log_->horizon(), log_->position_at(clock_.now())}) {
      EXPECT_LE(position, log_->end());
      given_ = std::max(given_, position);
    }
    const std::uint64_t horizon = log_->horizon();
    std::map<std::uint64_t, Clock::TimePoint> found;
    for (const StreamShard& shard : log_->schema().shards) {
      std::optional<StreamCursor> cursor;
      ASSERT_EQ(log_->read(shard.number, horizon, cursor), StreamLog::Access::kGiven);
      while (cursor->next()) found.emplace(cursor->sequence(), cursor->made());
    }
    for (const Added& added : added_) {
      if (added.number < horizon) continue;
      ASSERT_TRUE(found.contains(added.number));
      EXPECT_LT(std::chrono::abs(found.at(added.number) - added.made), std::chrono::seconds(2));
      found.erase(added.number);
    }
    EXPECT_TRUE(found.empty());
  }

  std::mt19937 random_;
  Clock clock_;
  std::unique_ptr<StreamLog> log_;
  std::vector<Added> added_;
  std::uint64_t given_ = 0;  // the highest position
};
INSTANTIATE_TEST_SUITE_P(Engines, StreamTurnsTest, kEngineKinds, engine_kind_name);

TEST_P(StreamTurnsTest, NumbersAndTimesStandWhateverTheClockDoes) {
  clock_.set(Clock::kFirst + std::chrono::hours(24 * 365 * 60), true);
  begin();
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    step();
    check();
  }
}

}  // namespace
}  // namespace magneto::storage
