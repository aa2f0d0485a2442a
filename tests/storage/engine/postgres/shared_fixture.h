#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/postgres/postgres_options.h"

namespace magneto::storage {

// A fixture with an empty schema of the shared server for engines that share it.
class SharedFixture : public testing::Test {
 protected:
  SharedFixture();

  PostgresOptions options();
  std::unique_ptr<Engine> open();
  // By a connection of its own.
  static void execute(const std::string& text);
  // The number that a statement returns, in which "@" stands for the schema. -1: there is none.
  std::int64_t number_of(std::string text) const;
  static void wait_until(const std::function<bool()>& is_so);
  static std::int64_t epoch_of(const Engine& engine);

  std::string schema_;
  std::atomic<int> losses_{0};
};

TreePtr items_of(Engine& engine);

// Repeats a read-decide-write until it is committed; returns the number of conflicts.
int write_in_scope(Engine& engine, const std::vector<std::string>& keys,
                   const std::function<void(WriteScope&, WriteBatch&)>& decide);

// Values that are numbers; no value is 0.
std::uint64_t number_in(const PinnedValue& value);
std::string bytes_of_number(std::uint64_t number);
int add_one(Engine& engine, const TreePtr& tree, const std::string& key);
std::uint64_t sum_of(const Reader& reader, const Tree& tree);

}  // namespace magneto::storage
