#include "server/feeds/event_sources/event_batch.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::feeds {
namespace {

EventBatch batch_of(std::size_t count) {
  EventBatch batch;
  for (std::size_t i = 0; i < count; ++i) batch.entries.push_back({1000 + i, {}});
  return batch;
}

std::string item(std::uint64_t position) { return api::SourceStream::sequence_number(position); }

TEST(EventBatchTest, NothingNamedIsASuccess) { EXPECT_EQ(first_failed_item({}, batch_of(3)), 3U); }

TEST(EventBatchTest, TheFirstOfThoseNamedCounts) {
  const EventBatch batch = batch_of(5);
  EXPECT_EQ(first_failed_item({item(1004), item(1002)}, batch), 2U);
  EXPECT_EQ(first_failed_item({item(1000)}, batch), 0U);
  EXPECT_EQ(first_failed_item({item(1004)}, batch), 4U);
}

TEST(EventBatchTest, WhatIsOfNoRecordIsAFailure) {
  EXPECT_EQ(first_failed_item({item(1001), item(7)}, batch_of(3)), std::nullopt);
  EXPECT_EQ(first_failed_item({"x"}, batch_of(3)), std::nullopt);
}

}  // namespace
}  // namespace magneto::server::feeds
