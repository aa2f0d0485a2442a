#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "storage/engine/engine.h"

// The fixtures for tests that run with all engines.
namespace magneto::storage {

enum class EngineKind {
  kMemory,
  kRocksdb,  // as in servers, below the cache
  kCachedMemory,
  kBareRocksdb,  // without the cache
  kOverlay,      // in memory; every tree is over an empty tree of another engine
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

// The memory engine ignores the directory.
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
inline const auto kEngineKinds = testing::Values(EngineKind::kMemory, EngineKind::kRocksdb);
// All engines, for tests of the contract.
inline const auto kAllEngineKinds =
    testing::Values(EngineKind::kMemory, EngineKind::kRocksdb, EngineKind::kCachedMemory,
                    EngineKind::kBareRocksdb, EngineKind::kOverlay);
std::string engine_kind_name(const testing::TestParamInfo<EngineKind>& info);

}  // namespace magneto::storage
