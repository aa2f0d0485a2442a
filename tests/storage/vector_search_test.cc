// Vector indexes of a database: a search finds the same items as a comparison with all items, after
// any writes, over restarts, in forks, and during writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "storage/model/value_writer.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kDimensions = 5;
using Vector = std::vector<float>;

struct Row {
  std::string tenant;  // empty: none
  std::string color;
  Vector vector;  // empty: none
};
using Rows = std::map<int, Row>;

class VectorSearchTest : public DatabaseTest {
 protected:
  static TableSchema schema(DistanceFunction function = DistanceFunction::kEuclidean) {
    TableSchema schema = table_schema("t");
    schema.billing = BillingMode::kPayPerRequest;
    IndexSchema plain = index_schema("plain", IndexKind::kVector, {}, {});
    plain.vector = {"e", kDimensions, function, {}};
    IndexSchema parted = index_schema("parted", IndexKind::kVector, {string_key("tenant")}, {},
                                      ProjectionType::kKeysOnly);
    parted.vector = {
        "e", kDimensions, function, {{string_key("tenant"), true}, {string_key("color"), false}}};
    schema.indexes = {plain, parted};
    return schema;
  }
  static Item item(int number, const Row& row) {
    std::string bytes;
    ValueWriter writer(bytes);
    writer.begin_item();
    writer.name("pk");
    writer.string("p" + std::to_string(number % 3));
    writer.name("sk");
    writer.number(Number::from_integer(number));
    for (const auto& [name, text] : {std::pair{"tenant", row.tenant}, {"color", row.color}}) {
      if (text.empty()) continue;
      writer.name(name);
      writer.string(text);
    }
    if (!row.vector.empty()) {
      writer.name("e");
      writer.begin_list();
      for (const float element : row.vector) {
        NumberError error{};
        writer.number(*Number::parse(std::to_string(element), error));
      }
      writer.end_list();
    }
    writer.end_item();
    return Item(std::move(bytes));
  }
  static Vector random_vector(std::mt19937& random) {
    Vector vector;
    for (std::uint32_t i = 0; i < kDimensions; ++i) {
      vector.push_back(static_cast<float>(static_cast<int>(random() % 41) - 20) / 4);
    }
    return vector;
  }
  static Row random_row(std::mt19937& random) {
    const std::string tenants[] = {"", "a", "b", std::string("b\0c", 3)};
    const std::string colors[] = {"", "red", "blue"};
    return {tenants[random() % 4], colors[random() % 3],
            random() % 5 == 0 ? Vector() : random_vector(random)};
  }
  static std::vector<VectorResult> search(Database& database, std::string_view index,
                                          const VectorSearch& search) {
    Effort effort;
    const TablePtr table = database.find_table("t");
    return database.search_vectors(*table, *table->find_index(index), search, effort);
  }
  // The numbers of the items found, of equal scores in any order, and their scores.
  static std::vector<std::pair<float, int>> found(const std::vector<VectorResult>& results) {
    std::vector<std::pair<float, int>> found;
    for (const VectorResult& result : results) {
      found.emplace_back(result.score,
                         static_cast<int>(*result.item.view().find("sk").number().to_integer()));
    }
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, [](const auto& one) { return one.first; }));
    return found;
  }
  static float distance(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    return static_cast<float>(std::sqrt(sum));
  }
  static void expect_scores(Database& database, std::string_view index, const VectorSearch& wanted,
                            const std::function<bool(const Row&)>& is_in, const Rows& rows) {
    std::vector<float> expected;
    std::map<int, float> distances;
    const Vector query(wanted.query.begin(), wanted.query.end());
    for (const auto& [number, row] : rows) {
      if (row.vector.empty() || !is_in(row)) continue;
      distances[number] = distance(query, row.vector);
      expected.push_back(distances[number]);
    }
    std::ranges::sort(expected);
    if (expected.size() > wanted.count) expected.resize(wanted.count);
    const auto results = found(search(database, index, wanted));
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].first, expected[i]);
      EXPECT_EQ(distances.at(results[i].second), results[i].first);
    }
  }
  static void expect_searches_right(Database& database, const Rows& rows, std::mt19937& random) {
    for (int i = 0; i < 5; ++i) {
      const Vector query = random_vector(random);
      VectorSearch wanted{
          .query = query, .count = 1 + random() % 20, .partition = {}, .filters = {}};
      expect_scores(
          database, "plain", wanted, [](const Row&) { return true; }, rows);
      const std::string tenant = i % 2 == 0 ? "b" : std::string("b\0c", 3);
      const AttributeValue value = AttributeValue::string(tenant);
      wanted.partition = {value};
      expect_scores(
          database, "parted", wanted, [&](const Row& row) { return row.tenant == tenant; }, rows);
      const AttributeValue red = AttributeValue::string("red");
      wanted.filters = {{"color", red}};
      expect_scores(
          database, "parted", wanted,
          [&](const Row& row) { return row.tenant == tenant && row.color == "red"; }, rows);
    }
  }
  void write(Database& database, Rows& rows, std::mt19937& random, int writes) {
    const TablePtr table = database.find_table("t");
    for (int i = 0; i < writes; ++i) {
      const int number = static_cast<int>(random() % 60);
      if (random() % 4 == 0) {
        remove(database, table, item(number, {}));
        rows.erase(number);
      } else {
        rows[number] = random_row(random);
        put(database, table, item(number, rows[number]));
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, VectorSearchTest, kEngineKinds, engine_kind_name);

TEST_P(VectorSearchTest, FindsWhatALookAtAllItemsFinds) {
  std::mt19937 random(7);
  Rows rows;
  database().create_table(schema());
  for (int round = 0; round < 20; ++round) {
    write(database(), rows, random, 30);
    expect_searches_right(database(), rows, random);
  }
}

TEST_P(VectorSearchTest, KnowsItsVectorsAfterARestart) {
  if (!is_durable()) return;  // there is nothing then
  std::mt19937 random(8);
  Rows rows;
  database().create_table(schema());
  for (int round = 0; round < 4; ++round) {
    write(database(), rows, random, 50);
    reopen();
    if (round % 2 == 0) write(database(), rows, random, 10);  // before they are loaded
    expect_searches_right(database(), rows, random);
    write(database(), rows, random, 10);
    expect_searches_right(database(), rows, random);
  }
}

TEST_P(VectorSearchTest, AForkAndItsParentGoTheirOwnWays) {
  std::mt19937 random(9);
  Rows rows;
  database().create_table(schema());
  write(database(), rows, random, 80);
  const auto forked = Databases::fork(databases().snapshot(), options_, clock_);
  Rows own = rows;
  write(forked->main(), own, random, 20);
  write(database(), rows, random, 20);
  expect_searches_right(forked->main(), own, random);
  expect_searches_right(database(), rows, random);
  write(forked->main(), own, random, 20);
  const auto second = Databases::fork(forked->snapshot(), options_, clock_);
  expect_searches_right(second->main(), own, random);
}

TEST_P(VectorSearchTest, AnIndexThatIsAddedHasWhatWasThere) {
  std::mt19937 random(10);
  Rows rows;
  TableSchema bare = schema();
  bare.indexes.clear();
  database().create_table(bare);
  write(database(), rows, random, 100);
  // Items that no write can leave in a table with the index.
  const TablePtr table = database().find_table("t");
  put(database(), table, make_item({{"pk", "x"}, {"sk", 1}, {"e", "no vector"}}));
  put(database(), table, item(1'000, {"a", "red", {1, 2, 3}}));
  for (const IndexSchema& index : schema().indexes) {
    database().update_table("t", [&](TableSchema& changed) {
      changed.indexes.push_back(index);
      changed.indexes.back().status = ResourceStatus::kCreating;
    });
    write(database(), rows, random, 30);
    database().settle();
  }
  expect_searches_right(database(), rows, random);
}

TEST_P(VectorSearchTest, ALaggingIndexFollowsLater) {
  options_.global_index_delay = std::chrono::minutes(1);
  clock_.freeze();
  std::mt19937 random(11);
  Rows rows;
  database().create_table(schema());
  write(database(), rows, random, 50);
  const Vector query = random_vector(random);
  const VectorSearch wanted{.query = query, .count = 100, .partition = {}, .filters = {}};
  EXPECT_TRUE(search(database(), "plain", wanted).empty());
  clock_.advance(std::chrono::minutes(2));
  std::size_t vectors = 0;
  for (const auto& [number, row] : rows) vectors += row.vector.empty() ? 0 : 1;
  EXPECT_TRUE(eventually([&] { return search(database(), "plain", wanted).size() == vectors; }));
  database().settle();  // each other index follows by itself
  expect_searches_right(database(), rows, random);
}

TEST_P(VectorSearchTest, GivesVectorsWhereTheyAreWanted) {
  database().create_table(schema());
  const Vector vector{1, 2, 3, 4, 5.25};
  put(database(), database().find_table("t"), item(1, {"a", "red", vector}));
  VectorSearch wanted{.query = vector, .count = 1, .partition = {}, .filters = {}};
  EXPECT_TRUE(search(database(), "plain", wanted).at(0).vector.empty());
  wanted.wants_vectors = true;
  EXPECT_EQ(search(database(), "plain", wanted).at(0).vector, vector);
  EXPECT_FALSE(search(database(), "plain", wanted).at(0).item.view().find("e"));
}

TEST_P(VectorSearchTest, SearchesGoOnWhileOthersWrite) {
  database().create_table(schema());
  const TablePtr table = database().find_table("t");
  const Vector still{100, 100, 100, 100, 100};
  for (int i = 0; i < 20; ++i) put(database(), table, item(10'000 + i, {"still", "red", still}));
  std::atomic<bool> end{false};
  std::vector<std::jthread> writers;
  for (unsigned seed = 0; seed < 2; ++seed) {
    writers.emplace_back([&, seed] {
      std::mt19937 random(seed);
      Rows rows;
      while (!end) write(database(), rows, random, 10);
    });
  }
  // Every search finds the items that do not change, and no item twice.
  for (int i = 0; i < 200; ++i) {
    const VectorSearch wanted{.query = still, .count = 20, .partition = {}, .filters = {}};
    const auto results = found(search(database(), "plain", wanted));
    ASSERT_EQ(results.size(), 20U);
    std::set<int> numbers;
    for (const auto& [score, number] : results) {
      EXPECT_EQ(score, 0);
      EXPECT_GE(number, 10'000);
      EXPECT_TRUE(numbers.insert(number).second);
    }
  }
  end = true;
}

TEST_P(VectorSearchTest, LeavesTheThreadWhereItTakesLong) {
  database().create_table(schema());
  const TablePtr table = database().find_table("t");
  std::mt19937 random(12);
  for (int i = 0; i < 300; ++i)
    put(database(), table, item(i, {"a", "red", random_vector(random)}));
  database().settle();
  const Vector query = random_vector(random);
  const VectorSearch wanted{.query = query, .count = 5, .partition = {}, .filters = {}};
  Effort little(300);
  EXPECT_THROW(database().search_vectors(*table, *table->find_index("plain"), wanted, little),
               NeedsWorker);
  Effort much(100'000);
  EXPECT_EQ(database().search_vectors(*table, *table->find_index("plain"), wanted, much).size(),
            5U);
}

}  // namespace
}  // namespace magneto::storage
