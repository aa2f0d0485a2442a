#include "storage/transaction/transaction.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "storage/encoding/key_encoding.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using Kind = TransactionResult::Kind;

constexpr int kAccounts = 6;
constexpr std::int64_t kOpeningBalance = 100;

class TransactionTest : public DatabaseTest {
 protected:
  static Item account(int number, std::int64_t balance) {
    return make_item({{"pk", "account" + std::to_string(number)}, {"sk", 0}, {"balance", balance}});
  }
  static std::int64_t balance_of(const StoredItem& item) {
    return item.view().find("balance").number().to_integer().value();
  }
  std::string key_of(int number) { return item_key(table_->schema, account(number, 0)); }

  TransactionResult run(std::span<const ItemWrite> writes, std::string_view token = {},
                        std::uint64_t digest = 0) {
    if (token.empty()) return database().transact({writes});
    const auto receipt = [](std::span<const WriteOutcome> outcomes) {
      return "wrote " + std::to_string(outcomes.size());
    };
    const auto no_hash = [] { return std::uint64_t{0}; };
    const Digest content = digest_of(std::to_string(digest));
    const ClientToken client_token{token, {content, no_hash}, receipt};
    return database().transact({writes, &client_token});
  }

  // Moves money unless the giver has too little.
  TransactionResult transfer(int from, int to, std::int64_t amount) {
    const auto give = [&](const StoredItem& current) {
      const std::int64_t balance = balance_of(current);
      if (balance < amount) return WriteDecision::reject();
      return WriteDecision::put(account(from, balance - amount));
    };
    const auto take = [&](const StoredItem& current) {
      return WriteDecision::put(account(to, balance_of(current) + amount));
    };
    const std::vector<ItemWrite> writes{{table_, key_of(from), give}, {table_, key_of(to), take}};
    return run(writes);
  }

  std::int64_t total() {
    std::vector<std::string> keys;
    for (int i = 0; i < kAccounts; ++i) keys.push_back(key_of(i));
    std::vector<std::pair<const Table*, std::string_view>> item_keys;
    for (const std::string& key : keys) item_keys.emplace_back(table_.get(), key);
    std::int64_t sum = 0;
    for (const StoredItem& item : database().get_all(item_keys)) sum += balance_of(item);
    return sum;
  }

  void open_accounts() {
    table_ = database().create_table(table_schema("bank"));
    for (int i = 0; i < kAccounts; ++i) put(database(), table_, account(i, kOpeningBalance));
  }

  TablePtr table_;
};

TEST_P(TransactionTest, ReadersNeverSeeHalfATransfer) {
  open_accounts();
  std::atomic<int> committed = 0;
  std::atomic<int> half_seen = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < 4; ++seed) {
      threads.emplace_back([&, seed] {
        std::mt19937 random(seed);
        for (int i = 0; i < 300; ++i) {
          const int from = static_cast<int>(random() % kAccounts);
          const int to = (from + 1 + static_cast<int>(random() % (kAccounts - 1))) % kAccounts;
          if (transfer(from, to, static_cast<int>(random() % 60)).kind == Kind::kCommitted) {
            ++committed;
          }
        }
      });
    }
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) half_seen += total() == kAccounts * kOpeningBalance ? 0 : 1;
    });
  }
  EXPECT_EQ(half_seen, 0);
  EXPECT_GT(committed, 0);
  EXPECT_EQ(total(), kAccounts * kOpeningBalance);
}

TEST_P(TransactionTest, WhoeverMeetsATransactionIsTurnedAway) {
  open_accounts();
  bool write_refused = false;
  TransactionResult other;
  const auto meet_others = [&](const StoredItem&) {
    std::jthread([&] {
      try {
        put(database(), table_, account(1, 0));
      } catch (const TransactionConflict&) {
        write_refused = true;
      }
      other = transfer(0, 1, 1);
    }).join();
    return WriteDecision::put(account(1, 7));
  };
  const std::vector<ItemWrite> writes{{table_, key_of(1), meet_others}};
  EXPECT_EQ(run(writes).kind, Kind::kCommitted);
  EXPECT_TRUE(write_refused);
  EXPECT_EQ(other.kind, Kind::kCancelled);
  EXPECT_EQ(other.conflicts, (std::vector<bool>{false, true}));
  EXPECT_EQ(balance_of(get(database(), table_, account(1, 0))), 7);
  EXPECT_EQ(transfer(0, 1, 1).kind, Kind::kCommitted);
}

TEST_P(TransactionTest, ATokenIsHonouredOnceAndAfterARestart) {
  open_accounts();
  const auto deposit = [](const StoredItem& current) {
    return WriteDecision::put(account(0, balance_of(current) + 1));
  };
  const auto attempt = [&](std::uint64_t digest) {
    const std::vector<ItemWrite> writes{{table_, key_of(0), deposit}};
    return run(writes, "token", digest);
  };
  EXPECT_EQ(attempt(1).kind, Kind::kCommitted);
  EXPECT_EQ(attempt(1).kind, Kind::kRepeated);
  EXPECT_EQ(attempt(1).receipt, "wrote 1");
  EXPECT_EQ(attempt(2).kind, Kind::kMismatch);
  EXPECT_EQ(balance_of(get(database(), table_, account(0, 0))), kOpeningBalance + 1);
  if (is_durable()) {
    reopen();
    table_ = database().find_table("bank");
    EXPECT_EQ(attempt(1).kind, Kind::kRepeated);
    EXPECT_EQ(balance_of(get(database(), table_, account(0, 0))), kOpeningBalance + 1);
  }
  clock_.advance(kTokenLifetime + std::chrono::seconds(1));
  EXPECT_EQ(attempt(2).kind, Kind::kCommitted);
}

TEST_P(TransactionTest, ARefusedTransactionLeavesItsTokenUnused) {
  open_accounts();
  const auto reject = [](const StoredItem&) { return WriteDecision::reject(); };
  const auto fail = [](const StoredItem&) -> WriteDecision { throw std::runtime_error("no"); };
  const auto keep = [](const StoredItem&) { return WriteDecision::keep(); };
  const std::vector<ItemWrite> rejected{{table_, key_of(0), reject}};
  EXPECT_EQ(run(rejected, "token", 1).kind, Kind::kCancelled);
  const std::vector<ItemWrite> failing{{table_, key_of(0), fail}};
  EXPECT_THROW(run(failing, "token", 2), std::runtime_error);
  const std::vector<ItemWrite> kept{{table_, key_of(0), keep}};
  EXPECT_EQ(run(kept, "token", 3).kind, Kind::kCommitted);
}

INSTANTIATE_TEST_SUITE_P(Engines, TransactionTest, kEngineKinds, engine_kind_name);

}  // namespace
}  // namespace magneto::storage
