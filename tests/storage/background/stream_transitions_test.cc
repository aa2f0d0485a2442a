#include "storage/background/stream_transitions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::minutes;

class StreamTransitionsTest : public DatabaseTest {
 protected:
  static void enable(TableSchema& schema) { schema.stream = {true, "KEYS_ONLY", ""}; }
  static void disable(TableSchema& schema) { schema.stream.enabled = false; }
  StreamStatus status(const StreamLog& stream) { return database().stream_status(stream); }
};
INSTANTIATE_TEST_SUITE_P(Engines, StreamTransitionsTest, kEngineKinds, engine_kind_name);

TEST_P(StreamTransitionsTest, StatusesLastAsLongAsTheDelay) {
  options_.control_plane_delay = minutes(60);
  database().create_table(table_schema("t"));
  const StreamPtr stream = database().update_table("t", enable)->stream;
  EXPECT_EQ(status(*stream), StreamStatus::kEnabling);
  clock_.advance(minutes(59));
  EXPECT_EQ(status(*stream), StreamStatus::kEnabling);
  clock_.advance(minutes(2));
  EXPECT_EQ(status(*stream), StreamStatus::kEnabled);
  database().update_table("t", disable);
  EXPECT_TRUE(stream->is_closed());
  EXPECT_EQ(status(*stream), StreamStatus::kDisabling);
  clock_.advance(minutes(61));
  EXPECT_EQ(status(*stream), StreamStatus::kDisabled);
}

TEST_P(StreamTransitionsTest, ADeletedTablesStreamIsClosed) {
  database().create_table(table_schema("t"));
  const StreamPtr stream = database().update_table("t", enable)->stream;
  database().update_table("t", [](TableSchema& schema) { schema.tags = {{"k", "v"}}; });
  EXPECT_FALSE(stream->is_closed());
  database().delete_table("t");
  EXPECT_TRUE(stream->is_closed());
  EXPECT_EQ(status(*stream), StreamStatus::kDisabled);
}

// Also if nothing is committed any more after the deletion of the table.
TEST_P(StreamTransitionsTest, AStreamKeepsThePolicyThatItHad) {
  if (!is_durable()) return;
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  open_with(faults);
  database().create_table(table_schema("t"));
  const ResourcePolicy policy{"{}", "17"};
  std::vector<std::string> arns;
  for (int i = 0; i < 2; ++i) {
    const TablePtr table = database().update_table("t", enable);
    arns.push_back(table->stream->arn());
    EXPECT_EQ(database().find_stream(arns.back())->policy(), std::nullopt);
    database().update_table("t", disable);
    database().update_table("t", [&](TableSchema& schema) { schema.stream_policy = policy; });
  }
  EXPECT_EQ(database().find_stream(arns[0])->policy(), policy);
  std::atomic<int> commits{0};
  faults->fails = [&](const WriteBatch&) { return ++commits > 2; };  // the policy, the deletion
  database().delete_table("t");
  database_.reset();
  open();
  EXPECT_EQ(database().find_table("t"), nullptr);
  for (const std::string& arn : arns) EXPECT_EQ(database().find_stream(arn)->policy(), policy);
}

TEST_P(StreamTransitionsTest, WhatCannotBeClosedAtOnceIsClosedLater) {
  if (!is_durable()) return;  // nothing is committed for it
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  open_with(faults);
  database().create_table(table_schema("t"));
  const StreamPtr stream = database().update_table("t", enable)->stream;
  // The change of the table is committed, the end of its stream is not.
  std::atomic<int> commits{0};
  faults->fails = [&](const WriteBatch&) { return ++commits == 2; };
  database().update_table("t", disable);
  EXPECT_TRUE(eventually([&] { return stream->is_closed(); }));
  faults->fails = [](const WriteBatch&) { return false; };
}

}  // namespace
}  // namespace magneto::storage
