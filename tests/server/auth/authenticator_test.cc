#include "server/auth/authenticator.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server {
namespace {

using api::ErrorType;

constexpr std::string_view kHeader =
    "AWS4-HMAC-SHA256 Credential=key/20260101/eu-west-2/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=s";

HttpRequest request_with(std::string_view authorization, std::string_view uri = "/") {
  HttpRequest request;
  request.set(Field::kUri, uri);
  if (!authorization.empty()) request.set(Field::kAuthorization, authorization);
  request.set(Field::kAmzDate, "20260101T000000Z");
  return request;
}

void expect_refused(const HttpRequest& request, ErrorType type, std::string_view message) {
  api::Caller caller;
  const std::optional<AuthError> error = authenticate(AuthMode::kShape, request, caller);
  ASSERT_TRUE(error) << message;
  EXPECT_EQ(error->type, type) << error->message;
  EXPECT_EQ(error->message, message);
}

TEST(Authenticate, TakesAnyWellFormedCredential) {
  const HttpRequest request = request_with(kHeader);
  api::Caller caller;
  ASSERT_FALSE(authenticate(AuthMode::kShape, request, caller));
  EXPECT_EQ(caller.region, "eu-west-2");
  EXPECT_EQ(caller.access_key, "key");
  EXPECT_EQ(caller.account, "000000000000");
}

TEST(Authenticate, TakesAKeyOfTwelveDigitsAsAccount) {
  const HttpRequest request = request_with(
      "AWS4-HMAC-SHA256 Credential=123456789012/20260101/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=host, Signature=s");
  api::Caller caller;
  ASSERT_FALSE(authenticate(AuthMode::kShape, request, caller));
  EXPECT_EQ(caller.account, "123456789012");
}

// Captured facts, error wire format.
TEST(Authenticate, MissesTheToken) {
  constexpr std::string_view kMessage = "Request is missing Authentication Token";
  expect_refused(request_with(""), ErrorType::kMissingAuthenticationToken, kMessage);
  expect_refused(request_with("AWS4"), ErrorType::kMissingAuthenticationToken, kMessage);
  expect_refused(request_with("Bearer x"), ErrorType::kMissingAuthenticationToken, kMessage);
  expect_refused(request_with("", "/?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c"),
                 ErrorType::kMissingAuthenticationToken, kMessage);
}

TEST(Authenticate, RefusesHeaderAndQueryTogether) {
  expect_refused(request_with("X", "/?X-Amz-Algorithm"), ErrorType::kInvalidSignature,
                 "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
                 "header.");
}

TEST(Authenticate, ListsEachMissingHeaderParameter) {
  HttpRequest request;
  request.set(Field::kUri, "/");
  request.set(Field::kAuthorization, "AWS4-");
  expect_refused(request, ErrorType::kIncompleteSignature,
                 "Authorization header requires 'Credential' parameter. "
                 "Authorization header requires 'Signature' parameter. "
                 "Authorization header requires 'SignedHeaders' parameter. "
                 "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' "
                 "header. Authorization=AWS4-");
  expect_refused(request_with("AWS4- Signature=b,Credential=a"), ErrorType::kIncompleteSignature,
                 "Authorization header requires 'SignedHeaders' parameter. "
                 "Authorization=AWS4- Signature=b,Credential=a");
}

TEST(Authenticate, TakesADateHeaderForXAmzDate) {
  HttpRequest request;
  request.set(Field::kUri, "/");
  request.set(Field::kAuthorization, kHeader);
  request.set(Field::kDate, "Thu, 01 Jan 2026 00:00:00 GMT");
  api::Caller caller;
  EXPECT_FALSE(authenticate(AuthMode::kShape, request, caller));
}

TEST(Authenticate, WantsACredentialOfFiveElements) {
  expect_refused(request_with("AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=h, Signature=s"),
                 ErrorType::kIncompleteSignature,
                 "Credential must have exactly 5 slash-delimited elements, e.g. "
                 "keyid/date/region/service/term, got 'a/b/c/d'");
}

TEST(Authenticate, WantsARegionThatCanBeOne) {
  for (const std::string_view region :
       {"", "eu\"west", "a-region-name-much-longer-than-any-known"}) {
    expect_refused(
        request_with("AWS4-HMAC-SHA256 Credential=a/b/" + std::string(region) +
                     "/d/e, SignedHeaders=h, Signature=s"),
        ErrorType::kInvalidSignature,
        "Credential should be scoped to a valid region, not '" + std::string(region) + "'. ");
  }
}

TEST(Authenticate, TakesPresignedRequests) {
  for (const std::string_view slash : {"/", "%2F", "%2f"}) {
    std::string uri = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=210987654321";
    for (const std::string_view part : {"20260101", "ap-south-1", "dynamodb", "aws4_request"}) {
      uri.append(slash).append(part);
    }
    uri += "&X-Amz-Signature=s&X-Amz-SignedHeaders=host&X-Amz-Date=d";
    const HttpRequest request = request_with("", uri);
    api::Caller caller;
    ASSERT_FALSE(authenticate(AuthMode::kShape, request, caller)) << uri;
    EXPECT_EQ(caller.region, "ap-south-1");
    EXPECT_EQ(caller.access_key, "210987654321");
    EXPECT_EQ(caller.account, "210987654321");
  }
}

TEST(Authenticate, ListsEachMissingQueryParameter) {
  expect_refused(request_with("", "/?X-Amz-Algorithm"), ErrorType::kIncompleteSignature,
                 "AWS query-string parameters must include 'X-Amz-Algorithm'. "
                 "AWS query-string parameters must include 'X-Amz-Credential'. "
                 "AWS query-string parameters must include 'X-Amz-Signature'. "
                 "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
                 "AWS query-string parameters must include 'X-Amz-Date'. "
                 "Re-examine the query-string parameters.");
  expect_refused(request_with("",
                              "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&"
                              "X-Amz-Date=d"),
                 ErrorType::kIncompleteSignature,
                 "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
                 "Re-examine the query-string parameters.");
}

TEST(Authenticate, SwitchedOffDemandsNothingButListens) {
  api::Caller nobody;
  EXPECT_FALSE(authenticate(AuthMode::kOff, request_with(""), nobody));
  EXPECT_EQ(nobody.region, "us-east-1");
  const HttpRequest request = request_with(kHeader);
  api::Caller caller;
  EXPECT_FALSE(authenticate(AuthMode::kOff, request, caller));
  EXPECT_EQ(caller.region, "eu-west-2");
  EXPECT_EQ(caller.access_key, "key");
}

}  // namespace
}  // namespace magneto::server
