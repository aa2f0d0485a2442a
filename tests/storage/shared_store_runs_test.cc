// Many runs of several servers over one store. A seed decides which server goes on at each step. The
// environment variable MAGNETO_SEEDS sets the number of runs, MAGNETO_SEED the first seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "storage/databases.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/seeded_scheduler.h"
#include "tests/storage/shared_store.h"
#include "tests/storage/stream/stream_replay.h"

namespace magneto::storage {
namespace {

// Each client sends its requests to two servers of its own: a server's threads wait for each other, and
// a seed could not repeat that.
constexpr std::size_t kClients = 3;
constexpr std::size_t kServersOfAClient = 2;
constexpr std::size_t kServersOfAll = kClients * kServersOfAClient;
constexpr int kItemsOfARun = 3;
constexpr int kSteps = 5;  // of each client
constexpr std::uint32_t kRunsOfAStore = 200;

std::uint32_t from_environment(const char* name, std::uint32_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

// The view that one operation had of each item: how many operations had been added to it, or -1 if it did not
// look at it; and whether the operation added itself.
struct Seen {
  std::array<int, kItemsOfARun> length{-1, -1, -1};
  std::array<bool, kItemsOfARun> added{};
};

// The operations of one run. They must have an order in which each sees what the ones before it have
// added, and which keeps the order of each client.
class Order {
 public:
  int begin(std::size_t client) {
    const int id = static_cast<int>(operations_.size());
    operations_.emplace_back();
    of_client_[client].push_back(id);
    return id;
  }
  void record(int id, const Seen& seen) { operations_[static_cast<std::size_t>(id)] = seen; }

  // `final`: the operations that each item has in the end.
  testing::AssertionResult is_serial(
      const std::array<std::vector<int>, kItemsOfARun>& final) const {
    std::vector<std::set<int>> after(operations_.size());
    for (const auto& [client, ids] : of_client_) {
      for (std::size_t i = 1; i < ids.size(); ++i) add(after, ids[i - 1], ids[i]);
    }
    for (std::size_t item = 0; item < kItemsOfARun; ++item) {
      const std::vector<int>& list = final[item];
      for (std::size_t i = 1; i < list.size(); ++i) add(after, list[i - 1], list[i]);
      for (std::size_t id = 0; id < operations_.size(); ++id) {
        const int length = operations_[id].length[item];
        const int own = static_cast<int>(id);
        if (length < 0) continue;
        if (static_cast<std::size_t>(length) > list.size()) {
          return testing::AssertionFailure() << "operation " << id << " saw what is lost";
        }
        if (operations_[id].added[item]) {
          const auto at = std::ranges::find(list, own);
          if (at == list.end() || at - list.begin() != length ||
              std::ranges::count(list, own) != 1) {
            return testing::AssertionFailure() << "operation " << id << " is lost or repeated";
          }
          continue;
        }
        const auto place = static_cast<std::size_t>(length);
        if (place > 0) add(after, list[place - 1], own);
        if (place < list.size()) add(after, own, list[place]);
      }
    }
    return has_circle(after) ? testing::AssertionFailure() << "there is no serial order"
                             : testing::AssertionSuccess();
  }

 private:
  static void add(std::vector<std::set<int>>& after, int first, int second) {
    if (first != second) after[static_cast<std::size_t>(first)].insert(second);
  }
  static bool has_circle(const std::vector<std::set<int>>& after) {
    std::vector<int> state(after.size());  // 1: being visited, 2: done
    const std::function<bool(std::size_t)> visit = [&](std::size_t at) {
      if (state[at] != 0) return state[at] == 1;
      state[at] = 1;
      for (const int next : after[at]) {
        if (visit(static_cast<std::size_t>(next))) return true;
      }
      state[at] = 2;
      return false;
    };
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (visit(i)) return true;
    }
    return false;
  }

  std::vector<Seen> operations_;
  std::map<std::size_t, std::vector<int>> of_client_;
};

std::vector<int> list_of(const StoredItem& item) {
  std::vector<int> list;
  if (!item) return list;
  int number = 0;
  for (const char c : std::string(item.view().find("ops").scalar_bytes())) {
    if (c == ',') {
      list.push_back(std::exchange(number, 0));
    } else {
      number = number * 10 + (c - '0');
    }
  }
  return list;
}

class SharedStoreRuns : public testing::Test {
 protected:
  using Fault = SharedStore::Fault;

  void open(Fault fault) {
    servers_.clear();
    store_ = std::make_unique<SharedStore>(fault);
    store_->at_each_step([this](SharedStore::Step step) {
      if (scheduler_ != nullptr) scheduler_->step(step);
    });
    for (std::size_t i = 0; i < kServersOfAll; ++i) {
      servers_.push_back(Databases::open({}, clock_, store_->open()));
    }
    TableSchema schema = table_schema("t");
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    schema.indexes = {index_schema("l", IndexKind::kLocal, {string_key("pk")}, {string_key("ops")}),
                      index_schema("g", IndexKind::kGlobal, {string_key("ops")}, {})};
    database(0).create_table(std::move(schema));
    replay_ = {};
  }
  Database& database(std::size_t server) { return servers_[server]->main(); }

  Item key(int item) const { return make_item({{"pk", partition_}, {"sk", item}}); }
  Item with(const StoredItem& before, int item, int id) const {
    std::string ops;
    for (const int one : list_of(before)) ops += std::to_string(one) + ',';
    return make_item({{"pk", partition_}, {"sk", item}, {"ops", ops + std::to_string(id) + ','}});
  }

  // Tries again while a transaction on the same server holds an item, as an SDK does.
  void write(std::size_t server, const std::string& item, Decide decide) {
    for (;;) {
      try {
        database(server).write(
            {.table = database(server).find_table("t"), .key = item, .decide = decide});
        return;
      } catch (const TransactionConflict&) {
        scheduler_->step(SharedStore::Step::kAccess);
      }
    }
  }
  TransactionResult carry_out(std::size_t server, const TransactionRequest& request) {
    for (;;) {
      TransactionResult result = database(server).transact(request);
      if (result.kind != TransactionResult::Kind::kCancelled) return result;
      scheduler_->step(SharedStore::Step::kAccess);
    }
  }

  // ---- the operations of a client; each records what it saw -------------------------------------

  void append(std::size_t server, Order& order, int item) {
    const int id = order.begin(server / kServersOfAClient);
    const TablePtr table = database(server).find_table("t");
    Seen seen;
    write(server, item_key(table->schema, key(item)), [&](const StoredItem& before) {
      note(seen, item, before, true);
      return WriteDecision::put(with(before, item, id));
    });
    order.record(id, seen);
  }

  // Adds itself to one item, and checks another one. Sometimes sends the request again, to
  // either server.
  void transact(std::size_t server, Order& order, int item, int checked,
                std::optional<std::size_t> again) {
    const int id = order.begin(server / kServersOfAClient);
    Seen seen;
    const auto add = [&](const StoredItem& before) {
      note(seen, item, before, true);
      return WriteDecision::put(with(before, item, id));
    };
    const auto check = [&](const StoredItem& before) {
      note(seen, checked, before, false);
      return WriteDecision::keep();
    };
    const TablePtr table = database(server).find_table("t");
    const std::vector<ItemWrite> writes = {
        {.table = table, .key = item_key(table->schema, key(item)), .decide = add},
        {.table = table, .key = item_key(table->schema, key(checked)), .decide = check}};
    const std::string name = partition_ + "/" + std::to_string(id);
    const auto hash = [] { return std::uint64_t{0}; };
    const auto receipt = [](std::span<const WriteOutcome>) { return std::string("done"); };
    const ClientToken token{name, {digest_of(name), hash}, receipt};
    const TransactionRequest request{.writes = writes, .token = &token};
    const TransactionResult result = carry_out(server, request);
    EXPECT_EQ(result.kind, TransactionResult::Kind::kCommitted);
    order.record(id, seen);
    if (!again) return;
    const TransactionResult repeated = carry_out(*again, request);
    EXPECT_EQ(repeated.kind, TransactionResult::Kind::kRepeated);
    EXPECT_EQ(repeated.receipt, "done");
  }

  void read_all(std::size_t server, Order& order) {
    const int id = order.begin(server / kServersOfAClient);
    const TablePtr table = database(server).find_table("t");
    std::vector<std::string> keys;
    for (int item = 0; item < kItemsOfARun; ++item)
      keys.push_back(item_key(table->schema, key(item)));
    std::vector<std::pair<const Table*, std::string_view>> reads;
    for (const std::string& one : keys) reads.emplace_back(table.get(), one);
    const std::vector<StoredItem> found = database(server).get_all(reads);
    Seen seen;
    for (int item = 0; item < kItemsOfARun; ++item) {
      note(seen, item, found[static_cast<std::size_t>(item)], false);
    }
    order.record(id, seen);
  }

  // An item that comes and goes, with its entries.
  void flip(std::size_t server) {
    const TablePtr table = database(server).find_table("t");
    const Item item = make_item({{"pk", partition_}, {"sk", 99}, {"ops", "flip"}});
    write(server, item_key(table->schema, item), [&](const StoredItem& before) {
      return before ? WriteDecision::remove() : WriteDecision::put(item);
    });
  }

  static void note(Seen& seen, int item, const StoredItem& before, bool adds) {
    seen.length[static_cast<std::size_t>(item)] = static_cast<int>(list_of(before).size());
    seen.added[static_cast<std::size_t>(item)] = adds;
  }

  void act(std::size_t client, Order& order, std::mt19937& random) {
    const auto any = [&] { return client * kServersOfAClient + random() % kServersOfAClient; };
    const std::size_t server = any();
    const int item = static_cast<int>(random() % kItemsOfARun);
    switch (random() % 5) {
      case 0:
        return append(server, order, item);
      case 1:
        return flip(server);
      case 2:
        return read_all(server, order);
      default: {
        const int other =
            (item + 1 + static_cast<int>(random() % (kItemsOfARun - 1))) % kItemsOfARun;
        return transact(server, order, item, other,
                        random() % 2 == 0 ? std::nullopt : std::optional(any()));
      }
    }
  }

  // Runs the servers with this seed, and checks what they leave.
  testing::AssertionResult run(std::uint32_t seed) {
    partition_ = "p" + std::to_string(seed);
    Order order;
    SeededScheduler scheduler(seed);
    scheduler_ = &scheduler;
    std::vector<std::function<void()>> clients;
    for (std::size_t client = 0; client < kClients; ++client) {
      clients.emplace_back([&, client] {
        std::mt19937 random(seed * 31 + static_cast<std::uint32_t>(client));
        for (int i = 0; i < kSteps; ++i) act(client, order, random);
      });
    }
    scheduler.run(clients);
    scheduler_ = nullptr;
    std::array<std::vector<int>, kItemsOfARun> final;
    const TablePtr table = database(0).find_table("t");
    for (int item = 0; item < kItemsOfARun; ++item) {
      final[static_cast<std::size_t>(item)] = list_of(get(database(1), table, key(item)));
    }
    return order.is_serial(final);
  }

  // Entries, statistics and the stream agree with the items.
  void check_store() {
    for (std::size_t server = 0; server < kServersOfAll; ++server) {
      expect_consistent(database(server), "t");
    }
    while (replay_.read(*database(2).find_table("t")->stream)) continue;
    std::map<std::string, std::string> items;
    const TablePtr table = database(1).find_table("t");
    ItemCursor cursor = database(1).scan(*table, nullptr, {}, Direction::kForward);
    while (cursor.next()) {
      const Item one = make_item({{"pk", std::string(cursor.item().find("pk").scalar_bytes())},
                                  {"sk", *cursor.item().find("sk").number().to_integer()}});
      items.emplace(describe_item(one), describe_item(cursor.item()));
    }
    EXPECT_EQ(replay_.items(), items);
  }

  Clock clock_;
  SeededScheduler* scheduler_ = nullptr;
  std::unique_ptr<SharedStore> store_;
  std::vector<std::unique_ptr<Databases>> servers_;
  std::string partition_;
  StreamReplay replay_;
};

TEST_F(SharedStoreRuns, OperationsOfAllServersHaveASerialOrder) {
  const std::uint32_t first = from_environment("MAGNETO_SEED", 1);
  const std::uint32_t runs = from_environment("MAGNETO_SEEDS", 600);
  for (std::uint32_t seed = first; seed < first + runs && !HasFailure(); ++seed) {
    SCOPED_TRACE("MAGNETO_SEEDS=1 MAGNETO_SEED=" + std::to_string(seed));
    if ((seed - first) % kRunsOfAStore == 0) open(Fault::kNone);
    EXPECT_TRUE(run(seed));
    if ((seed - first) % kRunsOfAStore == kRunsOfAStore - 1 || seed + 1 == first + runs) {
      check_store();
    }
  }
  EXPECT_GT(store_->conflicts(), 0);
}

// Runs notice a store that compares no versions.
TEST_F(SharedStoreRuns, FindNoSerialOrderIfConflictsAreOverlooked) {
  open(Fault::kOverlooksConflicts);
  int failures = 0;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) failures += run(seed) ? 0 : 1;
  EXPECT_GT(failures, 0);
}

}  // namespace
}  // namespace magneto::storage
