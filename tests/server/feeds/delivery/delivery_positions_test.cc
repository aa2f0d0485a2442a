#include "server/feeds/delivery/delivery_positions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::server::feeds {
namespace {

namespace fs = std::filesystem;

class DeliveryPositionsTest : public testing::Test {
 protected:
  DeliveryPositions open() {
    return {folder_, [this](std::string_view what) { warnings_.emplace_back(what); }};
  }

  storage::TempDirectory directory_;
  std::string folder_ = directory_.file("deliveries");
  std::vector<std::string> warnings_;
};

TEST_F(DeliveryPositionsTest, AreKept) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  open().store("00ff", 17);
  open().store("00ff", kLast);
  open().store("0100", 18);
  EXPECT_EQ(open().load("00ff"), kLast);
  EXPECT_EQ(open().load("0100"), 18U);
  EXPECT_EQ(open().load("0200"), 0U);
  open().forget("0100");
  EXPECT_EQ(open().load("0100"), 0U);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(DeliveryPositionsTest, AreKeptForFeedsWithSeveral) {
  const std::vector<std::uint64_t> three = {7, 0, 9};
  open().store_all("a", three);
  EXPECT_EQ(open().load_all("a"), three);
  EXPECT_EQ(open().load("a"), 0U);
  open().store("b", 5);
  EXPECT_EQ(open().load_all("b"), std::vector<std::uint64_t>{5});
  EXPECT_TRUE(open().load_all("c").empty());
  for (const char* const text : {"", "x", "1 ", "1  2", "1 x", "1,2"}) {
    std::ofstream(folder_ + "/a.position") << text;
    EXPECT_TRUE(open().load_all("a").empty()) << text;
  }
}

TEST_F(DeliveryPositionsTest, BeginAnewWhereAFileIsDamaged) {
  fs::create_directories(folder_);
  for (const char* const text : {"", "x", "-1", "12x", "99999999999999999999999"}) {
    std::ofstream(folder_ + "/a.position") << text;
    EXPECT_EQ(open().load("a"), 0U) << text;
  }
}

TEST_F(DeliveryPositionsTest, TellThatTheyCannotBeWritten) {
  std::ofstream{folder_} << "a file where the folder should be";
  open().store("a", 1);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_.front().find(folder_), std::string::npos);
}

TEST_F(DeliveryPositionsTest, GoWhenNobodyHasWrittenThemForDays) {
  open().store("old", 1);
  open().store("new", 2);
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder_ + "/old.position", now - std::chrono::hours(49));
  const DeliveryPositions positions = open();
  EXPECT_EQ(positions.load("old"), 0U);
  EXPECT_EQ(positions.load("new"), 2U);
}

TEST_F(DeliveryPositionsTest, AreNotKeptWithoutAFolder) {
  DeliveryPositions none({}, [](std::string_view) { FAIL(); });
  none.store("a", 1);
  EXPECT_EQ(none.load("a"), 0U);
}

}  // namespace
}  // namespace magneto::server::feeds
