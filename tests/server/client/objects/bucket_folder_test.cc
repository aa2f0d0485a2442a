#include "server/client/objects/bucket_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::server::client {
namespace {

namespace fs = std::filesystem;
using Kind = ObjectError::Kind;

class BucketFolderTest : public testing::Test {
 protected:
  BucketFolderTest() { fs::create_directories(root_ + "/bucket"); }

  void write(const std::string& path) { std::ofstream(path) << "x"; }

  std::optional<Kind> refusal_to_write(std::string_view bucket, std::string_view key) {
    try {
      folder_.path_to_write(bucket, key);
      return std::nullopt;
    } catch (const ObjectError& error) {
      return error.kind();
    }
  }

  std::vector<std::string> keys(std::string_view prefix) {
    std::vector<std::string> found;
    for (const StoredObject& object : folder_.list("bucket", prefix)) found.push_back(object.key);
    return found;
  }

  const storage::TempDirectory directory_;
  const std::string root_ = directory_.file("s3");
  const BucketFolder folder_{root_};
};

TEST_F(BucketFolderTest, WritesBelowABucketAlone) {
  EXPECT_EQ(folder_.path_to_write("bucket", "a/b/c"), root_ + "/bucket/a/b/c");
  EXPECT_TRUE(fs::is_directory(root_ + "/bucket/a/b"));
  EXPECT_FALSE(fs::exists(root_ + "/bucket/a/b/c"));
  EXPECT_EQ(refusal_to_write("none", "a"), Kind::kNoBucket);
  EXPECT_FALSE(fs::exists(root_ + "/none"));
}

TEST_F(BucketFolderTest, RefusesKeysThatLeadElsewhere) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view key :
       {""sv, "/"sv, "/etc/x"sv, "../x"sv, "a/../../x"sv, "a/.."sv, "."sv, "a/./b"sv, "a//b"sv,
        "a/"sv, "a\0b/c"sv, "a\nb"sv, "\x7F"sv}) {
    EXPECT_EQ(refusal_to_write("bucket", key), Kind::kDenied) << key;
  }
  EXPECT_EQ(refusal_to_write("bucket", std::string(2'000, 'a')), Kind::kDenied);
  EXPECT_EQ(refusal_to_write("bucket", std::string(300, 'a') + "/b"), Kind::kDenied);
  for (const std::string_view bucket : {""sv, "."sv, ".."sv, "../s3"sv, "/tmp"sv, "bucket/a"sv}) {
    EXPECT_EQ(refusal_to_write(bucket, "a"), Kind::kNoBucket) << bucket;
  }
  EXPECT_TRUE(fs::is_empty(root_ + "/bucket"));
}

TEST_F(BucketFolderTest, FollowsNoLinks) {
  const std::string outside = directory_.file("outside");
  fs::create_directories(outside + "/in");
  write(outside + "/in/secret");
  fs::create_directory_symlink(outside, root_ + "/linked");
  fs::create_directory_symlink(outside, root_ + "/bucket/linked");
  fs::create_symlink(outside + "/in/secret", root_ + "/bucket/secret");
  write(root_ + "/bucket/plain");
  EXPECT_EQ(refusal_to_write("linked", "a"), Kind::kNoBucket);
  EXPECT_EQ(refusal_to_write("bucket", "linked/a"), Kind::kDenied);
  EXPECT_EQ(refusal_to_write("bucket", "plain/a"), Kind::kDenied);
  EXPECT_EQ(keys(""), std::vector<std::string>{"plain"});
  EXPECT_THROW(folder_.list("bucket", "linked/"), ObjectError);
  EXPECT_THROW(folder_.list("linked", ""), ObjectError);
  folder_.remove_below("bucket", "plain");
  fs::create_directory_symlink(outside, root_ + "/bucket/plain");
  folder_.remove_below("bucket", "plain");
  EXPECT_TRUE(fs::exists(outside + "/in/secret"));
}

TEST_F(BucketFolderTest, ListsByPrefixInOrder) {
  fs::create_directories(root_ + "/bucket/in/deep");
  for (const char* const key : {"b", "in/2", "in/1", "in/deep/3", "in.txt", "inner", "in/4.part",
                                "in/.5.magneto-unfinished"}) {
    write(root_ + "/bucket/" + key);
  }
  EXPECT_EQ(keys(""), (std::vector<std::string>{"b", "in.txt", "in/1", "in/2", "in/4.part",
                                                "in/deep/3", "inner"}));
  EXPECT_EQ(keys("in/"), (std::vector<std::string>{"in/1", "in/2", "in/4.part", "in/deep/3"}));
  EXPECT_EQ(keys("in/d"), std::vector<std::string>{"in/deep/3"});
  EXPECT_EQ(keys("inn"), std::vector<std::string>{"inner"});
  EXPECT_EQ(folder_.list("bucket", "in/1").front().path, root_ + "/bucket/in/1");
  try {
    folder_.list("bucket", "../");
    ADD_FAILURE() << "it has such objects";
  } catch (const ObjectError& error) {
    EXPECT_EQ(error.kind(), Kind::kNoKey);
  }
}

}  // namespace
}  // namespace magneto::server::client
