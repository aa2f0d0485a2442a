#include "storage/engine/memory/node_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace magneto::storage {
namespace {

TEST(NodePool, GivesAlignedNodesAndUsesFreedOnesAgain) {
  NodePool pool;
  std::vector<void*> nodes;
  for (int i = 0; i < 10'000; ++i) {
    const std::size_t size = i % 2 == 0 ? 2 * NodePool::kUnit : 3 * NodePool::kUnit - 100;
    void* node = pool.allocate(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(node) % 64, 0U);
    std::fill_n(static_cast<char*>(node), size, static_cast<char>(i));
    nodes.push_back(node);
  }
  std::vector<void*> distinct = nodes;
  std::sort(distinct.begin(), distinct.end());
  EXPECT_EQ(std::adjacent_find(distinct.begin(), distinct.end()), distinct.end());
  pool.free(nodes[0], 2 * NodePool::kUnit);
  pool.free(nodes[1], 3 * NodePool::kUnit);
  EXPECT_EQ(pool.allocate(2 * NodePool::kUnit), nodes[0]);
  EXPECT_EQ(pool.allocate(3 * NodePool::kUnit), nodes[1]);
}

}  // namespace
}  // namespace magneto::storage
