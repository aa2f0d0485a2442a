#include "tests/support/engines.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "storage/engine/cache/cached_engine.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"

namespace magneto::storage {

TempDirectory::TempDirectory()
    : path_((std::filesystem::temp_directory_path() / "magneto-test-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;  // a leftover in the temporary directory fails no test
  std::filesystem::remove_all(path_, ignored);
}

std::unique_ptr<Engine> open_engine(EngineKind kind, const TempDirectory& directory) {
  constexpr std::uint64_t kCacheBudget = 256 << 20;
  const bool is_memory = kind == EngineKind::kMemory || kind == EngineKind::kCachedMemory;
  std::unique_ptr<Engine> engine =
      is_memory ? make_memory_engine() : open_rocksdb_engine({.directory = directory.file("data")});
  const bool is_cached = kind == EngineKind::kCachedMemory || kind == EngineKind::kRocksdb;
  return is_cached ? make_cached_engine(std::move(engine), kCacheBudget) : std::move(engine);
}

void EngineTest::reopen() {
  engine_.reset();
  engine_ = open_engine(GetParam(), directory_);
}

std::string engine_kind_name(const testing::TestParamInfo<EngineKind>& info) {
  switch (info.param) {
    case EngineKind::kMemory:
      return "memory";
    case EngineKind::kRocksdb:
      return "rocksdb";
    case EngineKind::kCachedMemory:
      return "cached_memory";
    case EngineKind::kBareRocksdb:
      return "bare_rocksdb";
  }
  return {};
}

}  // namespace magneto::storage
