#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/stream/stream_log.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {

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
    open_shards(schema, 2, {schema.created, SequenceScale().at(clock_.now())});
    return schema;
  }

  void open(Engine& engine, StreamSchema schema) {
    const Records records(engine);
    records.change({stream_key(0, 1)}, [&](Records::Change& change) {
      if (change.get(stream_key(0, 1))) return false;
      change.put(stream_key(0, 1), encode_stream(schema));
      return true;
    });
    log_ = std::make_unique<StreamLog>(records, clock_, std::move(schema));
  }

  // Closes and opens the engine. The stream is read from its record if there is one.
  void reopen_log() {
    log_.reset();
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
    const StreamLog::Access access = log_->read(shard, position, cursor);
    if (access == StreamLog::Access::kNoShard) return "no shard";
    if (access == StreamLog::Access::kTrimmed) return "trimmed";
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

  bool has_records(std::uint32_t shard) {
    const TreePtr all = engine_->open_tree(ColumnFamily::kStreams, shard_prefix(1, shard));
    return engine_->scan(*all, {}, {}, Direction::kForward)->next();
  }

  std::uint64_t sequence_of_first(std::uint32_t shard) {
    std::optional<StreamCursor> cursor;
    EXPECT_EQ(log_->read(shard, 0, cursor), StreamLog::Access::kGiven);
    EXPECT_TRUE(cursor->next());
    return cursor->sequence();
  }

  // How many minutes after `start` the records of a shard were made: "0 90 ".
  std::string made(std::uint32_t shard, Clock::TimePoint start) {
    std::optional<StreamCursor> cursor;
    EXPECT_EQ(log_->read(shard, log_->horizon(), cursor), StreamLog::Access::kGiven);
    std::string text;
    while (cursor->next()) {
      text +=
          std::to_string(std::chrono::round<std::chrono::minutes>(cursor->made() - start).count());
      text += ' ';
    }
    return text;
  }

  Clock clock_;
  std::unique_ptr<StreamLog> log_;
};

}  // namespace magneto::storage
