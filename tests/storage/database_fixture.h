#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/databases.h"
#include "tests/support/engines.h"
#include "tests/support/faulty_engine.h"

// The common parts of tests of the database on both engines.
namespace magneto::storage {

// A table with a string partition key "pk" and a number sort key "sk".
TableSchema table_schema(std::string_view name);
IndexSchema index_schema(std::string_view name, IndexKind kind, std::vector<KeyAttribute> partition,
                         std::vector<KeyAttribute> sort,
                         ProjectionType projection = ProjectionType::kAll,
                         std::vector<std::string> included = {});
inline KeyAttribute string_key(std::string name) {
  return {std::move(name), AttributeType::kString};
}
inline KeyAttribute number_key(std::string name) {
  return {std::move(name), AttributeType::kNumber};
}

// Strings and numbers of an item; {"pk", "a"}, {"sk", 1}.
struct Field {
  Field(std::string_view field_name, std::string_view text) : name(field_name), string(text) {}
  Field(std::string_view field_name, const char* text) : name(field_name), string(text) {}
  Field(std::string_view field_name, const Number& value) : name(field_name), number(value) {}
  Field(std::string_view field_name, std::int64_t integer)
      : Field(field_name, Number::from_integer(integer)) {}
  Field(std::string_view field_name, int integer) : Field(field_name, std::int64_t{integer}) {}

  std::string name;
  std::optional<std::string> string;
  Number number;
};
Item make_item(const std::vector<Field>& fields);
std::string describe_item(ItemView item);  // "pk=a sk=1", ascending by name

// The contents of a table or index, in the order of a scan: whole engine key and item.
using Contents = std::vector<std::pair<std::string, std::string>>;
Contents contents(Database& database, const Table& table, const Index* index,
                  Direction direction = Direction::kForward);

// The expected contents of an index: its definition applied to the items of the table.
std::map<std::string, std::string> expected_index(Database& database, const Table& table,
                                                  const Index& index);
// Compares every index and all statistics of a table with its items.
void expect_consistent(Database& database, std::string_view table_name);

WriteOutcome put(Database& database, const TablePtr& table, const Item& item);
WriteOutcome remove(Database& database, const TablePtr& table, const Item& key);
StoredItem get(Database& database, const TablePtr& table, const Item& key);

// A main database, and the store it is of, which is closed with it.
struct CloseStore {
  std::unique_ptr<Databases> databases;
  void operator()(Database* /*main*/) { databases.reset(); }
};
using MainDatabase = std::unique_ptr<Database, CloseStore>;
inline MainDatabase main_of(std::unique_ptr<Databases> databases) {
  Database& main = databases->main();
  return {&main, CloseStore{std::move(databases)}};
}

// A database of the engine kind under test, in its own directory.
class DatabaseTest : public testing::TestWithParam<EngineKind> {
 protected:
  bool is_durable() const { return GetParam() == EngineKind::kRocksdb; }
  void open() {
    options_.data_directory = is_durable() ? directory_.file("data") : "";
    database_ = main_of(Databases::open(options_, clock_));
  }
  void open_with(std::shared_ptr<FaultyEngine::Faults> faults) {
    database_ = main_of(Databases::open(
        options_, clock_,
        std::make_unique<FaultyEngine>(open_engine(GetParam(), directory_), std::move(faults))));
  }
  void reopen() {
    database_.reset();
    open();
  }
  Database& database() {
    if (database_ == nullptr) open();
    return *database_;
  }
  Databases& databases() {
    database();
    return *database_.get_deleter().databases;
  }
  // Waits for a condition that background work will bring about.
  static testing::AssertionResult eventually(const std::function<bool()>& condition);

  TempDirectory directory_;
  Clock clock_;
  DatabaseOptions options_;
  MainDatabase database_;
};

}  // namespace magneto::storage
