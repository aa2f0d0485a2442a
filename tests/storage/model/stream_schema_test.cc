#include "storage/model/stream_schema.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

TEST(StreamSchema, ItsArnIsBelowThatOfTheTable) {
  StreamSchema stream;
  stream.region = "eu-west-2";
  stream.account = "123456789012";
  stream.table_name = "orders";
  stream.label = "2026-01-02T03:04:05.678";
  EXPECT_EQ(stream.arn(),
            "arn:aws:dynamodb:eu-west-2:123456789012:table/orders/stream/2026-01-02T03:04:05.678");
}

}  // namespace
}  // namespace magneto::storage
