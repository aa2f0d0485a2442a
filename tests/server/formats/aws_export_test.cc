#include "server/formats/aws_export.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/formats/aws_export_folder.h"
#include "server/formats/byte_source.h"
#include "server/formats/md5.h"
#include "tests/support/engines.h"

namespace magneto::server::formats {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSummary =
    R"({"version":"2020-06-30","exportArn":"arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog/export/01234567890123-a1b2c3d4",)"
    R"("startTime":"2020-11-04T07:28:34.028Z","endTime":"2020-11-04T07:33:43.897Z","tableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog",)"
    R"("tableId":"12345a12-abcd-123a-ab12-1234abc12345","exportTime":"2020-11-04T07:28:34.028Z","s3Bucket":"bucket","s3Prefix":null,"s3SseAlgorithm":"AES256",)"
    R"("s3SseKmsKeyId":null,"manifestFilesS3Key":"AWSDynamoDB/01693685827463-2d8752fd/manifest-files.json","billedSizeBytes":0,"itemCount":8,)"
    R"("outputFormat":"DYNAMODB_JSON","exportType":"FULL_EXPORT"})";
constexpr const char* kMd5OfNothing = "1B2M2Y8AsgTpgAmY7PhCfg==";

std::string entry(const std::string& key, const std::string& md5 = kMd5OfNothing, int items = 8) {
  return R"({"itemCount":)" + std::to_string(items) + R"(,"md5Checksum":")" + md5 +
         R"(","etag":"x","dataFileS3Key":")" + key + "\"}\n";
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class AwsExport : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(directory_.file(name)).parent_path());
    std::ofstream(directory_.file(name), std::ios::trunc | std::ios::binary) << text;
  }
  void write_export(const std::string& folder, const std::string& files,
                    const std::string& summary = kSummary) const {
    write(folder + "/manifest-files.json", files);
    write(folder + "/manifest-summary.json", summary);
    write(folder + "/data/a.json.gz", "");
  }
  // "": it was read.
  std::string problem_of(const std::string& folder) const {
    try {
      check_aws_data_files(read_aws_export(directory_.file(folder)), 3);
    } catch (const TransferFileError& error) {
      return error.what();
    }
    return {};
  }

  const storage::TempDirectory directory_;
};

TEST_F(AwsExport, IsFoundInItsFolderOrAbove) {
  write_export("e/AWSDynamoDB/01693685827463-2d8752fd",
               entry("prefix/AWSDynamoDB/01693685827463-2d8752fd/data/a.json.gz") + "\n");
  for (const char* const folder : {"e", "e/AWSDynamoDB", "e/AWSDynamoDB/01693685827463-2d8752fd"}) {
    const auto files = read_aws_export(directory_.file(folder));
    ASSERT_EQ(files.size(), 1U) << folder;
    EXPECT_TRUE(files[0].path.ends_with("2d8752fd/data/a.json.gz"));
    EXPECT_EQ(files[0].items, 8U);
    EXPECT_EQ(problem_of(folder), "");
  }
  write_export("e/AWSDynamoDB/2", "");
  EXPECT_NE(problem_of("e").find("several exports"), std::string::npos);
  EXPECT_NE(problem_of("e/AWSDynamoDB/2").find("the manifest says 8"), std::string::npos);
  EXPECT_NE(problem_of("none").find("has manifest-files.json"), std::string::npos);
  EXPECT_NE(problem_of("e/AWSDynamoDB/2/data").find("has manifest-files.json"), std::string::npos);
}

TEST_F(AwsExport, IsRefusedWhenItIsAnotherKind) {
  const std::string summary = kSummary;
  const auto with = [&](std::string_view from, const std::string& to) {
    std::string text = summary;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {with("DYNAMODB_JSON", "XML"), "in the format XML"},
           {with("FULL_EXPORT", "INCREMENTAL_EXPORT"), "of type INCREMENTAL_EXPORT"},
           {"{", "is not a JSON object"},
           {"[]", "is not a JSON object"},
           {"{}", "only DYNAMODB_JSON and ION"}}) {
    write_export("e", entry("a.json.gz"), text);
    EXPECT_NE(problem_of("e").find(words), std::string::npos) << problem_of("e");
  }
}

TEST_F(AwsExport, IsRefusedWhenItIsDamaged) {
  write("secret", "");
  for (const std::string& bad :
       {std::string("x\n"), entry(""), entry(".."), entry("data/"), entry("a.json.gz", "?"),
        entry("a.json.gz", kMd5OfNothing, -1), std::string(R"({"dataFileS3Key":1})")}) {
    write_export("e", entry("a.json.gz") + bad);
    EXPECT_NE(problem_of("e").find("manifest-files.json:2: "), std::string::npos) << bad;
  }
  for (const std::string& bad :
       {entry("../../secret", kMd5OfNothing, 0), entry("b.json.gz", kMd5OfNothing, 0),
        entry("a.json.gz", "AAAAAAAAAAAAAAAAAAAAAA==", 0)}) {
    write_export("e", entry("a.json.gz") + bad);
    EXPECT_NE(problem_of("e"), "") << bad;
  }
  write_export("e", entry("a.json.gz"));
  write("e/manifest-files.checksum", md5_base64("other"));
  EXPECT_NE(problem_of("e").find("MD5"), std::string::npos);
  fs::rename(directory_.file("e/manifest-files.checksum"), directory_.file("e/manifest-files.md5"));
  EXPECT_NE(problem_of("e").find("MD5"), std::string::npos);
  fs::remove(directory_.file("e/manifest-files.md5"));
  write("e/manifest-files.checksum", md5_base64(entry("a.json.gz")) + "\n");
  EXPECT_EQ(problem_of("e"), "");
}

TEST_F(AwsExport, DoesNotWaitForAPipe) {
  for (const char* const name : {"/data/a.json.gz", "/manifest-files.json"}) {
    const std::string folder = "pipe" + std::to_string(fs::path(name).string().size());
    write_export(folder, entry("data/a.json.gz"));
    const std::string path = directory_.file(folder) + name;
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_NE(problem_of(folder).find("it is not a regular file"), std::string::npos) << name;
  }
}

TEST_F(AwsExport, IsWrittenAsAwsDoes) {
  const std::string path = directory_.file("out");
  std::optional<AwsExportFolder> folder(std::in_place, path + "/");
  EXPECT_THROW(AwsExportFolder{path}, TransferFileError);
  const std::string data = folder->new_data_path();
  std::ofstream(data) << "";
  std::string md5;
  for (const int byte : {0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00, 0xb2, 0x04, 0xe9, 0x80, 0x09, 0x98,
                         0xec, 0xf8, 0x42, 0x7e}) {
    md5 += static_cast<char>(byte);
  }
  folder->keep({.arn = "arn:t", .id = "id"}, {{.path = data, .items = 3, .md5 = md5}});
  folder.reset();
  EXPECT_FALSE(fs::exists(path + ".part"));
  const auto files = read_aws_export(path);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].items, 3U);
  check_aws_data_files(files, 1);
  const fs::path above = fs::path(files[0].path).parent_path().parent_path();
  for (const char* const name : {"manifest-files", "manifest-summary"}) {
    EXPECT_EQ(slurp(above / (std::string(name) + ".checksum")),
              md5_base64(slurp(above / (std::string(name) + ".json"))));
  }
  EXPECT_TRUE(fs::exists(above / "_started"));
  EXPECT_NE(slurp(above / "manifest-summary.json").find(R"("tableId":"id","exportTime":")"),
            std::string::npos);
  EXPECT_NE(
      slurp(above / "manifest-files.json").find(R"("etag":"d41d8cd98f00b204e9800998ecf8427e")"),
      std::string::npos);
}

TEST_F(AwsExport, LeavesNothingWhenItIsNotKept) {
  const std::string path = directory_.file("out");
  fs::create_directory(path + ".part");
  { const AwsExportFolder folder(path); }
  write("out.part/AWSDynamoDB/old/data/x", "of somebody");
  EXPECT_THROW(AwsExportFolder{path}, TransferFileError);
  write("out.part/AWSDynamoDB/.magneto-part", "");
  {
    const AwsExportFolder folder(path);
    EXPECT_FALSE(fs::exists(path + ".part/AWSDynamoDB/old"));
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path + ".part"));
  write("out.part/mine", "");
  EXPECT_THROW(AwsExportFolder{path}, TransferFileError);
  EXPECT_TRUE(fs::exists(path + ".part/mine"));
}

}  // namespace
}  // namespace magneto::server::formats
