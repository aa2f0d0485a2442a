#include "api/capacity/consumed_capacity.h"

#include <gtest/gtest.h>

namespace magneto::api {
namespace {

using storage::Index;
using storage::WriteOutcome;

Index index_named(std::string name, storage::IndexKind kind) {
  Index index;
  index.schema.name = std::move(name);
  index.schema.kind = kind;
  return index;
}

std::string rendered(const ConsumedCapacity& capacity, CapacityDetail detail) {
  std::string out;
  json::Writer writer(out);
  append_capacity(writer, "books", capacity, detail);
  return out;
}

TEST(ConsumedCapacity, ReadsCostAUnitForEachFourKilobytesBegun) {
  EXPECT_EQ(read_units(0, true), 1);
  EXPECT_EQ(read_units(4096, true), 1);
  EXPECT_EQ(read_units(4097, true), 2);
  EXPECT_EQ(read_units(4097, false), 1);
  EXPECT_EQ(read_units(0, false), 0.5);
}

TEST(ConsumedCapacity, WritesCostAUnitForEachKilobyteBegun) {
  EXPECT_EQ(write_units(0), 1);
  EXPECT_EQ(write_units(1024), 1);
  EXPECT_EQ(write_units(1025), 2);
}

TEST(ConsumedCapacity, AWriteCostsTheLargerOfOldAndNew) {
  WriteOutcome outcome;
  outcome.old_size = 3000;
  outcome.new_size = 10;
  ConsumedCapacity capacity;
  add_write(outcome, capacity);
  EXPECT_EQ(capacity.table, 3);
  EXPECT_TRUE(capacity.indexes.empty());
}

// Captured facts, "Index write capacity": changing an index key costs a delete and an insert.
TEST(ConsumedCapacity, AMovedIndexEntryCostsTwice) {
  const Index local = index_named("lsi", storage::IndexKind::kLocal);
  const Index global = index_named("gsi", storage::IndexKind::kGlobal);
  WriteOutcome outcome;
  outcome.old_size = outcome.new_size = 100;
  outcome.index_effects = {{&local, 100, 100, false}, {&global, 100, 100, true}};
  ConsumedCapacity capacity;
  add_write(outcome, capacity);
  EXPECT_EQ(capacity.total(), 4);
  EXPECT_EQ(rendered(capacity, CapacityDetail::kTotal),
            R"({"TableName":"books","CapacityUnits":4})");
  EXPECT_EQ(rendered(capacity, CapacityDetail::kIndexes),
            R"({"TableName":"books","CapacityUnits":4,"Table":{"CapacityUnits":1},)"
            R"("LocalSecondaryIndexes":{"lsi":{"CapacityUnits":1}},)"
            R"("GlobalSecondaryIndexes":{"gsi":{"CapacityUnits":2}}})");
}

TEST(ConsumedCapacity, LeavesOutIndexesThatCostNothing) {
  ConsumedCapacity capacity;
  capacity.table = 1;
  EXPECT_EQ(rendered(capacity, CapacityDetail::kIndexes),
            R"({"TableName":"books","CapacityUnits":1,"Table":{"CapacityUnits":1}})");
}

TEST(ConsumedCapacity, AddsUpWritesOfABatch) {
  const Index global = index_named("gsi", storage::IndexKind::kGlobal);
  WriteOutcome first;
  first.index_effects = {{&global, 0, 100, false}};
  const WriteOutcome second;
  ConsumedCapacity capacity;
  add_write(first, capacity);
  add_write(second, capacity);
  EXPECT_EQ(capacity.table, 2);
  EXPECT_EQ(capacity.total(), 3);
}

}  // namespace
}  // namespace magneto::api
