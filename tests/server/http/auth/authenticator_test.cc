#include "server/http/auth/authenticator.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace magneto::server::http {
namespace {

using api::ErrorType;

HttpRequest request_with(std::string_view authorization, std::string_view uri = "/") {
  HttpRequest request;
  request.set(Field::kUri, uri);
  if (!authorization.empty()) request.set(Field::kAuthorization, authorization);
  return request;
}

std::string symmetric(std::string_view credential) {
  return "AWS4-HMAC-SHA256 Credential=" + std::string(credential);
}

std::string presigned(std::string_view credential, std::string_view more = "",
                      std::string_view algorithm = "AWS4-HMAC-SHA256") {
  return "/?X-Amz-Algorithm=" + std::string(algorithm) +
         "&X-Amz-Credential=" + std::string(credential) + std::string(more);
}

void expect_caller(const HttpRequest& request, std::string_view region, std::string_view key,
                   std::string_view account = "000000000000") {
  for (const AuthMode mode : {AuthMode::kShape, AuthMode::kOff}) {
    api::Caller caller;
    const std::optional<client::AuthError> error = authenticate(mode, request, caller);
    EXPECT_FALSE(error) << error->message;
    EXPECT_EQ(caller.region, region);
    EXPECT_EQ(caller.access_key, key);
    EXPECT_EQ(caller.account, account);
  }
}

void expect_refused(const HttpRequest& request, ErrorType type, std::string_view part) {
  api::Caller caller;
  const std::optional<client::AuthError> error = authenticate(AuthMode::kShape, request, caller);
  ASSERT_TRUE(error) << part;
  EXPECT_EQ(error->type, type) << error->message;
  EXPECT_NE(error->message.find(part), std::string::npos) << error->message;
  EXPECT_FALSE(authenticate(AuthMode::kOff, request, caller));
}

// Headers that people write by hand, and those of tools that sign for another service.
TEST(Authenticate, TakesAnyHeaderWithACredential) {
  for (const std::string_view rest :
       {"", ", SignedHeaders=host, Signature=s", ", SignedHeaders=, Signature=",
        ",SignedHeaders=x-amz-date,Signature=dummy", " Signature=s"}) {
    expect_caller(
        request_with(symmetric("key/20200101/eu-west-2/dynamodb/aws4_request") + std::string(rest)),
        "eu-west-2", "key");
  }
  for (const std::string_view service : {"s3", "sts", "local", "", "DynamoDB"}) {
    expect_caller(
        request_with(symmetric("key/20200101/eu-west-2/" + std::string(service) + "/aws4_request")),
        "eu-west-2", "key");
  }
  expect_caller(request_with(symmetric("key/x/local/y/z")), "local", "key");
  expect_caller(request_with(symmetric("123456789012/20200101/us-east-1/dynamodb/aws4_request")),
                "us-east-1", "123456789012", "123456789012");
}

TEST(Authenticate, TakesWhatCanBeReadOfACredential) {
  expect_caller(request_with(symmetric("key")), "us-east-1", "key");
  expect_caller(request_with(symmetric("key/20200101/aws4_request")), "us-east-1", "key");
  expect_caller(request_with(symmetric("key/20200101/dynamodb/aws4_request")), "us-east-1", "key");
  expect_caller(request_with(symmetric("a/b/20200101/eu-west-2/dynamodb/aws4_request//")),
                "eu-west-2", "a/b");
  expect_caller(request_with(symmetric("/20200101/eu-west-2/dynamodb/aws4_request")), "eu-west-2",
                "");
  expect_caller(request_with(symmetric("////")), "us-east-1", "");
  for (const std::string_view region :
       {"", "fake.region", "eu\"west", "a-region-name-much-longer-than-any-known"}) {
    expect_caller(
        request_with(symmetric("key/20200101/" + std::string(region) + "/dynamodb/aws4_request")),
        "us-east-1", "key");
  }
}

TEST(Authenticate, TakesTheSignatureForSeveralRegions) {
  const std::string header =
      "AWS4-ECDSA-P256-SHA256 Credential=key/20200101/dynamodb/aws4_request, SignedHeaders=host, "
      "Signature=s";
  expect_caller(request_with(header), "us-east-1", "key");
  for (const auto& [set, region] :
       {std::pair("eu-west-2", "eu-west-2"), std::pair("eu-west-2,us-west-1", "eu-west-2"),
        std::pair("*", "us-east-1"), std::pair("", "us-east-1")}) {
    HttpRequest request = request_with(header);
    request.set(Field::kRegionSet, set);
    expect_caller(request, region, "key");
  }
  // With another kind of signature this header has no meaning.
  HttpRequest other = request_with(symmetric("key"));
  other.set(Field::kRegionSet, "eu-west-2");
  expect_caller(other, "us-east-1", "key");
}

TEST(Authenticate, TakesPresignedRequests) {
  for (const std::string_view slash : {"/", "%2F", "%2f"}) {
    std::string credential = "210987654321";
    for (const std::string_view part : {"20200101", "ap-south-1", "s3", "aws4_request"}) {
      credential.append(slash).append(part);
    }
    expect_caller(request_with("", presigned(credential)), "ap-south-1", "210987654321",
                  "210987654321");
    expect_caller(request_with("", presigned("a" + std::string(slash) + credential,
                                             "&X-Amz-Signature=s&X-Amz-Expires=1&X-Amz-Date=x")),
                  "ap-south-1", "a" + std::string(slash) + "210987654321");
  }
  expect_caller(request_with("", presigned("key%2F20200101%2Fdynamodb%2Faws4_request",
                                           "&X-Amz-Region-Set=eu-west-2%2Cus-west-1",
                                           "AWS4-ECDSA-P256-SHA256")),
                "eu-west-2", "key");
  expect_caller(request_with("", presigned("%2")), "us-east-1", "%2");
}

// Captured facts, error wire format.
TEST(Authenticate, RefusesWhoNamesNoOne) {
  for (const std::string_view header : {"", "AWS4", "Bearer x", "Basic eDp5", "Credential=a/b"}) {
    expect_refused(request_with(header), ErrorType::kMissingAuthenticationToken,
                   "Request is missing Authentication Token");
  }
  expect_refused(request_with("", "/?X-Amz-Credential=a&X-Amz-Signature=b"),
                 ErrorType::kMissingAuthenticationToken, "Request is missing Authentication Token");
  for (const std::string_view header :
       {"AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Credential=", "AWS4-ECDSA-P256-SHA256 Signature=s"}) {
    expect_refused(request_with(header), ErrorType::kIncompleteSignature,
                   "Authorization header requires 'Credential' parameter. ");
  }
  expect_refused(request_with("", presigned("")), ErrorType::kIncompleteSignature,
                 "AWS query-string parameters must include 'X-Amz-Credential'. ");
}

TEST(Authenticate, RefusesOtherAlgorithms) {
  HttpRequest request = request_with(
      "AWS4-HMAC-SHA1 Credential=key/20260101/r/dynamodb/aws4_request, SignedHeaders=host, "
      "Signature=s");
  request.set(Field::kAmzDate, "20260101T000000Z");
  expect_refused(request, ErrorType::kIncompleteSignature,
                 "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'");
}

TEST(Authenticate, RefusesHeaderAndQueryTogether) {
  for (const std::string_view header : {"X", "AWS4-HMAC-SHA256 Credential=key"}) {
    expect_refused(request_with(header, "/?X-Amz-Algorithm"), ErrorType::kInvalidSignature,
                   "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization'");
  }
}

TEST(Authenticate, SwitchedOffDemandsNothing) {
  api::Caller nobody;
  EXPECT_FALSE(authenticate(AuthMode::kOff, request_with(""), nobody));
  EXPECT_EQ(nobody.region, "us-east-1");
  EXPECT_EQ(nobody.access_key, "");
}

// A thread remembers parts of one header. They must not reach the next caller.
TEST(Authenticate, FindsEachCallerWhateverCameBefore) {
  const std::string one =
      "AWS4-HMAC-SHA256 Credential=one/20260101/eu-west-1/dynamodb/aws4_request, ";
  const std::string two =
      "AWS4-HMAC-SHA256 Credential=two/20260101/eu-west-2/dynamodb/aws4_request, ";
  const std::vector<std::string> headers = {
      one + "SignedHeaders=host, Signature=abc",
      one + "SignedHeaders=host, Signature=abcdef",
      one + "SignedHeaders=host, Signature=",
      one + "SignedHeaders=host, Signature",
      one +
          "SignedHeaders=host, Signature=abc, Credential=other/20260101/us-west-2/dynamodb/aws4_request",
      one +
          "SignedHeaders=host, Signature=abc,Credential=other/20260101/us-west-2/dynamodb/aws4_request",
      one + "Signature=abc, SignedHeaders=host",
      one + "Signature=abc, Signature=abc",
      two + "SignedHeaders=host, Signature=abc",
      "AWS4-HMAC-SHA256 Signature=abc, Credential=one/20260101/eu-west-1/dynamodb/aws4_request",
      "AWS4-HMAC-SHA256 Signature=abc",
      "AWS4-ECDSA-P256-SHA256 Credential=one/20260101/dynamodb/aws4_request, Signature=abc",
      "AWS4-HMAC-SHA256 Credential=123456789012/20260101/x/dynamodb/aws4_request, Signature=abc",
      "Signature=abc",
      "Basic abc",
      one + std::string(2'000, 'x') + ", Signature=abc",
  };
  const auto caller_of = [](const std::string& header) {
    const HttpRequest request = request_with(header);
    api::Caller caller;
    const auto error = authenticate(AuthMode::kShape, request, caller);
    if (error) return error->message;
    return std::string(caller.region) + " " + std::string(caller.access_key) + " " +
           std::string(caller.account);
  };
  for (const std::string& before : headers) {
    for (const std::string& header : headers) {
      std::string alone;
      std::jthread([&] { alone = caller_of(header); }).join();
      caller_of(before);
      EXPECT_EQ(caller_of(header), alone) << before << "\n" << header;
    }
  }
}

}  // namespace
}  // namespace magneto::server::http
