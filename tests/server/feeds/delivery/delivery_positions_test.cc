#include "server/feeds/delivery/delivery_positions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/engine/memory/memory_engine.h"
#include "tests/support/faulty_engine.h"

namespace magneto::server::feeds {
namespace {

class DeliveryPositionsTest : public testing::Test {
 protected:
  DeliveryPositions open() {
    return {notes_, "deliveries", [this](std::string_view what) { warnings_.emplace_back(what); }};
  }
  void note(std::string_view name, std::string text) {
    notes_->put(name, std::move(text), storage::Notes::Durability::kProcess);
  }

  const std::shared_ptr<storage::FaultyEngine::Faults> faults_ =
      std::make_shared<storage::FaultyEngine::Faults>();
  const std::shared_ptr<storage::Notes> notes_ = std::make_shared<storage::Notes>(
      std::make_shared<storage::FaultyEngine>(storage::make_memory_engine(), faults_));
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
  EXPECT_EQ(open().load_all("a", 1), three);
  EXPECT_EQ(open().load("a"), 0U);
  open().store("b", 5);
  EXPECT_EQ(open().load_all("b", 1), std::vector<std::uint64_t>{5});
  EXPECT_TRUE(open().load_all("c", 1).empty());
}

TEST_F(DeliveryPositionsTest, WarnOfADamagedNoteAndSendAgain) {
  for (const std::string text : {"", "\n", "x\n", "-1\n", "12", "12x\n", "1 \n", "1  2\n", "1 x\n",
                                 "1,2\n", "99999999999999999999999\n"}) {
    note("deliveries/a.position", text);
    warnings_.clear();
    EXPECT_EQ(open().load("a"), 0U) << text;
    EXPECT_EQ(open().load_all("a", 7), std::vector<std::uint64_t>{7}) << text;
    const std::string warning =
        "the stored position deliveries/a.position is damaged, so the changes of the last day are "
        "sent again; the receiver must ignore the changes that it has";
    EXPECT_EQ(warnings_, (std::vector<std::string>{warning, warning})) << text;
  }
  open().store("a", 3);
  EXPECT_EQ(open().load("a"), 3U);
}

TEST_F(DeliveryPositionsTest, TellThatTheyCannotBeWritten) {
  faults_->commits = true;
  open().store("a", 1);
  EXPECT_EQ(warnings_, std::vector<std::string>{
                           "cannot save which changes were sent, so a restart would send some "
                           "again: the disk is on fire"});
  open().forget("a");
}

TEST_F(DeliveryPositionsTest, GoWhenNobodyHasWrittenThemForDays) {
  const auto ago = [](std::chrono::hours hours) {
    const auto then = std::chrono::system_clock::now() - hours;
    return std::to_string(std::chrono::system_clock::to_time_t(then));
  };
  note("deliveries/old.position", "1\n" + ago(std::chrono::hours(49)) + "\n");
  note("deliveries/new.position", "2\n" + ago(std::chrono::hours(47)) + "\n");
  note("event-sources/old.position", "3\n" + ago(std::chrono::hours(49)) + "\n");
  const DeliveryPositions positions = open();
  EXPECT_EQ(notes_->names(""),
            (std::vector<std::string>{"deliveries/new.position", "event-sources/old.position"}));
  EXPECT_EQ(positions.load("old"), 0U);
  EXPECT_EQ(positions.load("new"), 2U);
}

// As files had them.
TEST_F(DeliveryPositionsTest, GetATimeWhereTheyHaveNone) {
  note("deliveries/a.position", "1 2\n");
  EXPECT_EQ(open().load_all("a", 1), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_GT(notes_->get("deliveries/a.position")->size(), 10U);
  note("deliveries/a.position", "3\n");
  faults_->commits = true;  // a full disk
  EXPECT_EQ(open().load("a"), 3U);
}

TEST_F(DeliveryPositionsTest, AreNotKeptWithoutNotes) {
  DeliveryPositions none(nullptr, "deliveries", [](std::string_view) { FAIL(); });
  none.store("a", 1);
  EXPECT_EQ(none.load("a"), 0U);
  none.forget("a");
}

}  // namespace
}  // namespace magneto::server::feeds
