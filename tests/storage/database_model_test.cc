// The database against a std::map under random operations, with restarts.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class DatabaseModelTest : public DatabaseTest {
 protected:
  int random(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  // Few keys and values, so that writes meet; index attributes may be absent or of another type.
  Item random_item() {
    std::vector<Field> fields{{"pk", "p" + std::to_string(random(5))}, {"sk", random(8)}};
    if (random(4) != 0) fields.push_back({"g", "g" + std::to_string(random(3))});
    if (random(10) == 0) fields.push_back({"g", random(3)});
    if (random(3) != 0) fields.push_back({"n", random(5)});
    if (random(2) != 0) fields.push_back({"v", "v" + std::to_string(random(3))});
    if (random(2) != 0)
      fields.push_back({"w", std::string(static_cast<std::size_t>(random(40)), 'w')});
    return make_item(fields);
  }

  IndexSchema random_global_index(const std::string& name) {
    switch (random(4)) {
      case 0:
        return index_schema(name, IndexKind::kGlobal, {string_key("g")}, {number_key("n")});
      case 1:
        return index_schema(name, IndexKind::kGlobal, {string_key("g")}, {},
                            ProjectionType::kKeysOnly);
      case 2:
        return index_schema(name, IndexKind::kGlobal, {number_key("n")}, {string_key("v")},
                            ProjectionType::kInclude, {"w"});
      default:
        return index_schema(name, IndexKind::kGlobal, {string_key("g"), number_key("n")},
                            {number_key("sk"), string_key("v")}, ProjectionType::kInclude, {"x"});
    }
  }

  void create() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("l1", IndexKind::kLocal, {string_key("pk")}, {number_key("n")}),
                      index_schema("l2", IndexKind::kLocal, {string_key("pk")}, {string_key("v")},
                                   ProjectionType::kKeysOnly),
                      random_global_index("g1"), random_global_index("g2")};
    table_ = database().create_table(std::move(schema));
    ASSERT_NE(table_, nullptr);
    model_.clear();
  }

  std::string key_of(const Item& item) const { return item_key(table_->schema, item); }

  void check_outcome(const WriteOutcome& outcome, const std::string& key) {
    const auto before = model_.find(key);
    EXPECT_EQ(static_cast<bool>(outcome.old_item), before != model_.end());
    if (before != model_.end()) {
      EXPECT_EQ(outcome.old_item.view().bytes(), before->second.bytes());
    }
  }

  void write_one() {
    const Item item = random_item();
    const std::string key = key_of(item);
    const int kind = random(10);
    const WriteOutcome outcome = database().write({table_, key, [&](const StoredItem&) {
                                                     if (kind == 0) return WriteDecision::reject();
                                                     if (kind < 4) return WriteDecision::remove();
                                                     return WriteDecision::put(item);
                                                   }});
    check_outcome(outcome, key);
    EXPECT_EQ(outcome.rejected, kind == 0);
    apply(kind, key, item);
  }

  void apply(int kind, const std::string& key, const Item& item) {
    if (kind == 0) return;
    if (kind < 4) {
      model_.erase(key);
    } else {
      model_.insert_or_assign(key, item);
    }
  }

  void write_several() {
    std::map<std::string, Item> items;
    for (int i = random(5); i >= 0; --i) {
      const Item item = random_item();
      items.insert_or_assign(key_of(item), item);
    }
    const int kind = random(10);
    std::vector<std::function<WriteDecision(const StoredItem&)>> decides;
    std::vector<ItemWrite> writes;
    decides.reserve(items.size());
    for (const auto& [key, item] : items) {
      decides.emplace_back([kind, &item](const StoredItem&) {
        if (kind == 0) return WriteDecision::reject();
        return kind < 4 ? WriteDecision::remove() : WriteDecision::put(item);
      });
      writes.push_back({table_, key, decides.back()});
    }
    const auto outcomes = database().write_all(writes);
    for (std::size_t i = 0; i < writes.size(); ++i) check_outcome(outcomes[i], writes[i].key);
    for (const auto& [key, item] : items) apply(kind, key, item);
  }

  void change_indexes() {
    const std::string name = "g" + std::to_string(next_index_++);
    const IndexSchema added = random_global_index(name);
    const bool adds = random(2) == 0;
    database().update_table("t", [&](TableSchema& schema) {
      if (adds && schema.indexes.size() < 6) {
        schema.indexes.push_back(added);
      } else if (schema.indexes.size() > 2) {
        schema.indexes.back().status = ResourceStatus::kDeleting;
      }
    });
    if (random(2) == 0) table_ = database().find_table("t");  // else go on with the old version
  }

  void check_contents() {
    const TablePtr table = database().find_table("t");
    Contents expected;
    for (const auto& [key, item] : model_) expected.emplace_back(key, describe_item(item));
    EXPECT_EQ(contents(database(), *table, nullptr), expected);
    expect_consistent(database(), "t");
  }

  void run(unsigned seed, int steps) {
    random_.seed(seed);
    create();
    for (int step = 0; step < steps && !HasFailure(); ++step) {
      const int action = random(1000);
      if (action < 5) {
        database().delete_table("t");
        create();
      } else if (action < 15) {
        change_indexes();
      } else if (action < 20 && is_durable()) {
        reopen();
        table_ = database().find_table("t");
        check_contents();
      } else if (action < 40) {
        check_contents();
      } else if (action < 200) {
        write_several();
      } else {
        write_one();
      }
    }
    check_contents();
  }

  std::mt19937 random_;
  TablePtr table_;
  std::map<std::string, Item> model_;  // by whole key
  int next_index_ = 3;
};
INSTANTIATE_TEST_SUITE_P(Engines, DatabaseModelTest, kEngineKinds, engine_kind_name);

TEST_P(DatabaseModelTest, AgreesUnderRandomOperations) {
  for (unsigned seed = 1; seed <= 4 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    run(seed, 1000);
    database().delete_table("t");
  }
}

TEST_P(DatabaseModelTest, AgreesWithLaggingIndexes) {
  options_.global_index_delay = std::chrono::milliseconds(1);
  run(5, 1000);
}

TEST_P(DatabaseModelTest, AgreesInOnePartition) {
  options_.partitions = 1;
  run(6, 1000);
}

}  // namespace
}  // namespace magneto::storage
