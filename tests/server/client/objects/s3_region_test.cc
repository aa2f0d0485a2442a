#include "server/client/objects/s3_region.h"

#include <gtest/gtest.h>

namespace magneto::server::client {
namespace {

TEST(S3Region, IsWhatAwsHostNamesTell) {
  for (const char* const host :
       {"s3.eu-west-1.amazonaws.com", "s3-eu-west-1.amazonaws.com", "s3.eu-west-1.amazonaws.com.",
        "s3.dualstack.eu-west-1.amazonaws.com", "s3-fips.eu-west-1.amazonaws.com",
        "s3-fips-eu-west-1.amazonaws.com", "s3.dualstack.eu-west-1.api.aws",
        "bucket.vpce-1a2b3c4d-5e6f.s3.eu-west-1.vpce.amazonaws.com"}) {
    EXPECT_EQ(s3_region(host, "ap-south-1"), "eu-west-1") << host;
  }
  EXPECT_EQ(s3_region("s3.cn-north-1.amazonaws.com.cn", ""), "cn-north-1");
  EXPECT_EQ(s3_region("s3.us-gov-west-1.amazonaws.com", ""), "us-gov-west-1");
}

TEST(S3Region, IsElseTheProfiles) {
  for (const char* const host :
       {"s3.amazonaws.com", "s3-external-1.amazonaws.com", "localhost", "127.0.0.1", "", ".",
        "s3.eu-west-1.example.com", "eu-west-1.amazonaws.com.example.com", "amazonaws.com",
        ".amazonaws.com", "..amazonaws.com", "eu-.amazonaws.com", "eu--1.amazonaws.com",
        "eu-1.amazonaws.com", "eu-west-.amazonaws.com"}) {
    EXPECT_EQ(s3_region(host, "ap-south-1"), "ap-south-1") << host;
    EXPECT_EQ(s3_region(host, ""), "us-east-1") << host;
  }
}

}  // namespace
}  // namespace magneto::server::client
