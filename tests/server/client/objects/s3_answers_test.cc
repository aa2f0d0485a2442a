#include "server/client/objects/s3_answers.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace magneto::server::client {
namespace {

std::string page(const std::string& content) {
  return R"(<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">)" +
         content + "</ListBucketResult>";
}

std::string entry(const std::string& key, const std::string& size,
                  const std::string& etag = "&quot;abc&quot;") {
  return "<Contents><Key>" + key + "</Key><LastModified>x</LastModified><ETag>" + etag +
         "</ETag><Size>" + size + "</Size></Contents>";
}

std::string many_entries(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += entry("k", "1");
  return text;
}

std::string key_of(const std::string& xml) {
  const auto read = read_s3_page(xml);
  return read && read->objects.size() == 1 ? read->objects.front().key : "none";
}

TEST(S3Answers, ReadsAPage) {
  const auto read = read_s3_page(page(
      "<Name>b</Name><KeyCount>2</KeyCount><IsTruncated>true</IsTruncated>" + entry("a/b", "12") +
      entry("c", "140737488355328") + "<NextContinuationToken>1&amp;/+=</NextContinuationToken>"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->next, "1&/+=");
  ASSERT_EQ(read->objects.size(), 2);
  EXPECT_EQ(read->objects[0].key, "a/b");
  EXPECT_EQ(read->objects[0].etag, "\"abc\"");
  EXPECT_EQ(read->objects[0].size, 12);
  EXPECT_EQ(read->objects[1].size, kLargestS3Object);
  const auto last = read_s3_page(page("<IsTruncated>false</IsTruncated>"));
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->next.empty() && last->objects.empty());
  EXPECT_TRUE(read_s3_page("<ListBucketResult/>"));
}

TEST(S3Answers, ReadsKeysInEachOfTheirForms) {
  EXPECT_EQ(key_of(page(entry("a%20b+&lt;&#228;&#xE4;&#x20AC;&#x1F600;", "1"))),
            "a%20b+<\u00e4\u00e4\u20ac\U0001F600");
  const std::string escaped = "<EncodingType>url</EncodingType>";
  EXPECT_EQ(key_of(page(escaped + entry("a%20b+c%2Bd%0A%e2%82%AC%zz%4", "1"))),
            "a b c+d\n\u20ac%zz%4");
  // References to no character stay unchanged too.
  const std::string nothing =
      "&;&#;&#x;&#xZ;&nothing;&#99999999;&#0;&#xD800;&#xDFFF;&#55296;&#x110000;&";
  EXPECT_EQ(key_of(page(entry(nothing, "1"))), nothing);
}

TEST(S3Answers, RefusesWhatIsNoPage) {
  for (const std::string& xml :
       {std::string(), std::string("<"), std::string("<html>"), std::string("<ListBucketResult>"),
        std::string("<ListBucketResultX></ListBucketResultX>"),
        page("<Contents><Size>1</Size></Contents>"), page("<Contents><Key>a</Key></Contents>"),
        page(entry("a", "-1")), page(entry("a", "1x")), page(entry("a", "140737488355329")),
        page(entry("a", "99999999999999999999")), page(entry("a", "")),
        page("<IsTruncated>true</IsTruncated>"), page(entry(std::string(1'025, 'k'), "1")),
        page(entry("a", "1", std::string(201, 'e'))), page(entry("a", "1", "x&#13;&#10;y: z")),
        page(entry("a", "1", "\u00e4")), page(many_entries(10'001)),
        page("<IsTruncated>true</IsTruncated><NextContinuationToken>" + std::string(4'097, 't') +
             "</NextContinuationToken>")}) {
    EXPECT_FALSE(read_s3_page(xml)) << xml;
  }
}

TEST(S3Answers, ReadsTheLongestOfEach) {
  EXPECT_TRUE(read_s3_page(page(entry(std::string(1'024, 'k'), "1", std::string(200, 'e')))));
  EXPECT_TRUE(read_s3_page(page(many_entries(10'000))));
  // The limit is for the key without its escapes.
  std::string escaped;
  for (int i = 0; i < 1'024; ++i) escaped += "%6B";
  const std::string url = "<EncodingType>url</EncodingType>";
  EXPECT_EQ(key_of(page(url + entry(escaped, "1"))), std::string(1'024, 'k'));
  EXPECT_FALSE(read_s3_page(page(url + entry(escaped + "%6B", "1"))));
}

TEST(S3Answers, ReadsErrors) {
  const S3Error error = read_s3_error(
      "<?xml?><Error><Code>NoSuchBucket</Code><Message>It&apos;s none</Message></Error>");
  EXPECT_EQ(error.code, "NoSuchBucket");
  EXPECT_EQ(error.message, "It's none");
  EXPECT_TRUE(read_s3_error("<html>no</html>").code.empty());
  EXPECT_TRUE(read_s3_error("<Error>").code.empty());
  EXPECT_TRUE(read_s3_error("<Error/>").code.empty());
}

TEST(S3Answers, TakesAnyBytes) {
  std::mt19937 random(3);
  const std::string whole =
      page(entry("a", "1") + entry("b&#x41;", "2") + "<IsTruncated>false</IsTruncated>");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    read_s3_page(whole.substr(0, size));
    read_s3_page(whole.substr(size));
  }
  for (int turn = 0; turn < 20'000; ++turn) {
    std::string text = whole;
    for (int i = 0; i < 4; ++i) {
      text[random() % text.size()] =
          static_cast<char>(random() % 3 == 0 ? "<>/&;#x"[random() % 7] : random());
    }
    read_s3_page(text);
    read_s3_error(text);
  }
}

// Elements that are never closed are looked for once.
TEST(S3Answers, TakesNoLongerForManyOpenElements) {
  std::string text = "<ListBucketResult>";
  for (int i = 0; i < 500'000; ++i) text += "<Contents><Key>";
  EXPECT_FALSE(read_s3_page(text));
  EXPECT_TRUE(read_s3_page(text + "</ListBucketResult>"));
}

}  // namespace
}  // namespace magneto::server::client
