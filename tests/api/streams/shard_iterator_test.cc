#include "api/streams/shard_iterator.h"

#include <gtest/gtest.h>

#include <limits>

#include "api/error.h"
#include "storage/databases.h"

namespace magneto::api {
namespace {

class ShardIteratorTest : public testing::Test {
 protected:
  ShardIteratorTest() : stream_(create("tab")) {}

  std::shared_ptr<const storage::StreamLog> create(const std::string& table_name) {
    storage::TableSchema schema;
    schema.name = table_name;
    schema.region = "eu-west-2";
    schema.account = "000000000000";
    schema.key.partition = {{"pk", storage::AttributeType::kString}};
    schema.stream = {true, "KEYS_ONLY", ""};
    return databases_->main().create_table(std::move(schema))->stream;
  }
  std::string encode(std::uint32_t shard, std::uint64_t position) const {
    return encode_shard_iterator({stream_, shard, position}, clock_.now());
  }
  std::string failure(std::string_view iterator) const {
    try {
      decode_shard_iterator(databases_->main(), iterator);
    } catch (const ApiError& error) {
      return error.message();
    }
    return "";
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  std::shared_ptr<const storage::StreamLog> stream_;
};

TEST_F(ShardIteratorTest, ReadsBack) {
  const std::uint64_t position = std::numeric_limits<std::uint64_t>::max() - 1;
  const std::string iterator = encode(7, position);
  EXPECT_TRUE(iterator.starts_with(stream_->arn() + "|1|")) << iterator;
  const ShardPosition at = decode_shard_iterator(databases_->main(), iterator);
  EXPECT_EQ(at.stream, stream_);
  EXPECT_EQ(at.shard_number, 7U);
  EXPECT_EQ(at.position, position);
}

TEST_F(ShardIteratorTest, ExpiresAfterFifteenMinutes) {
  const std::string iterator = encode(1, 2);
  clock_.advance(std::chrono::minutes(15) - std::chrono::seconds(10));
  EXPECT_EQ(failure(iterator), "");
  clock_.advance(std::chrono::seconds(11));
  EXPECT_EQ(failure(iterator), "The provided iterator exceeds the maximum age allowed.");
}

TEST_F(ShardIteratorTest, EveryChangedCharacterIsNoticed) {
  const std::string iterator = encode(1, 1'795'234'985'212'212);
  for (std::size_t i = 0; i < iterator.size(); ++i) {
    std::string changed = iterator;
    changed[i] = changed[i] == 'B' ? 'C' : 'B';
    EXPECT_NE(failure(changed), "") << changed;
  }
  for (std::size_t size = 0; size < iterator.size(); ++size) {
    EXPECT_NE(failure(iterator.substr(0, size)), "") << size;
  }
}

TEST_F(ShardIteratorTest, AnotherStreamsIteratorIsNone) {
  const std::string other = create("other")->arn();
  const std::string iterator = encode(1, 2);
  EXPECT_EQ(failure(other + iterator.substr(iterator.find('|'))), "Invalid ShardIterator");
}

TEST(SequenceText, IsTwentyOneDigitsThatAscend) {
  EXPECT_EQ(sequence_text(1'795'234'985'212'212), "179523498521221200000");
  EXPECT_LT(sequence_text(1'795'234'985'212'212), sequence_text(1'795'234'985'212'213));
}

TEST(SequenceText, ReadsBackAsAPosition) {
  EXPECT_EQ(sequence_position("179523498521221200000", false), 1'795'234'985'212'212U);
  EXPECT_EQ(sequence_position("179523498521221200000", true), 1'795'234'985'212'213U);
  EXPECT_EQ(sequence_position("+179523498521221200000", false), 1'795'234'985'212'212U);
  EXPECT_EQ(sequence_position("0000000000000000000179523498521221200000", false),
            1'795'234'985'212'212U);
}

TEST(SequenceText, NumbersBetweenRecordsPointToTheNext) {
  EXPECT_EQ(sequence_position("179523498521221200001", false), 1'795'234'985'212'213U);
  EXPECT_EQ(sequence_position("179523498521221200001", true), 1'795'234'985'212'213U);
}

TEST(SequenceText, LastPosition) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(sequence_position("1844674407370955161400000", true), kLast);
  EXPECT_THROW(sequence_position("1844674407370955161500000", false), ApiError);
  EXPECT_THROW(sequence_position("1844674407370955161600000", false), ApiError);
  EXPECT_THROW(sequence_position("9999999999999999999999999999999999999999", false), ApiError);
}

TEST(SequenceText, OnlyDigitsAboveZeroAreNumbers) {
  for (const std::string_view text :
       {"-79523498521221200000", "17952349852122120000x", "000000000000000000000",
        "++79523498521221200000", "179523498521221200000+", "+000000000000000000000"}) {
    EXPECT_THROW(sequence_position(text, false), ApiError) << text;
    EXPECT_THROW(sequence_position(text, true), ApiError) << text;
  }
}

}  // namespace
}  // namespace magneto::api
