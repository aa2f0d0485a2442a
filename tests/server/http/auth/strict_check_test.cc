#include "server/http/auth/strict_check.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::http {
namespace {

using api::ErrorType;

constexpr std::string_view kHeader =
    "AWS4-HMAC-SHA256 Credential=key/20260101/eu-west-2/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=s";

HttpRequest strict_request_with(std::string_view authorization, std::string_view uri = "/",
                                std::string_view date = "20260101T000000Z",
                                Field date_field = Field::kAmzDate) {
  HttpRequest request;
  request.set(Field::kUri, uri);
  if (!authorization.empty()) request.set(Field::kAuthorization, authorization);
  request.set(date_field, date);
  return request;
}

void expect_strictly_refused(const HttpRequest& request, ErrorType type, std::string_view message) {
  SignatureForm form;
  const std::optional<client::AuthError> error = check_strictly(request, form);
  ASSERT_TRUE(error) << message;
  EXPECT_EQ(error->type, type) << error->message;
  EXPECT_EQ(error->message, message);
}

TEST(CheckStrictly, TakesAnyWellFormedCredential) {
  const HttpRequest request = strict_request_with(kHeader);
  SignatureForm form;
  ASSERT_FALSE(check_strictly(request, form));
  EXPECT_EQ(form.scope.region, "eu-west-2");
  EXPECT_EQ(form.scope.access_key, "key");
  EXPECT_EQ(form.signed_headers, "host");
  EXPECT_EQ(form.signature, "s");
  EXPECT_EQ(form.date, "20260101T000000Z");
  EXPECT_FALSE(form.presigned);
}

// Captured facts, error wire format.
TEST(CheckStrictly, MissesTheToken) {
  constexpr std::string_view kMessage = "Request is missing Authentication Token";
  expect_strictly_refused(strict_request_with(""), ErrorType::kMissingAuthenticationToken,
                          kMessage);
  expect_strictly_refused(strict_request_with("AWS4"), ErrorType::kMissingAuthenticationToken,
                          kMessage);
  expect_strictly_refused(strict_request_with("Bearer x"), ErrorType::kMissingAuthenticationToken,
                          kMessage);
  expect_strictly_refused(
      strict_request_with("", "/?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c"),
      ErrorType::kMissingAuthenticationToken, kMessage);
}

TEST(CheckStrictly, RefusesHeaderAndQueryTogether) {
  expect_strictly_refused(
      strict_request_with("X", "/?X-Amz-Algorithm"), ErrorType::kInvalidSignature,
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
      "header.");
}

TEST(CheckStrictly, ListsEachMissingHeaderParameter) {
  HttpRequest request;
  request.set(Field::kUri, "/");
  request.set(Field::kAuthorization, "AWS4-");
  expect_strictly_refused(
      request, ErrorType::kIncompleteSignature,
      "Authorization header requires 'Credential' parameter. "
      "Authorization header requires 'Signature' parameter. "
      "Authorization header requires 'SignedHeaders' parameter. "
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' "
      "header. Authorization=AWS4-");
  expect_strictly_refused(strict_request_with("AWS4- Signature=b,Credential=a"),
                          ErrorType::kIncompleteSignature,
                          "Authorization header requires 'SignedHeaders' parameter. "
                          "Authorization=AWS4- Signature=b,Credential=a");
}

std::string header_with(std::string_view credential, std::string_view signed_headers = "host",
                        std::string_view algorithm = "AWS4-HMAC-SHA256") {
  return std::string(algorithm) + " Credential=" + std::string(credential) +
         ", SignedHeaders=" + std::string(signed_headers) + ", Signature=s";
}

constexpr std::string_view kCredential = "key/20260101/eu-west-2/dynamodb/aws4_request";

TEST(CheckStrictly, TakesADateHeaderForXAmzDate) {
  const HttpRequest request = strict_request_with(kHeader, "/", "20260101T235959Z", Field::kDate);
  SignatureForm form;
  EXPECT_FALSE(check_strictly(request, form));
  expect_strictly_refused(
      strict_request_with(kHeader, "/", "Thu, 01 Jan 2026 00:00:00 GMT", Field::kDate),
      ErrorType::kIncompleteSignature,
      "Date must be in ISO-8601 'basic format'. Got 'Thu, 01 Jan 2026 00:00:00 GMT'. "
      "See http://en.wikipedia.org/wiki/ISO_8601");
}

TEST(CheckStrictly, WantsADateInTheBasicFormat) {
  for (const std::string_view date :
       {"201", "2026-01-01T00:00:00Z", "20260101T000000", "20260101T000000.000Z",
        "20260101T0000x0Z", "20260101 000000Z", "20260101T000000+00"}) {
    expect_strictly_refused(strict_request_with(kHeader, "/", date),
                            ErrorType::kIncompleteSignature,
                            "Date must be in ISO-8601 'basic format'. Got '" + std::string(date) +
                                "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
}

TEST(CheckStrictly, WantsTheHostSigned) {
  for (const std::string_view signed_headers : {"x-amz-date", "hostile", "ghost;x-host", ";;"}) {
    expect_strictly_refused(strict_request_with(header_with(kCredential, signed_headers)),
                            ErrorType::kInvalidSignature,
                            "'Host' must be a 'SignedHeader' in the AWS Authorization.");
  }
  for (const std::string_view signed_headers : {"host", "Host", "accept;HOST;x-amz-date"}) {
    const HttpRequest request = strict_request_with(header_with(kCredential, signed_headers));
    SignatureForm form;
    EXPECT_FALSE(check_strictly(request, form)) << signed_headers;
  }
}

TEST(CheckStrictly, WantsTheAlgorithm) {
  expect_strictly_refused(
      strict_request_with(header_with(kCredential, "host", "AWS4-HMAC-SHA25")),
      ErrorType::kIncompleteSignature,
      "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ");
}

TEST(CheckStrictly, WantsACredentialOfFiveElements) {
  expect_strictly_refused(strict_request_with(header_with("a/b/c/d")),
                          ErrorType::kIncompleteSignature,
                          "Credential must have exactly 5 slash-delimited elements, e.g. "
                          "keyid/date/region/service/term, got 'a/b/c/d'");
}

TEST(CheckStrictly, WantsARegionThatCanBeOne) {
  for (const std::string_view region :
       {"", "eu\"west", "a-region-name-much-longer-than-any-known"}) {
    expect_strictly_refused(
        strict_request_with(
            header_with("a/20260101/" + std::string(region) + "/dynamodb/aws4_request")),
        ErrorType::kInvalidSignature,
        "Credential should be scoped to a valid region, not '" + std::string(region) + "'. ");
  }
}

TEST(CheckStrictly, WantsTheDateOfTheRequestInTheScope) {
  for (const std::string_view date : {"20260102", "2026", "20260101T", "20260101T000000Z"}) {
    expect_strictly_refused(
        strict_request_with(header_with("a/" + std::string(date) + "/r/dynamodb/aws4_request")),
        ErrorType::kInvalidSignature,
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
        "HTTP. ");
  }
}

TEST(CheckStrictly, ListsAllThatIsWrongWithTheScope) {
  expect_strictly_refused(
      strict_request_with(header_with("a/b/.c/d/e")), ErrorType::kInvalidSignature,
      "Credential should be scoped to a valid region, not '.c'. "
      "Credential should be scoped to correct service: 'dynamodb'. "
      "Credential should be scoped with a valid terminator: 'aws4_request', not 'e'. "
      "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date "
      "from HTTP. ");
}

TEST(CheckStrictly, TakesPresignedRequests) {
  for (const std::string_view slash : {"/", "%2F", "%2f"}) {
    std::string uri = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=210987654321";
    for (const std::string_view part : {"20260101", "ap-south-1", "dynamodb", "aws4_request"}) {
      uri.append(slash).append(part);
    }
    uri += "&X-Amz-Signature=s&X-Amz-SignedHeaders=accept%3Bhost&X-Amz-Date=20260101T000000Z";
    const HttpRequest request = strict_request_with("", uri);
    SignatureForm form;
    ASSERT_FALSE(check_strictly(request, form)) << uri;
    EXPECT_EQ(form.scope.region, "ap-south-1");
    EXPECT_EQ(form.scope.access_key, "210987654321");
    EXPECT_EQ(form.signed_headers, "accept;host");
    EXPECT_EQ(form.signature, "s");
    EXPECT_EQ(form.date, "20260101T000000Z");
    EXPECT_TRUE(form.presigned);
  }
}

TEST(CheckStrictly, ChecksThePartsOfPresignedRequests) {
  const auto presigned = [](std::string_view credential, std::string_view date) {
    return strict_request_with(
        "", "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + std::string(credential) +
                "&X-Amz-Signature=s&X-Amz-SignedHeaders=host&X-Amz-Date=" + std::string(date));
  };
  expect_strictly_refused(presigned(kCredential, "d"), ErrorType::kIncompleteSignature,
                          "Date must be in ISO-8601 'basic format'. Got 'd'. See "
                          "http://en.wikipedia.org/wiki/ISO_8601");
  expect_strictly_refused(
      presigned(kCredential, "20260102T000000Z"), ErrorType::kInvalidSignature,
      "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date "
      "from HTTP. ");
}

TEST(CheckStrictly, RefusesQueryParametersThatStandTwice) {
  const std::string uri =
      "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + std::string(kCredential) +
      "&X-Amz-Signature=s&X-Amz-SignedHeaders=host&X-Amz-Date=20260101T000000Z"
      "&X-Amz-Expires=60&X-Amz-Security-Token=t&X-Amz-Other=o&a=b&a=b";
  SignatureForm form;
  const HttpRequest once = strict_request_with("", uri);
  EXPECT_FALSE(check_strictly(once, form));
  for (const std::string name :
       {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders",
        "X-Amz-Date", "X-Amz-Expires", "X-Amz-Security-Token", "X-Amz-Other"}) {
    std::string escaped = name;
    escaped.replace(0, 1, "%58");
    for (const std::string& again : {name, escaped}) {
      for (const std::string& twice :
           {uri + "&" + again + "=2", "/?" + again + "=2&" + uri.substr(2)}) {
        expect_strictly_refused(strict_request_with("", twice), ErrorType::kIncompleteSignature,
                                "AWS query-string parameters must include '" + name +
                                    "' only once. Re-examine the query-string parameters.");
      }
    }
  }
}

TEST(CheckStrictly, ReadsTheQueryOfAWholeUrl) {
  constexpr std::string_view kUri = "http://localhost:8000/?X-Amz-Algorithm=a";
  const HttpRequest request = strict_request_with("", kUri);
  SignatureForm form;
  EXPECT_TRUE(check_strictly(request, form));
  EXPECT_EQ(form.uri, "/?X-Amz-Algorithm=a");
}

TEST(CheckStrictly, ListsEachMissingQueryParameter) {
  expect_strictly_refused(strict_request_with("", "/?X-Amz-Algorithm"),
                          ErrorType::kIncompleteSignature,
                          "AWS query-string parameters must include 'X-Amz-Algorithm'. "
                          "AWS query-string parameters must include 'X-Amz-Credential'. "
                          "AWS query-string parameters must include 'X-Amz-Signature'. "
                          "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
                          "AWS query-string parameters must include 'X-Amz-Date'. "
                          "Re-examine the query-string parameters.");
  expect_strictly_refused(
      strict_request_with("",
                          "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&"
                          "X-Amz-Date=d"),
      ErrorType::kIncompleteSignature,
      "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
      "Re-examine the query-string parameters.");
}

}  // namespace
}  // namespace magneto::server::http
