#include "server/http/auth/credential_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "server/http/auth/credential_file.h"
#include "tests/support/engines.h"

namespace magneto::server::http {
namespace {

class CredentialStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_.path());
    write(keys("one"));
  }

  static std::string keys(std::string_view name) {
    return "[a]\naws_access_key_id=" + std::string(name) + "\naws_secret_access_key=s\n";
  }

  // As editors and deployments do: whole, by another file.
  void write(std::string_view text, mode_t mode = 0600) {
    std::ofstream(directory_.file("new")) << text;
    ASSERT_EQ(::chmod(directory_.file("new").c_str(), mode), 0);
    std::filesystem::rename(directory_.file("new"), file_);
  }

  void warn(std::string_view sentence) {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(sentence);
  }
  std::vector<std::string> warnings() {
    const std::lock_guard lock(mutex_);
    return warnings_;
  }
  CredentialStore::Warn warner() {
    return [this](std::string_view sentence) { warn(sentence); };
  }

  template <typename Condition>
  static bool comes_true(const Condition& condition) {
    for (int i = 0; i < 12'000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  static bool has(const CredentialStore& store, std::string_view key) {
    return store.current()->by_access_key.contains(key);
  }

  storage::TempDirectory directory_;
  const std::string file_ = directory_.file("keys");

 private:
  std::mutex mutex_;  // guards warnings_
  std::vector<std::string> warnings_;
};

TEST_F(CredentialStoreTest, TakesUpAChangedFile) {
  const CredentialStore store(file_, warner());
  const std::shared_ptr<const client::CredentialSet> before = store.current();
  write(keys("two"));
  EXPECT_TRUE(comes_true([&] { return has(store, "two"); }));
  EXPECT_FALSE(has(store, "one"));
  EXPECT_TRUE(before->by_access_key.contains("one"));
  EXPECT_TRUE(warnings().empty());
}

TEST_F(CredentialStoreTest, KeepsItsKeysWhenTheNewFileIsBroken) {
  const CredentialStore store(file_, warner());
  write("[a]\nsecret");
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 1; }));
  EXPECT_EQ(warnings().front(),
            file_ +
                ":2: neither a [section] nor a property with '='; the credentials read before "
                "stay in use");
  std::filesystem::remove(file_);
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 2; }));
  EXPECT_TRUE(has(store, "one"));
  write(keys("two"));
  EXPECT_TRUE(comes_true([&] { return has(store, "two"); }));
  EXPECT_EQ(warnings().size(), 2U);
}

TEST_F(CredentialStoreTest, TriesAFileThatCannotBeReadAgain) {
  const CredentialStore store(file_, warner());
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_TRUE(comes_true([&] { return !warnings().empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  const std::string warning = "cannot read credentials from " + file_ + " (--credentials)" +
                              ": it is not a regular file; the credentials read before stay in "
                              "use";
  EXPECT_EQ(warnings(), std::vector{warning});
  EXPECT_TRUE(has(store, "one"));
  std::filesystem::remove(file_);
  write(keys("two"));
  EXPECT_TRUE(comes_true([&] { return has(store, "two"); }));
  std::filesystem::remove(file_);
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 2; }));
}

TEST_F(CredentialStoreTest, WarnsOfAFileThatOthersCanRead) {
  write(keys("one"), 0640);
  const CredentialStore store(file_, warner());
  const std::string warning = file_ +
                              " holds secrets that other users of this machine can read (mode "
                              "0640): chmod 600 " +
                              file_;
  EXPECT_EQ(warnings(), std::vector{warning});
  write(keys("two"), 0640);
  EXPECT_TRUE(comes_true([&] { return has(store, "two"); }));
  EXPECT_EQ(warnings().size(), 1U);
  write(keys("three"));
  EXPECT_TRUE(comes_true([&] { return has(store, "three"); }));
  write(keys("four"), 0640);
  EXPECT_TRUE(comes_true([&] { return has(store, "four"); }));
  EXPECT_EQ(warnings(), (std::vector{warning, warning}));
}

TEST_F(CredentialStoreTest, NeedsAFileToBeginWith) {
  write("");
  EXPECT_THROW(CredentialStore(file_, warner()), CredentialFileError);
  EXPECT_THROW(CredentialStore(file_ + "x", warner()), CredentialFileError);
}

}  // namespace
}  // namespace magneto::server::http
