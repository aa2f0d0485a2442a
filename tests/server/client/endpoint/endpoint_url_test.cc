#include "server/client/endpoint/endpoint_url.h"

#include <gtest/gtest.h>

namespace magneto::server::client {
namespace {

TEST(EndpointUrl, ReadsSchemeHostAndPort) {
  const auto local = parse_endpoint_url("http://localhost:8000/");
  ASSERT_TRUE(local);
  EXPECT_FALSE(local->tls);
  EXPECT_EQ(local->host, "localhost");
  EXPECT_EQ(local->port, "8000");
  EXPECT_FALSE(local->is_aws);
  EXPECT_EQ(local->host_field(), "localhost:8000");
  EXPECT_EQ(local->text(), "http://localhost:8000");
  const auto address = parse_endpoint_url("https://[::1]:8443");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "::1");
  EXPECT_EQ(address->host_field(), "[::1]:8443");
  EXPECT_EQ(parse_endpoint_url("https://[::1]")->port, "443");
  EXPECT_EQ(parse_endpoint_url("http://example")->host_field(), "example");
}

TEST(EndpointUrl, KnowsAwsByItsNames) {
  for (const char* const url :
       {"https://dynamodb.eu-west-1.amazonaws.com", "http://dynamodb.eu-west-1.amazonaws.com:80",
        "https://dynamodb-fips.eu-west-1.amazonaws.com", "https://dynamodb.eu-west-1.api.aws",
        "https://DynamoDB.eu-west-1.AmazonAWS.com", "https://dynamodb.eu-west-1.amazonaws.com."}) {
    const auto parsed = parse_endpoint_url(url);
    ASSERT_TRUE(parsed) << url;
    EXPECT_TRUE(parsed->is_aws) << url;
    EXPECT_EQ(parsed->region, "eu-west-1") << url;
  }
  for (const char* const url :
       {"https://dynamodb.eu-west-1.example.com", "https://x.evilamazonaws.com",
        "http://ec2-54-1-2-3.eu-west-1.compute.amazonaws.com:8000",
        "http://internal-x-1.eu-west-1.elb.amazonaws.com", "https://amazonaws.com"}) {
    EXPECT_FALSE(parse_endpoint_url(url)->is_aws) << url;
  }
  EXPECT_EQ(aws_endpoint_url("cn-north-1").text(), "https://dynamodb.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(aws_endpoint_url("eu-west-1").text(), "https://dynamodb.eu-west-1.amazonaws.com");
}

TEST(EndpointUrl, KnowsWhereAwsHasStreams) {
  for (const std::string region : {"eu-west-1", "cn-north-1"}) {
    const std::optional<EndpointUrl> streams = aws_streams_url(aws_endpoint_url(region));
    ASSERT_TRUE(streams);
    EXPECT_TRUE(
        streams->text().starts_with("https://streams.dynamodb." + region + ".amazonaws.com"));
    EXPECT_EQ(streams->region, region);
  }
  for (const char* const url :
       {"https://dynamodb-fips.us-east-1.amazonaws.com", "https://dynamodb.us-east-1.api.aws",
        "https://vpce-1.dynamodb.us-east-1.vpce.amazonaws.com"}) {
    EXPECT_FALSE(aws_streams_url(*parse_endpoint_url(url))) << url;
  }
}

TEST(EndpointUrl, KnowsThisMachine) {
  for (const char* const url : {"http://localhost", "http://127.0.0.1", "http://127.1.2.3:1",
                                "http://[::1]", "http://LocalHost"}) {
    EXPECT_TRUE(parse_endpoint_url(url)->is_loopback()) << url;
  }
  for (const char* const url : {"http://localhost.example", "http://127.0.0.1.example",
                                "http://10.0.0.1", "http://0.0.0.0", "http://[::2]"}) {
    EXPECT_FALSE(parse_endpoint_url(url)->is_loopback()) << url;
  }
}

TEST(EndpointUrl, RefusesWhatIsNone) {
  for (const char* const url :
       {"", "localhost:8000", "ftp://a", "http://", "http://:80", "http://a:0", "http://a:65536",
        "http://a:", "http://a:8x", "http://u@a", "http://a/b", "http://a?b", "http://a\r\nX: y",
        "http://[::1", "http://[]", "http://a b", "https://[::1]x"}) {
    EXPECT_FALSE(parse_endpoint_url(url)) << url;
  }
}

}  // namespace
}  // namespace magneto::server::client
