#include "storage/engine/rocksdb/data_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "storage/engine/engine.h"
#include "storage/engine/store_format.h"
#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

void write_file(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The sentence with which the directory is refused; empty when it is not.
std::string refusal(const std::string& path) {
  try {
    DataDirectory directory(path);
    return "";
  } catch (const EngineError& error) {
    return error.what();
  }
}

class DataDirectoryTest : public testing::Test {
 protected:
  TempDirectory temporary_;
  const std::string path_ = temporary_.file("data");
  const std::string marker_ = path_ + "/MAGNETO";
};

TEST_F(DataDirectoryTest, IsCreatedWithItsParentsAndMarked) {
  const std::string deep = path_ + "/a/b";
  { const DataDirectory directory(deep); }
  EXPECT_EQ(read_file(deep + "/MAGNETO"), "magneto data directory\nformat 3\n");
  EXPECT_FALSE(fs::exists(deep + "/MAGNETO.new"));
  EXPECT_EQ(refusal(deep), "");
}

TEST_F(DataDirectoryTest, IsCreatedForItsOwnerAlone) {
  for (const std::string& path : {path_, path_ + "s/", path_ + "s/below//"}) {
    { const DataDirectory directory(path); }
    EXPECT_FALSE(is_open_to_others(path)) << path;
    EXPECT_EQ(fs::status(path + "/MAGNETO").permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
  }
  fs::permissions(path_, fs::perms::others_read, fs::perm_options::add);
  { const DataDirectory directory(path_); }
  EXPECT_TRUE(is_open_to_others(path_));
}

TEST_F(DataDirectoryTest, GroupZeroIsNoOther) {
  fs::create_directories(path_);
  fs::permissions(path_, fs::perms::owner_all | fs::perms::group_all);
  struct stat status = {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(is_open_to_others(path_), status.st_gid != 0);
  if (chown(path_.c_str(), status.st_uid, 4242) == 0) {
    EXPECT_TRUE(is_open_to_others(path_));
  }
}

TEST_F(DataDirectoryTest, EmptyVolumesAndCreationsCutShortAreTakenOver) {
  fs::create_directories(path_ + "/lost+found");
  write_file(path_ + "/MAGNETO.new", "magneto da");
  EXPECT_EQ(refusal(path_), "");
  EXPECT_TRUE(fs::exists(marker_));
}

TEST_F(DataDirectoryTest, IsHeldAgainstASecondUser) {
  {
    const DataDirectory first(path_);
    EXPECT_EQ(refusal(path_), "data directory " + path_ +
                                  " is in use by another Magneto (stop it or choose another "
                                  "--data-dir)");
  }
  EXPECT_EQ(refusal(path_), "");
}

TEST_F(DataDirectoryTest, FilesAreNoDirectories) {
  write_file(path_, "text");
  EXPECT_EQ(refusal(path_),
            "data directory " + path_ + " is not a directory (choose another --data-dir)");
  EXPECT_EQ(refusal(path_ + "/below"), "cannot create data directory " + path_ +
                                           "/below: Not a directory (choose another --data-dir)");
  EXPECT_EQ(read_file(path_), "text");
}

TEST_F(DataDirectoryTest, ForeignDirectoriesStayAsTheyAre) {
  fs::create_directories(path_);
  write_file(path_ + "/notes.txt", "mine");
  const auto changed = fs::last_write_time(path_);
  EXPECT_EQ(refusal(path_), "data directory " + path_ +
                                " holds files that are not Magneto's (notes.txt); choose an empty "
                                "or new --data-dir");
  EXPECT_EQ(std::distance(fs::directory_iterator(path_), {}), 1);
  EXPECT_EQ(fs::last_write_time(path_), changed);
  EXPECT_EQ(read_file(path_ + "/notes.txt"), "mine");
}

TEST_F(DataDirectoryTest, HiddenFilesDoNotMatter) {
  fs::create_directories(path_);
  write_file(path_ + "/.gitkeep", "");
  EXPECT_EQ(refusal(path_), "");
  EXPECT_TRUE(fs::exists(path_ + "/.gitkeep"));
  EXPECT_TRUE(fs::exists(marker_));
}

TEST_F(DataDirectoryTest, NewerFormatsAreRefused) {
  fs::create_directories(path_);
  write_file(marker_, "magneto data directory\nformat 9\n");
  EXPECT_EQ(refusal(path_), "data directory " + path_ +
                                " was written by a newer Magneto (format 9, this one knows 8); use "
                                "that version or choose another --data-dir");
}

TEST_F(DataDirectoryTest, OlderFormatsAreRaised) {
  fs::create_directories(path_ + "/rocksdb");
  write_file(marker_, "magneto data directory\nformat 1\n");
  EXPECT_EQ(refusal(path_), "");
  EXPECT_EQ(read_file(marker_), "magneto data directory\nformat 3\n");
}

TEST_F(DataDirectoryTest, TheFormatIsRaisedWhenItIsNeededAndStays) {
  {
    DataDirectory directory(path_);
    directory.require_format(2);
    EXPECT_EQ(read_file(marker_), "magneto data directory\nformat 3\n");
    directory.require_format(StoreFormat::kOfDatabases);
    EXPECT_EQ(read_file(marker_), "magneto data directory\nformat 4\n");
  }
  EXPECT_EQ(refusal(path_), "");
  EXPECT_EQ(read_file(marker_), "magneto data directory\nformat 4\n");
}

TEST_F(DataDirectoryTest, DamagedMarkersAreNamed) {
  fs::create_directories(path_);
  const std::string sentence = "data directory " + path_ + " is damaged: " + marker_;
  for (const char* text :
       {"", "magneto data directory\n", "magneto data directory\nformat 1",
        "magneto data directory\nformat \n", "magneto data directory\nformat x\n",
        "magneto data directory\nformat 0\n", "magneto data directory\nformat 1 \n",
        "magneto data directory\nformat 99999999999999999999\n", "something else\n"}) {
    write_file(marker_, text);
    EXPECT_EQ(refusal(path_), sentence) << text;
    EXPECT_EQ(read_file(marker_), text);
  }
  write_file(marker_, std::string(1 << 20, 'x'));
  EXPECT_EQ(refusal(path_), sentence);
}

TEST_F(DataDirectoryTest, WriteProtectedDirectoriesAreRefused) {
  { const DataDirectory directory(path_); }
  fs::create_directories(temporary_.file("empty"));
  for (const char* name : {"data", "empty"})
    ASSERT_EQ(chmod(temporary_.file(name).c_str(), 0555), 0);
  ASSERT_EQ(chmod(temporary_.path().c_str(), 0755), 0);
  const auto refuse_unprivileged = [&](const std::string& path) {
    if (geteuid() == 0 && setuid(65'534) != 0) _exit(3);
    fputs(refusal(path).c_str(), stderr);
    _exit(0);
  };
  if (geteuid() == 0) {
    EXPECT_EXIT(refuse_unprivileged(path_), testing::ExitedWithCode(0),
                "^cannot open .*/MAGNETO: Permission denied");
    EXPECT_EXIT(refuse_unprivileged(temporary_.file("empty")), testing::ExitedWithCode(0),
                "this is user 65534, and the directory is user 0's: give it to user 65534 or");
  }
  // As on a volume that is mounted for reading.
  ASSERT_EQ(chmod(marker_.c_str(), 0444), 0);
  EXPECT_EXIT(refuse_unprivileged(path_), testing::ExitedWithCode(0),
              "^cannot write to data directory .*: Permission denied");
  EXPECT_EXIT(refuse_unprivileged(temporary_.file("empty")), testing::ExitedWithCode(0),
              "^cannot write to data directory .*: Permission denied");
  EXPECT_EXIT(refuse_unprivileged(temporary_.file("empty") + "/new"), testing::ExitedWithCode(0),
              "^cannot create data directory .*: Permission denied");
}

}  // namespace
}  // namespace magneto::storage
