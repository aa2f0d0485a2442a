#include "api/streams/stream_target.h"

#include <gtest/gtest.h>

#include "api/error.h"

namespace magneto::api {
namespace {

TEST(StreamTarget, AStreamsArnIsBelowATables) {
  check_stream_arn(
      "arn:aws:dynamodb:eu-west-2:123456789012:table/tab/stream/2026-01-01T00:00:00.000");
  for (const char* arn :
       {"", "arn:aws:dynamodb:eu-west-2:123456789012:table/tab",
        "arn:aws:dynamodb:eu-west-2:123456789012:table/tab/stream/",
        "arn:aws:dynamodb:eu-west-2:123456789012:table/t b/stream/2026",
        "arn:aws:dynamodb:eu-west-2:123456789012:stream/2026",
        "arn:aws:s3:eu-west-2:123456789012:table/tab/stream/2026", "/stream/2026"}) {
    EXPECT_THROW(check_stream_arn(arn), ApiError) << arn;
  }
}

}  // namespace
}  // namespace magneto::api
