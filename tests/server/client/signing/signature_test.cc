#include "server/client/signing/signature.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace magneto::server::client {
namespace {

constexpr std::string_view kAccessKey = "AKIDEXAMPLE";
constexpr std::string_view kSecretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kTime = "20150830T123600Z";
constexpr SigningScope kScope = {.date = "20150830", .region = "us-east-1", .service = "service"};
constexpr std::string_view kHost = "example.amazonaws.com";

struct Vector {
  std::string_view name;
  std::string_view method;
  std::string_view uri;
  std::vector<HeaderField> fields;   // besides Host
  std::string_view signature;        // in a header, where X-Amz-Date is signed too
  std::string_view query_signature;  // of the presigned request
};

// Values of AWS's test suite for Signature Version 4, as its SDKs have it (awslabs/aws-c-auth,
// tests/aws-signing-test-suite/v4).
const std::vector<Vector> kVectors = {
    {"get-header-key-duplicate",
     "GET",
     "/",
     {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
     "3349ee0b81b4b589da0ff28a395c3591e04de515651dd74f298fa992d1507a97"},
    {"get-header-value-order",
     "GET",
     "/",
     {{"My-Header1", "value4"},
      {"My-Header1", "value1"},
      {"My-Header1", "value3"},
      {"My-Header1", "value2"}},
     "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01",
     "313720e71ca6202fdcfa9b20f88de01a4eb0638a83c833b1c184359a4eda864e"},
    {"get-header-value-trim",
     "GET",
     "/",
     {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
     "e7bb0fd515e125e1aec2ecc4c0c17484fb06f6846b927c35e46005dd3df3acd4"},
    {"get-relative-normalized",
     "GET",
     "/example/..",
     {},
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
     "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"},
    {"get-slash-pointless-dot-normalized",
     "GET",
     "/./example",
     {},
     "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5",
     "35034b1a0bdd969f346975386daf8aedfd4976573b8348cf4f67eaa41c5857de"},
    {"get-slashes-normalized",
     "GET",
     "//example//",
     {},
     "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84",
     "c1834e8fb0307243711f0f907f6ab7311ed300d87f13792d7ee4da89ab93e082"},
    {"get-space-normalized",
     "GET",
     "/example space/",
     {},
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
     "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"},
    {"get-unreserved",
     "GET",
     "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
     {},
     "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
     "95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005"},
    {"get-utf8",
     "GET",
     "/\xe1"
     "\x88"
     "\xb4",
     {},
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
     "10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44"},
    {"get-vanilla-empty-query-key",
     "GET",
     "/?Param1=value1",
     {},
     "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
     "49096700cbbaa5753443850f40df10f904fc2fdb544dc9512203cc77c471a9de"},
    {"get-vanilla-query-order-encoded",
     "GET",
     "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
     {},
     "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac",
     "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787"},
    {"get-vanilla-query-order-key-case",
     "GET",
     "/?Param2=value2&Param1=value1",
     {},
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
     "86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5"},
    {"get-vanilla-query-unreserved",
     "GET",
     "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
     {},
     "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
     "8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf"},
    {"get-vanilla-utf8-query",
     "GET",
     "/?\xe1"
     "\x88"
     "\xb4"
     "=bar",
     {},
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
     "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600"},
    {"get-vanilla",
     "GET",
     "/",
     {},
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
     "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"},
    {"post-header-key-sort",
     "POST",
     "/",
     {{"My-Header1", "value1"}},
     "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
     "c09d07e0d55871f10f2a6d350d994acf6825a3cae70673d7def55616e6119dd7"},
    {"post-header-value-case",
     "POST",
     "/",
     {{"My-Header1", "VALUE1"}},
     "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
     "0698bc9e4f7f9139065ba2909c0e99da257e8e2a42492a097bcd46d792391fed"},
    {"post-vanilla-empty-query-value",
     "POST",
     "/?Param1=value1",
     {},
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
     "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"},
    {"post-vanilla",
     "POST",
     "/",
     {},
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
     "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"},
};

std::string sign(const SignableRequest& request, std::string_view signed_headers) {
  std::string list(signed_headers);
  const std::string canonical = canonical_request(request, split_signed_headers(list));
  return to_hex(
      derive_signing_key(kSecretKey, kScope).sign(string_to_sign(kTime, kScope, canonical)));
}

std::string list_of(const std::vector<HeaderField>& fields) {
  std::string list;
  for (const HeaderField& field : fields) list.append(field.name).append(";");
  return list;
}

TEST(Signature, IsThatOfAwsTestSuite) {
  const std::string no_body = to_hex(sha256(""));
  for (const Vector& vector : kVectors) {
    std::vector<HeaderField> fields = vector.fields;
    fields.push_back({"Host", kHost});
    fields.push_back({"X-Amz-Date", kTime});
    EXPECT_EQ(sign({vector.method, vector.uri, fields, no_body}, list_of(fields)), vector.signature)
        << vector.name;
  }
}

TEST(Signature, OfAQueryIsThatOfAwsTestSuite) {
  const std::string no_body = to_hex(sha256(""));
  for (const Vector& vector : kVectors) {
    std::vector<HeaderField> fields = vector.fields;
    fields.push_back({"Host", kHost});
    std::string list = list_of(fields);
    std::string uri(vector.uri);
    uri.append(uri.find('?') == std::string::npos ? "?" : "&");
    uri.append(
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2f20150830/us-east-1");
    uri.append("/service/aws4_request&X-Amz-Signature=00&X-Amz-Date=20150830T123600Z");
    uri.append("&X-Amz-Expires=3600&X-Amz-SignedHeaders=");
    for (const std::string_view name : split_signed_headers(list)) {
      uri.append(uri.ends_with('=') ? "" : ";").append(name);
    }
    EXPECT_EQ(sign({vector.method, uri, fields, no_body}, list), vector.query_signature)
        << vector.name;
  }
}

// The same suite, post-x-www-form-urlencoded and post-sts-header-before.
TEST(Signature, CoversBodyAndToken) {
  const std::string hash = to_hex(sha256("Param1=value1"));
  const std::vector<HeaderField> form = {{"Content-Type", "application/x-www-form-urlencoded"},
                                         {"Host", kHost},
                                         {"Content-Length", "13"},
                                         {"X-Amz-Date", kTime},
                                         {"X-Amz-Content-Sha256", hash}};
  EXPECT_EQ(sign({"POST", "/", form, hash}, list_of(form)),
            "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b");
  const std::string_view token =
      "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSP"
      "fIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT"
      "7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlz"
      "m8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
  const std::vector<HeaderField> fields = {{"Host", kHost}};
  SignableRequest request;
  request.uri = "/";
  request.fields = fields;
  const std::vector<OwnedField> added =
      sign_request(request, "", {kAccessKey, kSecretKey, token}, kScope, *parse_time(kTime));
  ASSERT_EQ(added.size(), 3U);
  EXPECT_EQ(added[0].name + ": " + added[0].value, "X-Amz-Date: 20150830T123600Z");
  EXPECT_EQ(added[1].name, "X-Amz-Security-Token");
  EXPECT_EQ(added[1].value, token);
  EXPECT_EQ(added[2].name, "Authorization");
  EXPECT_EQ(added[2].value,
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            "SignedHeaders=host;x-amz-date;x-amz-security-token, "
            "Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead");
}

// Amazon S3 API reference, "Signature Calculations for the Authorization Header: Transferring
// Payload in a Single Chunk", PUT Object: its path is escaped once.
TEST(Signature, OfS3IsThatOfItsReference) {
  const std::string_view body = "Welcome to Amazon S3.";
  const std::string hash = to_hex(sha256(body));
  const std::vector<HeaderField> fields = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                                           {"Host", "examplebucket.s3.amazonaws.com"},
                                           {"X-Amz-Content-Sha256", hash},
                                           {"X-Amz-Storage-Class", "REDUCED_REDUNDANCY"}};
  const std::vector<OwnedField> added = sign_request(
      {.method = "PUT",
       .uri = "/test%24file.text",
       .fields = fields,
       .body_hash = hash,
       .is_of_s3 = true},
      body, {"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
      {.date{}, .region = "us-east-1", .service = "s3"}, *parse_time("20130524T000000Z"));
  ASSERT_EQ(added.size(), 2U);
  EXPECT_TRUE(added[1].value.ends_with(
      "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
      << added[1].value;
}

TEST(CanonicalRequest, WritesPathsAndQueriesInOneForm) {
  const auto second_lines = [](std::string_view uri) {
    const std::string text = canonical_request({"POST", uri, {}, "hash"}, {});
    return text.substr(5, text.size() - 5 - std::string_view("\n\n\nhash").size());
  };
  EXPECT_EQ(second_lines(""), "/\n");
  EXPECT_EQ(second_lines("/a%20b/"), "/a%2520b/\n");
  EXPECT_EQ(second_lines("/../../a"), "/a\n");
  EXPECT_EQ(second_lines("/a/b/.."), "/a/\n");
  EXPECT_EQ(second_lines("/a?b"), "/a\nb=");
  EXPECT_EQ(second_lines("?b"), "/\nb=");
  EXPECT_EQ(second_lines("q?a=://h/?b"), "/q\na=%3A%2F%2Fh%2F%3Fb");
  EXPECT_EQ(second_lines("/?b=2&a=%7e&&a=%2F&a"), "/\na=&a=%2F&a=~&b=2");
  EXPECT_EQ(second_lines("/?X-Amz-Signature=1&a=b=c&X-Amz-Signature"), "/\na=b%3Dc");
}

TEST(CanonicalRequest, WritesFieldsInOneForm) {
  const std::vector<HeaderField> fields = {
      {"HOST", " a "}, {"b", "x  y\t z"}, {"B", ""}, {"c", " \t "}, {"a", "unsigned"}};
  std::string list = "missing;Host;c;;b;b";
  const std::vector<std::string_view> names = split_signed_headers(list);
  EXPECT_EQ(canonical_request({"POST", "/", fields, "hash"}, names),
            "POST\n/\n\nb:x y z,\nc:\nhost:a\nmissing:\n\nb;c;host;missing\nhash");
}

TEST(SplitSignedHeaders, TakesNoMoreThanTheLimit) {
  std::string list;
  for (std::size_t i = 0; i < kMaxSignedHeaders; ++i) list.append(std::to_string(i)).append(";");
  EXPECT_EQ(split_signed_headers(list).size(), kMaxSignedHeaders);
  list.append("x");
  EXPECT_TRUE(split_signed_headers(list).empty());
  list.assign(16 * 1024, ';');
  EXPECT_TRUE(split_signed_headers(list).empty());
}

TEST(SignatureTime, IsReadAndWritten) {
  for (const std::string_view text :
       {"20260101T000000Z", "20240229T235959Z", "00010101T000000Z", "99991231T235959Z"}) {
    const std::optional<SignatureTime> time = parse_time(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(format_time(*time), text);
  }
  EXPECT_EQ(parse_time("19700101T000100Z")->time_since_epoch().count(), 60);
  for (const std::string_view text :
       {"", "20260101", "20260230T000000Z", "20261301T000000Z", "20260100T000000Z",
        "20260101T240000Z", "20260101T006000Z", "20260101T000060Z", "2026-01-01T00:00:00Z",
        "20260101T000000z", "20260101T000000Z0"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

}  // namespace
}  // namespace magneto::server::client
