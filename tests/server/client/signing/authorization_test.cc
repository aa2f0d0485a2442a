#include "server/client/signing/authorization.h"

#include <gtest/gtest.h>

namespace magneto::server::client {
namespace {

TEST(ParseAuthorization, FindsTheParametersInAnyOrderAndSpacing) {
  for (const std::string_view header :
       {"AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=c;d, Signature=e",
        "AWS4-HMAC-SHA256 Signature=e,Credential=a/b,SignedHeaders=c;d",
        "AWS4-HMAC-SHA256   SignedHeaders=c;d   Credential=a/b ,, Signature=e,"}) {
    const AuthorizationParameters found = parse_authorization(header);
    EXPECT_EQ(found.credential, "a/b") << header;
    EXPECT_EQ(found.signed_headers, "c;d") << header;
    EXPECT_EQ(found.signature, "e") << header;
  }
}

TEST(ParseAuthorization, LeavesWhatIsMissingEmpty) {
  for (const std::string_view header :
       {"", "AWS4-", "AWS4-HMAC-SHA256 ", "AWS4-X Credential Signature", "AWS4-X credential=a,"}) {
    const AuthorizationParameters found = parse_authorization(header);
    EXPECT_TRUE(found.credential.empty()) << header;
    EXPECT_TRUE(found.signed_headers.empty()) << header;
    EXPECT_TRUE(found.signature.empty()) << header;
  }
}

TEST(ParseAuthorization, KeepsEqualsSignsOfAValue) {
  EXPECT_EQ(parse_authorization("AWS4-X Signature=YQ==").signature, "YQ==");
}

TEST(ParseCredential, TakesFiveElements) {
  const auto scope = parse_credential("key/20260101/eu-west-2/dynamodb/aws4_request");
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->access_key, "key");
  EXPECT_EQ(scope->date, "20260101");
  EXPECT_EQ(scope->region, "eu-west-2");
  EXPECT_EQ(scope->service, "dynamodb");
  EXPECT_EQ(scope->terminator, "aws4_request");
}

TEST(ParseCredential, IgnoresSlashesAtTheEnd) {
  const auto scope = parse_credential("key/20260101/eu-west-2/dynamodb/aws4_request//");
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->terminator, "aws4_request");
}

TEST(ParseCredential, RefusesFewerOrMoreElements) {
  EXPECT_FALSE(parse_credential(""));
  EXPECT_FALSE(parse_credential("a/b/c/d"));
  EXPECT_FALSE(parse_credential("a/b/c/d/e/f"));
}

TEST(Unescape, ResolvesPercentEscapesAndKeepsWhatIsNone) {
  EXPECT_EQ(unescape("my_key%2B%2f"), "my_key+/");
  EXPECT_EQ(unescape("%41%4a%00b"), std::string("AJ\0b", 4));
  for (const std::string_view plain : {"", "%", "%4", "%zz", "100%", "%-1", "a+b"}) {
    EXPECT_EQ(unescape(plain), plain);
  }
}

TEST(FindQueryParameter, FindsValuesAndBareNames) {
  const std::string_view uri = "/?first=1&X-Amz-Date=d&bare&empty=&X-Amz-Dated=no";
  EXPECT_EQ(find_query_parameter(uri, "first"), "1");
  EXPECT_EQ(find_query_parameter(uri, "X-Amz-Date"), "d");
  EXPECT_EQ(find_query_parameter(uri, "bare"), "");
  EXPECT_EQ(find_query_parameter(uri, "empty"), "");
  EXPECT_EQ(find_query_parameter(uri, "X-Amz"), std::nullopt);
  EXPECT_EQ(find_query_parameter("/first=1", "first"), std::nullopt);
  EXPECT_EQ(find_query_parameter("/?", "first"), std::nullopt);
  EXPECT_EQ(find_query_parameter("/?a&", "first"), std::nullopt);
}

TEST(FindQueryParameter, KnowsEscapedNames) {
  EXPECT_EQ(find_query_parameter("/?a=1&X-Amz-Expire%73=2", "X-Amz-Expires"), "2");
  EXPECT_EQ(find_query_parameter("/?%58%2D%41%6d%7A=%33", "X-Amz"), "%33");
  EXPECT_EQ(find_query_parameter("/?%58%2D%41%6d%7A%00=3", "X-Amz"), std::nullopt);
  EXPECT_EQ(find_query_parameter("/?X-Am%&X-Am%7=3", "X-Amz"), std::nullopt);
}

TEST(WithoutAuthority, CutsAWholeUrlAlone) {
  EXPECT_EQ(without_authority("http://localhost:8000/a?b"), "/a?b");
  EXPECT_EQ(without_authority("http://localhost:8000"), "");
  EXPECT_EQ(without_authority("https://h?b=c://d/?e"), "?b=c://d/?e");
  for (const std::string_view uri :
       {"", "/", "/a://b/c", "?a=://h/?b", "q?a=://h/?b", "q/://h/?b", "#://h/?b", "q#a://h/?b",
        "://h/?b", "*", "localhost:8000", "a:b://h/?c"}) {
    EXPECT_EQ(without_authority(uri), uri);
  }
}

}  // namespace
}  // namespace magneto::server::client
