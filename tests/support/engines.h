#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "storage/engine/engine.h"

// The fixtures for tests that run with all engines.
namespace magneto::storage {

enum class EngineKind {
  kMemory,
  kRocksdb,  // as in servers, below the cache
  kCachedMemory,
  kBareRocksdb,  // without the cache
  kOverlay,      // in memory; every tree is over an empty tree of another engine
  kPostgres,     // as in servers, below the cache
  kBarePostgres,
  kSharedPostgres,  // with a group of one server
};

// A new, empty directory. The destructor removes it with its content.
class TempDirectory {
 public:
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

// Engines in memory ignore the directory. Engines over PostgreSQL use the server that the tests
// share; the directory only gives their schema its name.
std::unique_ptr<Engine> open_engine(EngineKind kind, const TempDirectory& directory);

// A fixture with an empty engine of the kind under test. Use with
//   INSTANTIATE_TEST_SUITE_P(Engines, MyTest, kEngineKinds, engine_kind_name);
class EngineTest : public testing::TestWithParam<EngineKind> {
 protected:
  // Closes the engine and opens it again; a durable engine keeps its content. Destroy all handles
  // before.
  void reopen();

  TempDirectory directory_;
  std::unique_ptr<Engine> engine_ = open_engine(GetParam(), directory_);
};

// The engines that servers use.
std::vector<EngineKind> server_engine_kinds();
inline const auto kEngineKinds = testing::ValuesIn(server_engine_kinds());
// Those of them that keep their data on this machine.
inline const auto kLocalEngineKinds = testing::Values(EngineKind::kMemory, EngineKind::kRocksdb);
// All engines, for tests of the contract. Those over PostgreSQL are left out when it is not
// installed.
std::vector<EngineKind> all_engine_kinds();
inline const auto kAllEngineKinds = testing::ValuesIn(all_engine_kinds());
std::string engine_kind_name(const testing::TestParamInfo<EngineKind>& info);

}  // namespace magneto::storage
