#include "server/client/endpoint/aws_request.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace magneto::server::client {
namespace {

const EndpointUrl kLocal = parse_endpoint_url("http://localhost:8000").value();

std::string names_of(const HttpRequest& request) {
  std::string names;
  for (const OwnedField& field : request.fields) names.append(field.name).append(" ");
  return names;
}

TEST(Sign, AddsFieldsAroundThoseOfTheClient) {
  const AwsProfile signer{
      .access_key = "me", .secret_key = "mine", .session_token{}, .region = "eu-west-1"};
  HttpRequest request{.fields = {{"X-Amz-Target", "Kinesis_20131202.PutRecords"}}, .body = "{}"};
  sign(request, kLocal, signer, "kinesis");
  EXPECT_EQ(names_of(request), "Host X-Amz-Target X-Amz-Date Authorization User-Agent ");
  EXPECT_EQ(request.fields.front().value, "localhost:8000");
  const std::string& authorization = request.fields[3].value;
  EXPECT_NE(authorization.find("/eu-west-1/kinesis/aws4_request, SignedHeaders="
                               "host;x-amz-date;x-amz-target, "),
            std::string::npos)
      << authorization;
}

TEST(Sign, SendsTheDigestOfABodyToS3) {
  HttpRequest request{.method = "PUT", .target = "/bucket/key"};
  sign(request, kLocal,
       {.access_key = "me", .secret_key = "mine", .session_token = "token", .region{}}, "s3");
  EXPECT_EQ(names_of(request),
            "Host X-Amz-Content-Sha256 X-Amz-Date X-Amz-Security-Token Authorization User-Agent ");
  EXPECT_EQ(request.fields[1].value,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(FindSigner, InventsAKeyWhereThereIsNone) {
  const auto nothing = [](const char*) { return std::optional<std::string>(); };
  const AwsProfile signer = find_signer(kLocal, nothing);
  EXPECT_EQ(signer.access_key, "magneto");
  EXPECT_EQ(signer.secret_key, "magneto");
  EXPECT_EQ(signer.session_token, "");
}

}  // namespace
}  // namespace magneto::server::client
