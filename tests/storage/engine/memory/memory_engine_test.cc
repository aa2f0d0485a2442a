#include "storage/engine/memory/memory_engine.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::storage {
namespace {

void put(Engine& engine, const TreePtr& tree, std::string key, std::string value) {
  WriteBatch batch;
  batch.put(tree, std::move(key), std::move(value));
  engine.commit(batch);
}

TEST(MemoryEngine, ReadValueOutlivesOverwriteDeleteAndTree) {
  const auto engine = make_memory_engine();
  TreePtr tree = engine->open_tree(ColumnFamily::kItems, "p");
  put(*engine, tree, "p1", "first");
  const PinnedValue first = engine->get(*tree, "p1");
  put(*engine, tree, "p1", "second");
  const PinnedValue second = engine->get(*tree, "p1");
  WriteBatch batch;
  batch.remove(tree, "p1");
  engine->commit(batch);
  EXPECT_FALSE(engine->get(*tree, "p1"));
  tree.reset();
  EXPECT_EQ(first.bytes(), "first");
  EXPECT_EQ(second.bytes(), "second");
}

TEST(MemoryEngine, ContentsGoWithTheLastHandle) {
  const auto engine = make_memory_engine();
  TreePtr tree = engine->open_tree(ColumnFamily::kItems, "p");
  put(*engine, tree, "p1", "v");
  const TreePtr other = engine->open_tree(ColumnFamily::kItems, "p");
  tree.reset();
  EXPECT_TRUE(engine->get(*other, "p1"));
  tree = engine->open_tree(ColumnFamily::kIndexes, "p");
  EXPECT_FALSE(engine->get(*tree, "p1"));
  put(*engine, tree, "p1", "v");
  tree.reset();
  EXPECT_FALSE(engine->get(*engine->open_tree(ColumnFamily::kIndexes, "p"), "p1"));
}

TEST(MemoryEngine, HandlesMayOutliveTheEngine) {
  auto engine = make_memory_engine();
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "p");
  put(*engine, tree, "p1", "v");
  const PinnedValue value = engine->get(*tree, "p1");
  engine.reset();
  EXPECT_EQ(value.bytes(), "v");
}

TEST(MemoryEngine, IsNotDurable) {
  const auto engine = make_memory_engine();
  EXPECT_FALSE(engine->is_durable());
  EXPECT_EQ(engine->local_disk(), nullptr);
}

}  // namespace
}  // namespace magneto::storage
