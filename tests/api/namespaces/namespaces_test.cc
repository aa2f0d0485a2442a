#include "api/namespaces/namespaces.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "api/messages/namespace_messages.h"
#include "tests/support/engines.h"

namespace magneto::api {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kTable =
    R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";

class NamespacesTest : public testing::Test {
 protected:
  static std::string call(Service& service, std::string_view operation, std::string body = "{}") {
    std::string response;
    service.call(find_operation(operation), Caller(), "ID", body, response);
    return response;
  }
  static std::string tables(Namespace& space) { return call(space.service(), "ListTables"); }
  std::shared_ptr<Namespace> create(std::string name) {
    return namespaces_.create({.name = std::move(name), .origin = {}, .expires_after = {}});
  }
  // The sentence of a refusal.
  template <typename Action>
  static std::string refusal(NamespaceError::Kind kind, const Action& action) {
    try {
      action();
    } catch (const NamespaceError& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "none";
  }

  std::shared_ptr<ControlSettings> settings_ = std::make_shared<ControlSettings>("main");
  storage::Clock& clock_ = settings_->clock;
  Namespaces namespaces_{storage::Databases::open({}, clock_), settings_, {}};
  Service& service_ = namespaces_.main()->service();
};

TEST_F(NamespacesTest, KeepsWorldsApart) {
  EXPECT_EQ(namespaces_.count(), 0U);
  EXPECT_EQ(namespaces_.find("main"), namespaces_.main());
  EXPECT_EQ(namespaces_.find("a"), nullptr);
  const auto a = create("a");
  const auto b = create("b");
  EXPECT_EQ(namespaces_.count(), 2U);
  EXPECT_NE(call(a->service(), "CreateTable", std::string(kTable)).find("TableArn"),
            std::string::npos);
  EXPECT_EQ(tables(*a), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(tables(*b), R"({"TableNames":[]})");
  EXPECT_EQ(tables(*namespaces_.main()), R"({"TableNames":[]})");
  a->clock().advance(std::chrono::hours(1));
  EXPECT_GT(a->clock().now(), clock_.now() + milliseconds(3'000'000));
  std::string names;
  for (const auto& space : namespaces_.list()) names += space->name() + " ";
  EXPECT_EQ(names, "main a b ");
}

TEST_F(NamespacesTest, RefusesNamesAndOrigins) {
  using Kind = NamespaceError::Kind;
  for (const std::string name : {"a b", ".", "..", "a/b", "\xC3\xA4"}) {
    EXPECT_EQ(refusal(Kind::kInvalid, [&] { create(name); }), messages::kNamespaceName) << name;
    EXPECT_EQ(refusal(Kind::kInvalid, [&] { namespaces_.remove(name); }), messages::kNamespaceName);
  }
  EXPECT_EQ(refusal(Kind::kInvalid, [&] { create(std::string(129, 'a')); }),
            messages::kNamespaceName);
  create(std::string(128, 'a'));
  create("A-z_0.9");
  EXPECT_EQ(refusal(Kind::kTaken, [&] { create("A-z_0.9"); }),
            messages::namespace_taken("A-z_0.9"));
  EXPECT_EQ(refusal(Kind::kTaken, [&] { create("main"); }), messages::namespace_taken("main"));
  EXPECT_EQ(refusal(Kind::kTaken, [&] { namespaces_.remove("main"); }), messages::kMainStays);
  EXPECT_EQ(refusal(Kind::kUnknown, [&] { namespaces_.remove("b"); }),
            messages::unknown_namespace("b"));
  const auto from = [&](NamespaceOrigin::Kind kind, std::string name) {
    namespaces_.create({.name = "c", .origin = {kind, std::move(name)}, .expires_after = {}});
  };
  using Origin = NamespaceOrigin::Kind;
  EXPECT_EQ(refusal(Kind::kUnknown, [&] { from(Origin::kNamespace, "nobody"); }),
            messages::unknown_namespace("nobody"));
  EXPECT_EQ(refusal(Kind::kUnknown, [&] { from(Origin::kSnapshot, "none"); }),
            messages::unknown_snapshot("none"));
  EXPECT_EQ(namespaces_.find("c"), nullptr);
}

TEST_F(NamespacesTest, WhoHoldsARemovedOneKeepsIt) {
  auto held = create("a");
  call(held->service(), "CreateTable", std::string(kTable));
  std::vector<std::string> removed;
  namespaces_.set_removal_listener(
      [&](const NamespaceDescription& about) { removed.push_back(about.name); });
  namespaces_.remove("a");
  EXPECT_EQ(removed, std::vector<std::string>{"a"});
  EXPECT_EQ(namespaces_.find("a"), nullptr);
  EXPECT_EQ(namespaces_.count(), 0U);
  EXPECT_EQ(tables(*held), R"({"TableNames":["Tab"]})");
  const auto next = create("a");
  EXPECT_NE(next->about().number, held->about().number);
  EXPECT_EQ(tables(*next), R"({"TableNames":[]})");
}

TEST_F(NamespacesTest, RenewalKeepsNameNumberAndClock) {
  const auto former = create("a");
  call(former->service(), "CreateTable", std::string(kTable));
  former->clock().advance(std::chrono::hours(5));
  const auto renewed = namespaces_.renew("a");
  EXPECT_EQ(tables(*former), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(tables(*renewed), R"({"TableNames":[]})");
  EXPECT_EQ(namespaces_.find("a"), renewed);
  EXPECT_EQ(renewed->about().number, former->about().number);
  EXPECT_EQ(&renewed->clock(), &former->clock());
  EXPECT_EQ(namespaces_.count(), 1U);
}

TEST_F(NamespacesTest, AForkBeginsAsACopyAndIsResetToIt) {
  using Origin = NamespaceOrigin::Kind;
  const auto fork = [&](std::string name, std::string of) {
    return namespaces_.create({.name = std::move(name),
                               .origin = {Origin::kNamespace, std::move(of)},
                               .expires_after = {}});
  };
  call(service_, "CreateTable", std::string(kTable));
  clock_.advance(std::chrono::hours(7));
  const auto copy = fork("copy", "main");
  EXPECT_EQ(tables(*copy), R"({"TableNames":["Tab"]})");
  EXPECT_LT(std::chrono::abs(copy->clock().now() - clock_.now()), std::chrono::minutes(1));
  call(service_, "DeleteTable", R"({"TableName":"Tab"})");
  EXPECT_EQ(tables(*copy), R"({"TableNames":["Tab"]})");
  call(copy->service(), "DeleteTable", R"({"TableName":"Tab"})");
  const auto of_copy = fork("of-copy", "copy");
  EXPECT_EQ(tables(*of_copy), R"({"TableNames":[]})");
  EXPECT_EQ(tables(*namespaces_.renew("copy")), R"({"TableNames":["Tab"]})");
  namespaces_.remove("copy");
  EXPECT_EQ(tables(*namespaces_.renew("of-copy")), R"({"TableNames":[]})");
}

TEST_F(NamespacesTest, SnapshotsAreRestored) {
  using Kind = NamespaceError::Kind;
  call(service_, "CreateTable", std::string(kTable));
  const auto taken = namespaces_.take_snapshot("before", "main");
  EXPECT_EQ(taken->of, "main");
  EXPECT_EQ(refusal(Kind::kTaken, [&] { namespaces_.take_snapshot("before", "main"); }),
            messages::snapshot_taken("before"));
  EXPECT_EQ(refusal(Kind::kUnknown, [&] { namespaces_.take_snapshot("b", "nobody"); }),
            messages::unknown_namespace("nobody"));
  EXPECT_EQ(refusal(Kind::kInvalid, [&] { namespaces_.take_snapshot("a/b", "main"); }),
            messages::kSnapshotName);
  call(service_, "DeleteTable", R"({"TableName":"Tab"})");
  create("a");
  EXPECT_EQ(tables(*namespaces_.restore("a", "before")), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(tables(*namespaces_.renew("a")), R"({"TableNames":[]})");
  const auto made = namespaces_.create(
      {.name = "b", .origin = {NamespaceOrigin::Kind::kSnapshot, "before"}, .expires_after = {}});
  namespaces_.remove_snapshot("before");
  EXPECT_EQ(refusal(Kind::kUnknown, [&] { namespaces_.restore("a", "before"); }),
            messages::unknown_snapshot("before"));
  EXPECT_EQ(tables(*namespaces_.renew("b")), R"({"TableNames":["Tab"]})");
  EXPECT_TRUE(namespaces_.snapshots().list().empty());
}

TEST_F(NamespacesTest, MainIsRestored) {
  call(service_, "CreateTable", std::string(kTable));
  namespaces_.take_snapshot("before", "main");
  call(service_, "DeleteTable", R"({"TableName":"Tab"})");
  EXPECT_TRUE(namespaces_.is_plain());
  clock_.advance(std::chrono::hours(5));
  int waited = 0;
  namespaces_.set_wait_for_threads([&] { return ++waited > 0; });
  std::weak_ptr<Namespace> former = namespaces_.main();
  const auto restored = namespaces_.restore("main", "before");
  EXPECT_EQ(restored, namespaces_.find("main"));
  EXPECT_EQ(restored, namespaces_.main());
  EXPECT_EQ(restored, namespaces_.list().at(0));
  EXPECT_TRUE(restored->is_main());
  EXPECT_EQ(&restored->clock(), &clock_);
  EXPECT_EQ(tables(*restored), R"({"TableNames":["Tab"]})");
  EXPECT_FALSE(namespaces_.is_plain());
  EXPECT_EQ(namespaces_.count(), 0U);
  EXPECT_TRUE(former.expired());
  call(restored->service(), "DeleteTable", R"({"TableName":"Tab"})");
  EXPECT_EQ(tables(*namespaces_.restore("main", "before")), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(waited, 1);
  namespaces_.remove_snapshot("before");
  EXPECT_EQ(tables(*namespaces_.main()), R"({"TableNames":["Tab"]})");
}

// A memory budget whose free bytes the test sets.
class NamespaceMemoryTest : public NamespacesTest {
 protected:
  NamespaceMemoryTest() {
    room_->set_meter([this] { room_->set(left_); }, [this] { ++trims_; });
  }
  static NamespacesOptions options_in(const std::shared_ptr<storage::MemoryBudget>& room) {
    NamespacesOptions options;
    options.database.whole_room = room;
    return options;
  }
  static NamespaceOrigin of_main() { return {NamespaceOrigin::Kind::kNamespace, "main"}; }
  std::shared_ptr<Namespace> fork(std::string name) {
    return measured_.create({.name = std::move(name), .origin = of_main(), .expires_after = {}});
  }

  std::int64_t left_ = storage::MemoryBudget::kPlenty;
  int trims_ = 0;
  std::shared_ptr<storage::MemoryBudget> room_ = std::make_shared<storage::MemoryBudget>();
  std::shared_ptr<ControlSettings> measured_settings_ = std::make_shared<ControlSettings>("main");
  Namespaces measured_{storage::Databases::open({}, measured_settings_->clock), measured_settings_,
                       options_in(room_)};
};

TEST_F(NamespaceMemoryTest, RefusesWhatTheProcessHasNoMemoryFor) {
  using Kind = NamespaceError::Kind;
  Service& main = measured_.main()->service();
  call(main, "CreateTable", std::string(kTable));
  fork("a");
  measured_.take_snapshot("before", "main");
  left_ = 0;
  EXPECT_EQ(refusal(Kind::kFull, [&] { fork("b"); }), messages::kNoMemoryForNamespace);
  EXPECT_EQ(refusal(Kind::kFull,
                    [&] { measured_.create({.name = "c", .origin = {}, .expires_after = {}}); }),
            messages::kNoMemoryForNamespace);
  EXPECT_EQ(refusal(Kind::kFull, [&] { measured_.take_snapshot("after", "main"); }),
            messages::kNoMemoryForNamespace);
  EXPECT_EQ(refusal(Kind::kFull, [&] { measured_.copy_aside("main"); }),
            messages::kNoMemoryForNamespace);
  EXPECT_EQ(measured_.count(), 1U);
  EXPECT_EQ(measured_.snapshots().list().size(), 1U);
  EXPECT_GT(trims_, 0);
  // Calls that free memory still work.
  EXPECT_EQ(tables(*measured_.renew("a")), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(tables(*measured_.restore("a", "before")), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(tables(*measured_.restore("main", "before")), R"({"TableNames":["Tab"]})");
  measured_.remove("a");
  left_ = 1 << 20;
  EXPECT_NE(fork("b"), nullptr);
}

TEST_F(NamespaceMemoryTest, CountsTheTablesOfAFork) {
  using Kind = NamespaceError::Kind;
  for (int i = 0; i < 100; ++i) {
    std::string table(kTable);
    table.replace(table.find("Tab\""), 3, "Tab" + std::to_string(i));
    ASSERT_NE(call(measured_.main()->service(), "CreateTable", table).find("TableArn"),
              std::string::npos);
  }
  left_ = 200'000;  // each takes some 10 KB; two bytes of it are for one of data
  EXPECT_EQ(refusal(Kind::kFull, [&] { fork("a"); }), messages::kNoMemoryForNamespace);
  left_ = 2'000'000;
  EXPECT_NE(fork("a"), nullptr);
}

TEST_F(NamespaceMemoryTest, LooksAgainWhenTheNamespaceWasMade) {
  int looks = 0;
  room_->set_meter([&] { room_->set(++looks < 3 ? 1 << 20 : 0); });
  EXPECT_EQ(refusal(NamespaceError::Kind::kFull, [&] { fork("a"); }),
            messages::kNoMemoryForNamespace);
  EXPECT_EQ(measured_.count(), 0U);
  EXPECT_EQ(measured_.find("a"), nullptr);
}

// While a thread may still be answering from it.
TEST_F(NamespacesTest, TheFirstMainStaysWhereNobodyKnowsWhoUsesIt) {
  namespaces_.take_snapshot("before", "main");
  call(service_, "CreateTable", std::string(kTable));
  namespaces_.set_wait_for_threads([] { return false; });
  EXPECT_EQ(tables(*namespaces_.restore("main", "before")), R"({"TableNames":[]})");
  EXPECT_EQ(call(service_, "ListTables"), R"({"TableNames":["Tab"]})");
}

TEST_F(NamespacesTest, OnDiskMainIsRestoredFromItsOwnSnapshots) {
  using Kind = NamespaceError::Kind;
  const storage::TempDirectory directory;
  storage::DatabaseOptions options;
  options.data_directory = directory.file("data");
  const auto open = [&](storage::Clock& clock, const std::shared_ptr<ControlSettings>& settings) {
    return std::make_unique<Namespaces>(storage::Databases::open(options, clock), settings,
                                        NamespacesOptions{{}, options, {}});
  };
  auto spaces = open(clock_, settings_);
  call(spaces->main()->service(), "CreateTable", std::string(kTable));
  clock_.advance(std::chrono::hours(5));
  EXPECT_TRUE(spaces->take_snapshot("saved", "main")->is_saved);
  EXPECT_EQ(refusal(Kind::kTaken, [&] { spaces->take_snapshot("saved", "main"); }),
            messages::snapshot_taken("saved"));
  spaces->create({.name = "f", .origin = {NamespaceOrigin::Kind::kNamespace, "main"}});
  EXPECT_FALSE(spaces->take_snapshot("of-fork", "f")->is_saved);
  EXPECT_EQ(refusal(Kind::kInvalid, [&] { spaces->restore("main", "of-fork"); }),
            messages::kSnapshotInMemory);
  call(spaces->main()->service(), "DeleteTable", R"({"TableName":"Tab"})");
  spaces.reset();

  const auto settings = std::make_shared<ControlSettings>("main");
  spaces = open(settings->clock, settings);
  ASSERT_EQ(spaces->snapshots().list().size(), 1U);
  const NamedSnapshotPtr saved = spaces->snapshots().get("saved");
  EXPECT_EQ(saved->of, "main");
  EXPECT_EQ(saved->contents.clock_offset, std::chrono::hours(5));
  EXPECT_EQ(tables(*spaces->main()), R"({"TableNames":[]})");
  const auto fork =
      spaces->create({.name = "f", .origin = {NamespaceOrigin::Kind::kSnapshot, "saved"}});
  EXPECT_EQ(tables(*fork), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(std::chrono::round<milliseconds>(fork->clock().offset()), std::chrono::hours(5));
  EXPECT_EQ(tables(*spaces->restore("main", "saved")), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(std::chrono::round<milliseconds>(settings->clock.offset()), std::chrono::hours(0));
  spaces->remove_snapshot("saved");
  EXPECT_EQ(tables(*spaces->renew("f")), R"({"TableNames":["Tab"]})");
  EXPECT_EQ(refusal(Kind::kUnknown, [&] { spaces->restore("main", "saved"); }),
            messages::unknown_snapshot("saved"));
}

TEST_F(NamespacesTest, WhatNobodyUsesExpires) {
  constexpr milliseconds kLife{100};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  const auto create_mortal = [&](std::string name) {
    return namespaces_.create({.name = std::move(name), .origin = {}, .expires_after = kLife});
  };
  create("stays");
  create_mortal("goes");
  auto held = create_mortal("held");
  // find() would be a use.
  while (namespaces_.count() > 2 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  std::this_thread::sleep_for(3 * kLife);
  EXPECT_EQ(namespaces_.count(), 2U);
  EXPECT_EQ(namespaces_.find("goes"), nullptr);
  EXPECT_EQ(namespaces_.find("held"), held);
  held.reset();
  while (namespaces_.count() > 1 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(namespaces_.find("held"), nullptr);
  EXPECT_NE(namespaces_.find("stays"), nullptr);
}

TEST_F(NamespacesTest, ComeAndGoWhileTheyAreUsed) {
  std::atomic<bool> done = false;
  std::vector<std::thread> users;
  for (int i = 0; i < 3; ++i) {
    users.emplace_back([&] {
      while (!done) {
        for (const std::string name : {"a", "b", "main"}) {
          if (const auto space = namespaces_.find(name)) {
            EXPECT_NE(tables(*space).find("TableNames"), std::string::npos);
          }
        }
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    const auto a = create("a");
    create("b");
    call(a->service(), "CreateTable", std::string(kTable));
    namespaces_.renew("b");
    namespaces_.remove("a");
    namespaces_.remove("b");
  }
  done = true;
  for (std::thread& user : users) user.join();
  EXPECT_EQ(namespaces_.count(), 0U);
}

}  // namespace
}  // namespace magneto::api
