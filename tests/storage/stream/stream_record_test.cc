#include "storage/stream/stream_record.h"

#include <gtest/gtest.h>

#include <chrono>

#include "storage/engine/engine.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

const KeySchema kKey{{string_key("pk")}, {number_key("sk")}};
const Item kOld = make_item({{"a", "old"}, {"pk", "p"}, {"sk", 1}});
const Item kNew = make_item({{"a", "new"}, {"b", 2}, {"pk", "p"}, {"sk", 1}});

std::string encode(std::string_view view, ItemView before, ItemView after) {
  return encode_stream_record(kKey, StreamView(view), before, after, false);
}

// "MODIFY keys | old | new"
std::string describe(std::string_view record) {
  static constexpr const char* kKinds[] = {"INSERT ", "MODIFY ", "REMOVE "};
  std::string keys;
  const StreamRecord decoded = decode_stream_record(record, kKey, keys);
  return kKinds[static_cast<int>(decoded.kind)] + describe_item(decoded.keys) + " | " +
         describe_item(decoded.old_image) + " | " + describe_item(decoded.new_image) +
         (decoded.by_time_to_live ? " | by time to live" : "");
}

TEST(StreamRecord, HoldsTheImagesOfItsView) {
  EXPECT_EQ(describe(encode("NEW_AND_OLD_IMAGES", kOld, kNew)),
            "MODIFY pk=p sk=1 | a=old pk=p sk=1 | a=new b=2 pk=p sk=1");
  EXPECT_EQ(describe(encode("NEW_IMAGE", kOld, kNew)), "MODIFY pk=p sk=1 |  | a=new b=2 pk=p sk=1");
  EXPECT_EQ(describe(encode("OLD_IMAGE", kOld, kNew)), "MODIFY pk=p sk=1 | a=old pk=p sk=1 | ");
  EXPECT_EQ(describe(encode("KEYS_ONLY", kOld, kNew)), "MODIFY pk=p sk=1 |  | ");
}

TEST(StreamRecord, TellsInsertsAndRemovals) {
  EXPECT_EQ(describe(encode("NEW_AND_OLD_IMAGES", {}, kNew)),
            "INSERT pk=p sk=1 |  | a=new b=2 pk=p sk=1");
  EXPECT_EQ(describe(encode("OLD_IMAGE", {}, kNew)), "INSERT pk=p sk=1 |  | ");
  EXPECT_EQ(describe(encode("NEW_AND_OLD_IMAGES", kOld, {})),
            "REMOVE pk=p sk=1 | a=old pk=p sk=1 | ");
  EXPECT_EQ(describe(encode("NEW_IMAGE", kOld, {})), "REMOVE pk=p sk=1 |  | ");
  EXPECT_EQ(describe(encode("KEYS_ONLY", kOld, {})), "REMOVE pk=p sk=1 |  | ");
}

TEST(StreamRecord, TellsWhetherTheServiceDeletedTheItem) {
  const std::string record = encode_stream_record(kKey, StreamView("KEYS_ONLY"), kOld, {}, true);
  EXPECT_EQ(describe(record), "REMOVE pk=p sk=1 |  |  | by time to live");
}

TEST(StreamRecord, DecodingReplacesTheKeysOfTheRecordBefore) {
  std::string keys;
  decode_stream_record(encode("KEYS_ONLY", kOld, kNew), kKey, keys);
  const Item other = make_item({{"pk", "q"}, {"sk", 2}, {"z", 1}});
  EXPECT_EQ(describe_item(decode_stream_record(encode("NEW_IMAGE", {}, other), kKey, keys).keys),
            "pk=q sk=2");
}

TEST(StreamRecord, SaysHowFarTheTimeOfItsStreamWasAhead) {
  for (const char* view : {"NEW_AND_OLD_IMAGES", "KEYS_ONLY"}) {
    std::string record = encode(view, kOld, kNew);
    const std::string shown = describe(record);
    EXPECT_EQ(lead_of(record), Clock::Duration(0));
    add_lead(record, std::chrono::hours(10));
    EXPECT_EQ(lead_of(record), std::chrono::hours(10));
    EXPECT_EQ(describe(record), shown);
    for (std::size_t size = 0; size < record.size(); ++size) {
      EXPECT_THROW(describe(record.substr(0, size)), EngineError) << size;
    }
    record.resize(record.size() - 8);
    EXPECT_THROW(lead_of(record + std::string(8, '\0')), EngineError);
    EXPECT_THROW(lead_of(record + std::string(8, '\xFF')), EngineError);
  }
}

TEST(StreamRecord, RefusesANewerFormat) {
  std::string record = encode("KEYS_ONLY", kOld, kNew);
  record[0] = 3;
  try {
    describe(record);
    FAIL();
  } catch (const EngineError& error) {
    EXPECT_STREQ(error.what(),
                 "a stream record has format 3, which this version of Magneto cannot read");
  }
}

TEST(StreamRecord, RefusesWhatIsCutShortOrOutOfItsForm) {
  const std::string record = encode("NEW_AND_OLD_IMAGES", kOld, kNew);
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_THROW(describe(record.substr(0, size)), EngineError) << size;
  }
  EXPECT_THROW(describe(record + "x"), EngineError);
  for (const std::size_t field : {0U, 1U, 2U}) {
    std::string damaged = record;
    damaged[field] = field == 0 ? '\0' : '\3';
    EXPECT_THROW(describe(damaged), EngineError) << field;
  }
  EXPECT_THROW(describe(encode("KEYS_ONLY", kOld, kNew).substr(0, 11)), EngineError);
}

TEST(StreamRecord, RefusesImagesAndKeysThatAreNoItems) {
  for (const char* view : {"NEW_AND_OLD_IMAGES", "KEYS_ONLY"}) {
    std::string record = encode(view, kOld, kNew);
    // The first count of attributes, after the fixed fields.
    const std::size_t count = record.find(std::string_view(view) == "KEYS_ONLY" ? '\2' : '\3', 4);
    ASSERT_NE(count, std::string::npos);
    record[count] = '\x7F';
    EXPECT_THROW(describe(record), EngineError) << view;
  }
}

}  // namespace
}  // namespace magneto::storage
