#include "server/client/objects/s3_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "server/client/objects/messages.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::client {
namespace {

using Kind = ObjectError::Kind;

constexpr const char* kPage =
    "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

// A client of a server that gives all the same answer.
class S3ClientTest : public testing::Test {
 protected:
  S3Client client(BucketAccess access = {.name = "bucket"}) {
    auto place = std::make_shared<const S3Location>(
        S3Location{parse_endpoint_url(server_.url()).value(),
                   [](const char*) { return std::optional<std::string>(); }, nullptr});
    return {std::move(place), std::move(access), [this] { return is_over_.load(); }};
  }
  template <typename Call>
  static std::string failure(Call call) {
    try {
      call();
    } catch (const ObjectError& error) {
      return error.what();
    }
    return "none";
  }

  std::string answer_ = http_answer(200, kPage);
  std::atomic<bool> is_over_{false};
  ScriptedServer server_{[this](const std::string&) { return answer_; }};
};

// A server that answers at once gives no time in which it is looked at.
TEST_F(S3ClientTest, SendsNothingOnceAllIsOver) {
  S3Client one = client();
  EXPECT_TRUE(one.list("", "").objects.empty());
  is_over_ = true;
  EXPECT_EQ(failure([&] { one.list("", ""); }), messages::kS3CallEnded);
  EXPECT_EQ(failure([&] { one.put("key", "body"); }), messages::kS3CallEnded);
  EXPECT_EQ(failure([&] { one.get({.key = "key", .etag = {}}, 0, 1); }), messages::kS3CallEnded);
  EXPECT_EQ(server_.requests().size(), 1);
}

TEST_F(S3ClientTest, WaitsForTheFinalAnswer) {
  answer_.insert(0, kInterimAnswers);
  EXPECT_TRUE(client().list("", "").objects.empty());
  client().put("key", "body");
  EXPECT_EQ(server_.requests().size(), 2);
}

TEST_F(S3ClientTest, TriesWhatIsNotImplementedOnce) {
  answer_ = http_answer(501, "<Error><Code>NotImplemented</Code></Error>");
  S3Client one = client();
  const std::string why = failure([&] { one.put("key", "body"); });
  EXPECT_NE(why.find("501: NotImplemented"), std::string::npos) << why;
  EXPECT_EQ(server_.requests().size(), 1);
}

TEST_F(S3ClientTest, AsksForEncryptionWhereItIsNamed) {
  client().put("key", "body");
  client({.name = "bucket", .encryption_key = "mine"}).put("key", "body");
  client({.name = "bucket", .encryption = "AES256"}).put("key", "body");
  client({.name = "bucket", .encryption = "KMS", .encryption_key = "mine"}).put("key", "body");
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 4);
  const auto has = [&](std::size_t i, const std::string& line) {
    return requests[i].find("\r\nX-Amz-Server-Side-Encryption" + line) != std::string::npos;
  };
  EXPECT_FALSE(has(0, ""));
  EXPECT_FALSE(has(1, ""));
  EXPECT_TRUE(has(2, ": AES256\r\n"));
  EXPECT_TRUE(has(3, ": aws:kms\r\n"));
  EXPECT_TRUE(has(3, "-Aws-Kms-Key-Id: mine\r\n"));
}

TEST_F(S3ClientTest, SendsNoFieldThatCouldEndOne) {
  S3Client one = client({.name = "bucket", .encryption = "KMS", .encryption_key = "a\r\nX-B: c"});
  EXPECT_NE(failure([&] { one.put("key", "body"); }), "none");
  EXPECT_NE(failure([&] { one.get({.key = "key", .etag = "a\r\nX-B: c"}, 0, 1); }), "none");
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(S3ClientTest, TellsWhatAServerSaysAsOneLine) {
  answer_ = http_answer(400, "<Error><Code>A\xFF\n</Code><Message>&#xD800;\x1B" +
                                 std::string(290, 'a') + "\u00e4</Message></Error>");
  S3Client one = client();
  EXPECT_EQ(failure([&] { one.put("key", "body"); }),
            "S3 refused bucket bucket, object 'key', with status 400: A\uFFFD : &#xD800; " +
                std::string(290, 'a'));
}

}  // namespace
}  // namespace magneto::server::client
