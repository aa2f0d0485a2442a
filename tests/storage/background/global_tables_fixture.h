#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/global_table.h"
#include "tests/storage/database_fixture.h"

// A table "t" with replicas in other regions.
namespace magneto::storage {

inline constexpr const char* kEast = "us-east-1";
inline constexpr const char* kWest = "us-west-2";
inline constexpr const char* kEurope = "eu-west-1";

class GlobalTablesTest : public DatabaseTest {
 protected:
  Database& in(std::string_view region) {
    database();
    return databases().make(region);
  }
  TablePtr table_in(std::string_view region) { return in(region).find_table("t"); }

  void create(std::string_view region) {
    TableSchema schema = table_schema("t");
    schema.region = region;
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    schema.indexes = {
        index_schema("local", IndexKind::kLocal, {string_key("pk")}, {number_key("l")}),
        index_schema("global", IndexKind::kGlobal, {string_key("g")}, {})};
    ASSERT_NE(in(region).create_table(std::move(schema)), nullptr);
  }
  void ask_for_replica(std::string_view from, std::string_view region) {
    const std::uint32_t number = in(region).number();
    in(from).update_table("t", [&](TableSchema& schema) {
      add_replica(schema, {.region = std::string(region),
                           .database = number,
                           .queue_number = 0,
                           .status = ReplicaStatus::kCreating,
                           .settings = {}});
    });
  }
  void replicate(std::string_view from, std::string_view region) {
    ask_for_replica(from, region);
    database().settle();
    ASSERT_NE(table_in(region), nullptr);
    ASSERT_EQ(table_in(region)->schema.status, ResourceStatus::kActive);
  }
  void replicate_in_vain(std::string_view from, std::string_view region) {
    ask_for_replica(from, region);
    EXPECT_TRUE(eventually([&] {
      return table_in(from)->schema.global_table->find(region)->status ==
             ReplicaStatus::kCreationFailed;
    }));
    database().settle();
  }
  void create_three() {
    create(kEast);
    replicate(kEast, kWest);
    replicate(kEast, kEurope);
  }
  void remove_replica_of(std::string_view from, std::string_view region) {
    in(from).update_table("t", [&](TableSchema& schema) {
      set_replica_status(schema, region, ReplicaStatus::kDeleting);
    });
  }

  static Item item(int i, int value) {
    return make_item({{"pk", "p" + std::to_string(i)},
                      {"sk", i},
                      {"l", value},
                      {"g", "g" + std::to_string(value % 3)}});
  }
  static Item key(int i) { return make_item({{"pk", "p" + std::to_string(i)}, {"sk", i}}); }
  void write(std::string_view region, int i, int value) {
    put(in(region), table_in(region), item(i, value));
  }
  void erase(std::string_view region, int i) { remove(in(region), table_in(region), key(i)); }
  std::string read(std::string_view region, int i) {
    const StoredItem found = get(in(region), table_in(region), key(i));
    return found ? describe_item(found.view()) : "";
  }
  std::vector<std::string> all(std::string_view region) {
    std::vector<std::string> items;
    for (const auto& [where, text] : contents(in(region), *table_in(region), nullptr)) {
      items.push_back(text);
    }
    std::sort(items.begin(), items.end());
    return items;
  }
  // Returns the items, the same in each region, after all changes were sent.
  std::vector<std::string> settled(const std::vector<const char*>& regions) {
    database().settle();
    for (const char* region : regions) {
      EXPECT_EQ(all(region), all(regions.front())) << region;
      expect_consistent(in(region), "t");
    }
    return all(regions.front());
  }
};
}  // namespace magneto::storage
