#include "server/http/auth/identity_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/http/auth/credential_file.h"
#include "tests/support/engines.h"

namespace magneto::server::http {
namespace {

class IdentityStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_.path());
    write(user("one"));
  }

  static std::string user(const std::string& name) {
    return R"({"Users":[{"UserName":")" + name + R"(","AccessKeys":[")" + name + R"("]}]})";
  }

  void write(std::string_view text) {
    std::ofstream(directory_.file("new")) << text;
    std::filesystem::rename(directory_.file("new"), file_);
  }

  std::vector<std::string> warnings() {
    const std::lock_guard lock(mutex_);
    return warnings_;
  }
  IdentityStore::Warn warner() {
    return [this](std::string_view sentence) {
      const std::lock_guard lock(mutex_);
      warnings_.emplace_back(sentence);
    };
  }

  // The keys of users one and two, and of a role's session.
  static IdentityStore::CurrentKeys keys() {
    constexpr std::string_view kLines =
        "[1]\naws_access_key_id = one\naws_secret_access_key = s\n"
        "[2]\naws_access_key_id = two\naws_secret_access_key = s\n"
        "[3]\naws_access_key_id = three\naws_secret_access_key = s\n"
        "principal_arn = arn:aws:sts::123456789012:assumed-role/reader/session\n";
    return [set = parse_credentials(kLines, "keys.ini")] { return set; };
  }

  template <typename Condition>
  static bool comes_true(const Condition& condition) {
    for (int i = 0; i < 12'000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  static bool has(const IdentityStore& store, std::string_view key) {
    return store.current()->find({key, {}, {}}) != nullptr;
  }
  std::string problem_of(const std::string& file) {
    try {
      const IdentityStore store(file, keys(), warner());
      return {};
    } catch (const IdentityFileError& error) {
      return error.what();
    }
  }

  storage::TempDirectory directory_;
  const std::string file_ = directory_.file("iam.json");

 private:
  std::mutex mutex_;  // guards warnings_
  std::vector<std::string> warnings_;
};

TEST_F(IdentityStoreTest, TakesUpAChangedFile) {
  const IdentityStore store(file_, keys(), warner());
  EXPECT_TRUE(has(store, "one"));
  write(user("two"));
  EXPECT_TRUE(comes_true([&] { return has(store, "two"); }));
  EXPECT_FALSE(has(store, "one"));
}

// The keys of a principal that loses its entry lose nothing, but gain every permission.
TEST_F(IdentityStoreTest, WarnsOfEntriesThatAChangedFileTakesAway) {
  write(R"({"Users":[{"UserName":"ana","AccessKeys":["one","two"]}],
            "Roles":[{"RoleName":"reader","Account":"123456789012"}]})");
  const IdentityStore store(file_, keys(), warner());
  EXPECT_TRUE(warnings().empty());
  const std::string begin =
      file_ + " no longer names these principals, so they are administrators now: ";
  write(R"({"Users":[{"UserName":"ana","AccessKeys":["one"]}],
            "Roles":[{"RoleName":"reader","AccessKeys":["three"]}]})");
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 1; }));
  EXPECT_EQ(warnings().back(), begin + "ana by the access key two");
  write(R"({"Users":[]})");
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 2; }));
  EXPECT_EQ(warnings().back(), begin + "ana by the access key one, reader by the access key three");
  write(R"({"Roles":[{"RoleName":"reader","Account":"123456789012"}]})");
  EXPECT_TRUE(comes_true([&] { return store.current()->size() == 1; }));
  write(R"({"Users":[],"Roles":[]})");
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 3; }));
  EXPECT_EQ(warnings().back(),
            begin + "reader by the principal arn:aws:iam::123456789012:role/reader");
}

// A key that is not in --credentials any more has no owner, so its entry may be removed.
TEST_F(IdentityStoreTest, AnEntryMayGoWithItsKey) {
  write(
      R"({"Users":[{"UserName":"one","AccessKeys":["one"]},{"UserName":"x","AccessKeys":["x"]}]})");
  const IdentityStore store(file_, keys(), warner());
  ASSERT_EQ(warnings().size(), 1U);  // of x, whose key is not there
  write(user("one"));
  EXPECT_TRUE(comes_true([&] { return store.current()->size() == 1; }));
  EXPECT_EQ(warnings().size(), 1U);
}

TEST_F(IdentityStoreTest, KeepsWhatItHasWhenTheNewFileIsWrong) {
  const IdentityStore store(file_, keys(), warner());
  write(R"({"Users":[{"UserName":"two","Policies":{}}]})");
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 1; }));
  EXPECT_EQ(warnings().front(),
            file_ +
                ": Users[0].Policies: A list is expected here; the policies read before stay in "
                "use");
  std::filesystem::remove(file_);
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 2; }));
  EXPECT_TRUE(has(store, "one"));
  write(user("two"));
  EXPECT_TRUE(comes_true([&] { return has(store, "two"); }));
}

// With a wrong letter in its key, the user would be an administrator.
TEST_F(IdentityStoreTest, WarnsOfEntriesThatAreNobodys) {
  write(R"({"Users":[{"UserName":"one","AccessKeys":["one","0ne"]},{"UserName":"2"}],
            "Roles":[{"RoleName":"reader","Account":"123456789012"},
                     {"RoleName":"reader","Account":"123456789013"}]})");
  const IdentityStore store(file_, keys(), warner());
  ASSERT_EQ(warnings().size(), 1U);
  EXPECT_EQ(warnings().front(),
            file_ +
                " has entries without a key in --credentials: one by the access key "
                "0ne, reader by the principal arn:aws:iam::123456789013:role/reader; these "
                "principals are administrators");
  std::string many;
  for (int i = 0; i < 7; ++i) many += R"({"UserName":"u)" + std::to_string(i) + "\"},";
  write(R"({"Users":[)" + many + R"({"UserName":"\nx"}]})");
  EXPECT_TRUE(comes_true([&] { return warnings().size() == 3; }));  // one and three have none now
  const std::string told = warnings()[1];
  EXPECT_NE(told.find("u4 by the principal arn:aws:iam::000000000000:user/u4, and 3 more;"),
            std::string::npos)
      << told;
}

TEST_F(IdentityStoreTest, RefusesAWrongFileAtTheStart) {
  EXPECT_EQ(problem_of(file_), "");
  write("{");
  EXPECT_EQ(problem_of(file_), file_ + ": This is not JSON");
  write(std::string(api::access::Identities::kMaxFileBytes + 1, ' '));
  EXPECT_NE(problem_of(file_).find("cannot read users and roles from " + file_), std::string::npos);
  EXPECT_NE(problem_of(directory_.file("none")).find("cannot read users and roles from"),
            std::string::npos);
}

}  // namespace
}  // namespace magneto::server::http
