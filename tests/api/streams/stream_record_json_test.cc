#include "api/streams/stream_record_json.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/literal_values.h"

namespace magneto::api {
namespace {

storage::StreamSchema stream() {
  storage::StreamSchema schema;
  schema.view_type = "KEYS_ONLY";
  schema.secret = 0x0123456789ABCDEF;
  return schema;
}

std::string write(const storage::StreamSchema& schema, std::uint64_t sequence,
                  const storage::StreamRecord& record) {
  std::string text;
  json::Writer writer(text);
  write_stream_record(writer, schema, sequence, storage::SequenceScale().time_of(sequence), record,
                      "eu-west-2");
  return text;
}

std::string event_id(const storage::StreamSchema& schema, std::uint64_t sequence) {
  constexpr std::string_view kKey = "\"eventID\":\"";
  const std::string text = write(schema, sequence, {});
  const std::size_t at = text.find(kKey) + kKey.size();
  return text.substr(at, text.find('"', at) - at);
}

TEST(StreamRecordJson, WritesWhatThereIs) {
  const storage::Item keys = testing::item({{"pk", testing::s("a")}});
  storage::StreamRecord record;
  record.kind = storage::ChangeKind::kRemove;
  record.keys = keys;
  EXPECT_EQ(write(stream(), 1'795'234'985'999'999, record),
            R"({"awsRegion":"eu-west-2","dynamodb":{"ApproximateCreationDateTime":1795234985,)"
            R"("Keys":{"pk":{"S":"a"}},"SequenceNumber":"179523498599999900000","SizeBytes":3,)"
            R"("StreamViewType":"KEYS_ONLY"},"eventID":")" +
                event_id(stream(), 1'795'234'985'999'999) +
                R"(","eventName":"REMOVE","eventSource":"aws:dynamodb","eventVersion":"1.1"})");
  record.by_time_to_live = true;
  EXPECT_TRUE(
      write(stream(), 1, record)
          .ends_with(
              R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}})"));
}

TEST(StreamRecordJson, CountsKeysAndImages) {
  const storage::Item keys = testing::item({{"pk", testing::s("a")}});
  const storage::Item image = testing::item({{"pk", testing::s("a")}, {"n", testing::n("12")}});
  storage::StreamRecord record;
  record.keys = keys;
  EXPECT_EQ(stream_record_size(record), 3U);
  record.old_image = image;
  EXPECT_EQ(stream_record_size(record), 3U + 6U);
  record.new_image = image;
  EXPECT_EQ(stream_record_size(record), 3U + 6U + 6U);
}

TEST(StreamRecordJson, EventIdsDifferAndStayTheSame) {
  std::set<std::string> ids;
  storage::StreamSchema other = stream();
  other.secret += 1;
  for (std::uint64_t sequence = 1; sequence <= 1'000; ++sequence) {
    EXPECT_TRUE(ids.insert(event_id(stream(), sequence)).second);
    EXPECT_TRUE(ids.insert(event_id(other, sequence)).second);
  }
  EXPECT_EQ(ids.begin()->size(), 32U);
  EXPECT_TRUE(ids.contains(event_id(stream(), 500)));
}

}  // namespace
}  // namespace magneto::api
