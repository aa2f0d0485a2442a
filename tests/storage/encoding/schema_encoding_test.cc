#include "storage/encoding/schema_encoding.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "storage/model/global_table.h"
#include "storage/model/kinesis_destinations.h"
#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

IndexSchema sample_index(std::string name, std::uint16_t number) {
  IndexSchema index;
  index.name = std::move(name);
  index.number = number;
  index.kind = IndexKind::kGlobal;
  index.key = {{{"a", AttributeType::kNumber}, {"b", AttributeType::kBinary}},
               {{"c", AttributeType::kString}}};
  index.projection = {ProjectionType::kInclude, {"x", "y"}};
  index.status = ResourceStatus::kCreating;
  index.backfilling = true;
  index.provisioned = {1, 2, 3, 4.5, std::nullopt};
  index.on_demand = {std::nullopt, 7};
  index.warm = {12'000, 4'000};
  index.vector = {"embedding",
                  1'024,
                  DistanceFunction::kEuclidean,
                  {{{"a", AttributeType::kNumber}, true}, {{"z", AttributeType::kString}, false}}};
  return index;
}

TableSchema sample_table() {
  TableSchema table;
  table.name = "orders";
  table.id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  table.region = "eu-west-2";
  table.account = "000000000000";
  table.created = 1'786'461'547.25;
  table.number = 77;
  table.attribute_definitions = {{"pk", AttributeType::kString}, {"a", AttributeType::kNumber}};
  table.key = {{{"pk", AttributeType::kString}}, {}};
  table.indexes = {sample_index("first", 1), sample_index("second", 2)};
  table.next_index_number = 3;
  table.billing = BillingMode::kPayPerRequest;
  table.billing_mode_given = true;
  table.pay_per_request_since = 1.5;
  table.provisioned = {5, 6, 1, std::nullopt, 9.75};
  table.on_demand = {-1, std::nullopt};
  table.warm = {std::nullopt, 1};
  table.table_class = "STANDARD_INFREQUENT_ACCESS";
  table.deletion_protection = true;
  table.status = ResourceStatus::kUpdating;
  table.stream = {true, "NEW_IMAGE", "2026-01-02T03:04:05.678"};
  table.encryption = {true, "KMS", "arn:aws:kms:eu-west-2:000000000000:key/k"};
  table.tags = {{"team", "a"}, {"empty", ""}};
  table.partition_count = 4;
  table.time_to_live = {TimeToLiveStatus::kEnabling, "expires", 9, true};
  table.point_in_time_recovery = {true, 35, 6.5, 12};
  table.table_class_changed = 2.25;
  table.restored = {"arn:backup", "arn:table", 3.5, true, 14, 3'500'001};
  table.policy = {"{}", "1"};
  table.stream_policy = {"[]", "2"};
  table.contributor_insights = {{"", true, 4.5}, {"first", false, 5.5}};
  table.kinesis = std::make_shared<const KinesisDestinations>(KinesisDestinations{
      {{"arn:stream", DestinationStatus::kDisabling, "why", TimePrecision::kMicrosecond, 6.5},
       {"arn:other", {}, "", {}, 0}},
      true,
      "deliveries/2026-01-02T03:04:05.678"});
  table.global_table = std::make_shared<const GlobalTable>(GlobalTable{
      "2019.11.21",
      {{"eu-west-1", 3, 11, ReplicaStatus::kActive, {}},
       {"eu-west-2",
        4,
        12,
        ReplicaStatus::kDeleting,
        {"arn:key", 5, 6, "STANDARD", {{"first", 7, {}}, {"second", {}, 8}}}}},
      13,
      14,
      15,
      true,
      7.5,
      {"arn:own", 9, {}, "STANDARD_INFREQUENT_ACCESS", {{"first", 7, 8}}},
      {{"", AutoScaling{1, 2, false, "arn:role", {}}, {}},
       {"first", {}, AutoScaling{3, 4, true, "", ScalingPolicy{"p", 70.5, true, 60, {}}}}},
      true,
      Witness{"us-west-2", ReplicaStatus::kDeleting},
      true,
      true});
  return table;
}

void expect_same(const ProvisionedThroughput& a, const ProvisionedThroughput& b) {
  EXPECT_EQ(a.read_units, b.read_units);
  EXPECT_EQ(a.write_units, b.write_units);
  EXPECT_EQ(a.decreases_today, b.decreases_today);
  EXPECT_EQ(a.last_increase, b.last_increase);
  EXPECT_EQ(a.last_decrease, b.last_decrease);
}

void expect_same(const OnDemandThroughput& a, const OnDemandThroughput& b) {
  EXPECT_EQ(a.max_read_units, b.max_read_units);
  EXPECT_EQ(a.max_write_units, b.max_write_units);
}

void expect_same(const WarmThroughput& a, const WarmThroughput& b) {
  EXPECT_EQ(a.read_units_per_second, b.read_units_per_second);
  EXPECT_EQ(a.write_units_per_second, b.write_units_per_second);
}

void expect_same(const IndexSchema& a, const IndexSchema& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.projection, b.projection);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.backfilling, b.backfilling);
  expect_same(a.provisioned, b.provisioned);
  expect_same(a.on_demand, b.on_demand);
  expect_same(a.warm, b.warm);
  EXPECT_EQ(a.vector, b.vector);
}

void expect_same(const TableSchema& a, const TableSchema& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.region, b.region);
  EXPECT_EQ(a.account, b.account);
  EXPECT_EQ(a.created, b.created);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.attribute_definitions, b.attribute_definitions);
  EXPECT_EQ(a.key, b.key);
  ASSERT_EQ(a.indexes.size(), b.indexes.size());
  for (std::size_t i = 0; i < a.indexes.size(); ++i) expect_same(a.indexes[i], b.indexes[i]);
  EXPECT_EQ(a.next_index_number, b.next_index_number);
  EXPECT_EQ(a.billing, b.billing);
  EXPECT_EQ(a.billing_mode_given, b.billing_mode_given);
  EXPECT_EQ(a.pay_per_request_since, b.pay_per_request_since);
  expect_same(a.provisioned, b.provisioned);
  expect_same(a.on_demand, b.on_demand);
  expect_same(a.warm, b.warm);
  EXPECT_EQ(a.table_class, b.table_class);
  EXPECT_EQ(a.deletion_protection, b.deletion_protection);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.stream.enabled, b.stream.enabled);
  EXPECT_EQ(a.stream.view_type, b.stream.view_type);
  EXPECT_EQ(a.stream.label, b.stream.label);
  EXPECT_EQ(a.encryption.enabled, b.encryption.enabled);
  EXPECT_EQ(a.encryption.type, b.encryption.type);
  EXPECT_EQ(a.encryption.key_arn, b.encryption.key_arn);
  EXPECT_EQ(a.tags, b.tags);
  EXPECT_EQ(a.partition_count, b.partition_count);
  EXPECT_EQ(a.time_to_live.status, b.time_to_live.status);
  EXPECT_EQ(a.time_to_live.attribute, b.time_to_live.attribute);
  EXPECT_EQ(a.time_to_live.queue_number, b.time_to_live.queue_number);
  EXPECT_EQ(a.time_to_live.backfilling, b.time_to_live.backfilling);
  EXPECT_EQ(a.point_in_time_recovery.enabled, b.point_in_time_recovery.enabled);
  EXPECT_EQ(a.point_in_time_recovery.recovery_days, b.point_in_time_recovery.recovery_days);
  EXPECT_EQ(a.point_in_time_recovery.since, b.point_in_time_recovery.since);
  EXPECT_EQ(a.point_in_time_recovery.history_number, b.point_in_time_recovery.history_number);
  EXPECT_EQ(a.table_class_changed, b.table_class_changed);
  EXPECT_EQ(a.restored, b.restored);
  EXPECT_EQ(a.policy, b.policy);
  EXPECT_EQ(a.stream_policy, b.stream_policy);
  EXPECT_EQ(a.contributor_insights, b.contributor_insights);
  ASSERT_EQ(a.kinesis == nullptr, b.kinesis == nullptr);
  if (a.kinesis != nullptr) {
    EXPECT_EQ(*a.kinesis, *b.kinesis);
  }
  ASSERT_EQ(a.global_table == nullptr, b.global_table == nullptr);
  if (a.global_table != nullptr) {
    EXPECT_EQ(*a.global_table, *b.global_table);
  }
}

StreamSchema sample_stream() {
  StreamSchema stream;
  stream.number = 3;
  stream.table_number = 77;
  stream.region = "eu-west-2";
  stream.account = "000000000000";
  stream.table_name = "orders";
  stream.label = "2026-01-02T03:04:05.678";
  stream.view_type = "NEW_IMAGE";
  stream.key = {{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kNumber}}};
  stream.created = 1'786'461'547'250;
  stream.closed = 1'786'461'547'251;
  stream.secret = 0xFEDCBA9876543210;
  stream.next_shard_number = 3;
  stream.policy = {"{}", "17"};
  stream.shards = {{1, 0, 0, 0, 5, 6, 7, 8}, {2, 1, 5, 1, 9, 0, 10, 11}};
  return stream;
}

void expect_same(const StreamSchema& a, const StreamSchema& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.table_number, b.table_number);
  EXPECT_EQ(a.arn(), b.arn());
  EXPECT_EQ(a.view_type, b.view_type);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.created, b.created);
  EXPECT_EQ(a.closed, b.closed);
  EXPECT_EQ(a.secret, b.secret);
  EXPECT_EQ(a.next_shard_number, b.next_shard_number);
  EXPECT_EQ(a.shards, b.shards);
  EXPECT_EQ(a.policy, b.policy);
}

std::string failure(std::string_view record) {
  try {
    decode_schema(record);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SchemaEncoding, EveryFieldReadsBack) {
  expect_same(decode_schema(encode_schema(sample_table())), sample_table());
  expect_same(decode_schema(encode_schema(TableSchema())), TableSchema());
  expect_same(decode_stream(encode_stream(sample_stream())), sample_stream());
  expect_same(decode_stream(encode_stream(StreamSchema())), StreamSchema());
}

TEST(SchemaEncoding, SaysWhatIsDamaged) {
  std::string record = encode_stream(sample_stream());
  record.pop_back();
  try {
    decode_stream(record);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the schema of a stream is damaged: it ends early");
  }
}

TEST(SchemaEncoding, RefusesANewerFormat) {
  std::string record = encode_schema(sample_table());
  record[1] = 11;
  EXPECT_EQ(failure(record),
            "the table schema has format 11, newer than this version of Magneto can read (10)");
}

TEST(SchemaEncoding, ReadsAStreamOfTheFormatBefore) {
  StreamSchema stream = sample_stream();
  stream.policy.reset();
  std::string record = encode_stream(stream);
  record.pop_back();  // that there is no policy
  record[1] = 1;
  expect_same(decode_stream(record), stream);
}

TEST(SchemaEncoding, ReadsTheFormatsBefore) {
  TableSchema table = sample_table();
  std::size_t missing = 0;
  const auto expect_format = [&](char format, std::size_t without) {
    missing += without;
    std::string record = encode_schema(table);
    record.resize(record.size() - missing);
    record[1] = format;
    expect_same(decode_schema(record), table);
  };
  table.restored->history = 0;
  table.restored->moment = 0;
  constexpr std::size_t kOfRestore = 4 + 8;  // a number, a time
  expect_format(9, kOfRestore);
  GlobalTable global = copy_of_global(table);
  global.may_leave = global.is_leaving = false;
  set_global(table, global);
  expect_format(8, 2);  // two flags
  global.is_strong = false;
  global.witness.reset();
  set_global(table, global);
  expect_format(7, 2);  // two flags
  missing = 0;
  global.own = {};
  global.scaling.clear();
  set_global(table, global);
  expect_format(6,
                kOfRestore + 4 + 4 + 1 + 1 + 4 + 4 + 4);  // two empty names, six flags, two counts
  missing = 0;
  table.point_in_time_recovery.since = 0;
  table.point_in_time_recovery.history_number = 0;
  table.kinesis = nullptr;
  table.global_table = nullptr;
  expect_format(5, kOfRestore + 8 + 4 + 1 + 1);  // a time, a number, two flags
  table.restored.reset();
  missing -= kOfRestore;  // it has none now
  table.policy.reset();
  table.stream_policy.reset();
  table.contributor_insights.clear();
  for (IndexSchema& index : table.indexes) index.vector = {};
  // Three flags and a count; of each index an empty name, dimensions, function, a count.
  expect_format(4, 3 + 4 + 2 * (4 + 4 + 1 + 4));
  table.table_class_changed.reset();
  expect_format(3, 1);  // flag
  table.point_in_time_recovery = {};
  expect_format(2, 1 + 4);  // flag, days
  table.time_to_live = {};
  expect_format(1, 1 + 4 + 2 + 1);  // status, empty name, number, flag
}

TEST(SchemaEncoding, RefusesEveryShorterAndLongerRecord) {
  const std::string record = encode_schema(sample_table());
  for (std::size_t size = 0; size < record.size(); ++size) {
    ASSERT_TRUE(failure(record.substr(0, size)).starts_with("the table schema is damaged")) << size;
  }
  EXPECT_EQ(failure(record + '\0'), "the table schema is damaged: bytes at its end");
  EXPECT_EQ(failure(std::string(2, '\0')), "the table schema is damaged: no format");
}

TEST(SchemaEncodingProperty, DamagedRecordsAreRefusedOrReadWhole) {
  testing::RandomValues random(15);
  const std::string record = encode_schema(sample_table());
  int refused = 0;
  for (int round = 0; round < 5'000; ++round) {
    std::string damaged = record;
    damaged[2 + random.below(record.size() - 2)] = static_cast<char>(random.below(256));
    const std::string text = failure(damaged);
    if (text.empty()) {
      ASSERT_EQ(encode_schema(decode_schema(damaged)), damaged);
    } else {
      ASSERT_TRUE(text.starts_with("the table schema is damaged")) << text;
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace magneto::storage
