#include "tests/storage/database_fixture.h"

#include <chrono>
#include <set>
#include <thread>

#include "storage/model/charged_sizes.h"
#include "storage/model/item_size.h"
#include "storage/model/value_writer.h"

namespace magneto::storage {

TableSchema table_schema(std::string_view name) {
  TableSchema schema;
  schema.name = name;
  schema.region = "eu-west-1";
  schema.account = "000000000000";
  schema.key = {{string_key("pk")}, {number_key("sk")}};
  schema.billing = BillingMode::kPayPerRequest;
  return schema;
}

IndexSchema index_schema(std::string_view name, IndexKind kind, std::vector<KeyAttribute> partition,
                         std::vector<KeyAttribute> sort, ProjectionType projection,
                         std::vector<std::string> included) {
  IndexSchema schema;
  schema.name = name;
  schema.kind = kind;
  schema.key = {std::move(partition), std::move(sort)};
  schema.projection = {projection, std::move(included)};
  return schema;
}

Item make_item(const std::vector<Field>& fields) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const Field& field : fields) {
    writer.name(field.name);
    if (field.string) {
      writer.string(*field.string);
    } else {
      writer.number(field.number);
    }
  }
  writer.end_item();
  return Item(std::move(bytes));
}

std::string describe_item(ItemView item) {
  std::string text;
  for (const NamedAttribute& attribute : item) {
    if (!text.empty()) text += ' ';
    text.append(attribute.name).append("=");
    if (attribute.value.type() == AttributeType::kNumber) {
      text += attribute.value.number().to_string();
    } else {
      text += attribute.value.scalar_bytes();
    }
  }
  return text;
}

Contents contents(Database& database, const Table& table, const Index* index, Direction direction) {
  Contents found;
  ItemCursor cursor = database.scan(table, index, {}, direction);
  while (cursor.next()) {
    EXPECT_EQ(cursor.item_size(), item_size(cursor.item()));
    found.emplace_back(std::string(cursor.key()), describe_item(cursor.item()));
  }
  return found;
}

std::map<std::string, std::string> expected_index(Database& database, const Table& table,
                                                  const Index& index) {
  std::set<std::string, std::less<>> kept;
  for (const auto* part : {&table.schema.key.partition, &table.schema.key.sort,
                           &index.schema.key.partition, &index.schema.key.sort}) {
    for (const KeyAttribute& attribute : *part) kept.insert(attribute.name);
  }
  for (const std::string& name : index.schema.projection.non_key_attributes) kept.insert(name);
  const bool all = index.schema.projection.type == ProjectionType::kAll;

  std::map<std::string, std::string> entries;
  ItemCursor cursor = database.scan(table, nullptr, {}, Direction::kForward);
  while (cursor.next()) {
    const auto key = index_key(table.schema, index.schema, cursor.item());
    if (!key) continue;
    std::string text;
    ValueWriter writer(text);
    writer.begin_item();
    for (const NamedAttribute& attribute : cursor.item()) {
      if (!all && !kept.contains(attribute.name)) continue;
      writer.name(attribute.name);
      writer.value(attribute.value);
    }
    writer.end_item();
    entries.emplace(*key, describe_item(ItemView(text)));
  }
  return entries;
}

namespace {

void expect_statistics(const Statistics& statistics, Database& database, const Table& table,
                       const Index* index) {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  std::int64_t vector_bytes = 0;
  const ChargedSizes sizes(table.schema);
  ItemCursor cursor = database.scan(table, index, {}, Direction::kForward);
  while (cursor.next()) {
    ++items;
    bytes += static_cast<std::int64_t>(cursor.item_size());
    if (index == nullptr) vector_bytes += sizes.difference(cursor.item());
  }
  EXPECT_EQ(statistics.item_count, items);
  EXPECT_EQ(statistics.size_bytes, bytes);
  EXPECT_EQ(statistics.vector_bytes, vector_bytes);
}

}  // namespace

void expect_consistent(Database& database, std::string_view table_name) {
  database.settle();
  const TablePtr table = database.find_table(table_name);
  ASSERT_NE(table, nullptr);
  database.refresh_statistics(*table);
  expect_statistics(*table->statistics, database, *table, nullptr);
  for (const auto& index : table->indexes) {
    SCOPED_TRACE(index->schema.name);
    const auto expected = expected_index(database, *table, *index);
    EXPECT_EQ(contents(database, *table, index.get()), Contents(expected.begin(), expected.end()));
    EXPECT_EQ(contents(database, *table, index.get(), Direction::kBackward),
              Contents(expected.rbegin(), expected.rend()));
    expect_statistics(*index->statistics, database, *table, index.get());
  }
}

WriteOutcome put(Database& database, const TablePtr& table, const Item& item) {
  return database.write({table, item_key(table->schema, item),
                         [&](const StoredItem&) { return WriteDecision::put(item); }});
}

WriteOutcome remove(Database& database, const TablePtr& table, const Item& key) {
  return database.write({table, item_key(table->schema, key),
                         [](const StoredItem&) { return WriteDecision::remove(); }});
}

StoredItem get(Database& database, const TablePtr& table, const Item& key) {
  return database.get(*table, item_key(table->schema, key));
}

testing::AssertionResult DatabaseTest::eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return testing::AssertionSuccess();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return testing::AssertionFailure() << "did not happen within two minutes";
}

}  // namespace magneto::storage
