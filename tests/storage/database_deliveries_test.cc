// Changes that are kept for deliveries, in a stream that clients cannot see.
#include <gtest/gtest.h>

#include <chrono>

#include "storage/model/kinesis_destinations.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;

class DatabaseDeliveriesTest : public DatabaseTest {
 protected:
  TablePtr set_captures(bool captures) {
    return database().update_table("t", [captures](TableSchema& schema) {
      auto all = schema.kinesis == nullptr ? std::make_shared<KinesisDestinations>()
                                           : std::make_shared<KinesisDestinations>(*schema.kinesis);
      all->destinations = {{"arn",
                            captures ? DestinationStatus::kActive : DestinationStatus::kDisabled,
                            "", TimePrecision::kMicrosecond, 5}};
      all->captures = captures;
      schema.kinesis = std::move(all);
    });
  }
  TablePtr table() { return database().find_table("t"); }
  void put_one(const std::string& pk, int value) {
    put(database(), table(), make_item({{"pk", pk}, {"sk", 1}, {"v", value}}));
  }
  static std::size_t records_of(const StreamLog& log) {
    StreamReplay replay;
    while (replay.read(log)) continue;
    return replay.records();
  }
  std::size_t streams() { return database().list_streams("", "", 10).size(); }
};
INSTANTIATE_TEST_SUITE_P(Engines, DatabaseDeliveriesTest, kEngineKinds, engine_kind_name);

TEST_P(DatabaseDeliveriesTest, AreKeptFromWhenTheyAreWantedUntilTheyAreNot) {
  database().create_table(table_schema("t"));
  put_one("before", 1);
  EXPECT_EQ(table()->deliveries, nullptr);
  set_captures(true);
  const StreamPtr log = table()->deliveries;
  ASSERT_NE(log, nullptr);
  EXPECT_EQ(log->description().label, table()->schema.kinesis->log_label);
  EXPECT_EQ(log->schema().shards.size(), 1U);
  put_one("a", 1);
  put_one("a", 2);
  put_one("a", 2);
  remove(database(), table(), make_item({{"pk", "a"}, {"sk", 1}}));
  EXPECT_EQ(records_of(*log), 3U);
  set_captures(true);
  EXPECT_EQ(table()->deliveries, log);
  set_captures(false);
  EXPECT_EQ(table()->deliveries, nullptr);
  EXPECT_TRUE(log->is_closed());
  put_one("a", 3);
  EXPECT_EQ(records_of(*log), 3U);
  set_captures(true);
  ASSERT_NE(table()->deliveries, nullptr);
  EXPECT_NE(table()->deliveries, log);
  EXPECT_EQ(records_of(*table()->deliveries), 0U);
}

TEST_P(DatabaseDeliveriesTest, HideFromClientsAndLeaveTheirStreamAlone) {
  TableSchema schema = table_schema("t");
  schema.stream = {true, "NEW_IMAGE", ""};
  database().create_table(std::move(schema));
  set_captures(true);
  EXPECT_EQ(streams(), 1U);
  EXPECT_EQ(database().find_stream(table()->deliveries->arn()), nullptr);
  put_one("a", 1);
  EXPECT_EQ(records_of(*table()->deliveries), 1U);
  EXPECT_EQ(records_of(*table()->stream), 1U);
  EXPECT_EQ(table()->stream->description().view_type, "NEW_IMAGE");
  database().update_table("t", [](TableSchema& changed) { changed.stream.enabled = false; });
  put_one("a", 2);
  EXPECT_EQ(records_of(*table()->deliveries), 2U);
}

TEST_P(DatabaseDeliveriesTest, AreThereAfterARestart) {
  database().create_table(table_schema("t"));
  set_captures(true);
  put_one("a", 1);
  const std::string arn = table()->deliveries->arn();
  const std::uint64_t secret = table()->deliveries->description().secret;
  if (!is_durable()) return;
  reopen();
  ASSERT_NE(table()->deliveries, nullptr);
  EXPECT_EQ(table()->deliveries->arn(), arn);
  EXPECT_EQ(table()->deliveries->description().secret, secret);
  EXPECT_FALSE(table()->deliveries->is_closed());
  put_one("b", 1);
  EXPECT_EQ(records_of(*table()->deliveries), 2U);
  EXPECT_EQ(streams(), 0U);
  set_captures(false);
  reopen();
  EXPECT_EQ(table()->deliveries, nullptr);
}

TEST_P(DatabaseDeliveriesTest, CloseWithTheirTableAndAreGoneAfterADay) {
  database().create_table(table_schema("t"));
  set_captures(true);
  put_one("a", 1);
  const StreamPtr log = table()->deliveries;
  database().delete_table("t");
  EXPECT_TRUE(log->is_closed());
  EXPECT_EQ(records_of(*log), 1U);
  clock_.advance(hours(25));
  database().settle();
  EXPECT_TRUE(log->is_expired());
  EXPECT_EQ(log->schema().shards.size(), 0U);
}

TEST_P(DatabaseDeliveriesTest, AreNotWhatAForkHas) {
  database().create_table(table_schema("t"));
  set_captures(true);
  put_one("a", 1);
  const StreamPtr log = table()->deliveries;
  const auto fork = Databases::fork(databases().snapshot(), options_, clock_);
  const TablePtr own = fork->main().find_table("t");
  EXPECT_EQ(own->deliveries, nullptr);
  ASSERT_NE(own->schema.kinesis, nullptr);
  EXPECT_FALSE(own->schema.kinesis->captures);
  EXPECT_EQ(own->schema.kinesis->destinations.front().status, DestinationStatus::kDisabled);
  put(fork->main(), own, make_item({{"pk", "b"}, {"sk", 1}}));
  EXPECT_EQ(records_of(*log), 1U);
  EXPECT_TRUE(fork->main().list_streams("", "", 10).empty());
}

TEST_P(DatabaseDeliveriesTest, HaveARecordForEachItemOfATransaction) {
  TableSchema schema = table_schema("t");
  schema.stream = {true, "NEW_IMAGE", ""};
  database().create_table(std::move(schema));
  set_captures(true);
  std::vector<Item> items;
  std::vector<std::string> keys;
  for (int i = 0; i < 5; ++i) {
    items.push_back(make_item({{"pk", "k" + std::to_string(i)}, {"sk", i}}));
    keys.push_back(item_key(table()->schema, items.back()));
  }
  const TablePtr current = table();
  std::vector<std::function<WriteDecision(const StoredItem&)>> decisions;
  for (const Item& item : items) {
    decisions.emplace_back([&item](const StoredItem&) { return WriteDecision::put(item); });
  }
  std::vector<ItemWrite> writes;
  for (std::size_t i = 0; i < items.size(); ++i) {
    writes.push_back({current, keys[i], decisions[i]});
  }
  database().write_all(writes);
  EXPECT_EQ(records_of(*current->deliveries), 5U);
  EXPECT_EQ(records_of(*current->stream), 5U);
}

}  // namespace
}  // namespace magneto::storage
