#include "tests/support/engines.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "storage/engine/cache/cached_engine.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/engine/overlay/overlay_engine.h"
#include "storage/engine/postgres/postgres_engine.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "tests/support/forwarding_engine.h"
#include "tests/support/postgres_server.h"

namespace magneto::storage {

TempDirectory::TempDirectory()
    : path_((std::filesystem::temp_directory_path() / "magneto-test-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;  // ignored: remains in the temporary directory fail no test
  std::filesystem::remove_all(path_, ignored);
}

namespace {

// An overlay whose trees are all over empty trees of another engine.
class OverlayOfNothing final : public ForwardingEngine {
 public:
  static std::unique_ptr<Engine> make() {
    std::shared_ptr<Engine> below = make_memory_engine();
    auto overlay = std::make_unique<OverlayEngine>(
        OverlayBase{.engine = below, .snapshot = below->snapshot()});
    OverlayEngine& engine = *overlay;
    return std::make_unique<OverlayOfNothing>(std::move(below), engine, std::move(overlay));
  }
  OverlayOfNothing(std::shared_ptr<Engine> below, OverlayEngine& overlay,
                   std::unique_ptr<Engine> owned)
      : ForwardingEngine(std::move(owned)), below_(std::move(below)), overlay_(overlay) {}

  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    const TreePtr below =
        below_->open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
    const std::lock_guard lock(mutex_);
    TreePtr& tree = trees_[below];
    if (tree == nullptr) tree = overlay_.overlay_of(below);
    return tree;
  }

 private:
  const std::shared_ptr<Engine> below_;
  OverlayEngine& overlay_;
  std::mutex mutex_;  // guards trees_
  std::map<TreePtr, TreePtr> trees_;
};

std::unique_ptr<Engine> open_bare_engine(EngineKind kind, const TempDirectory& directory) {
  switch (kind) {
    case EngineKind::kMemory:
    case EngineKind::kCachedMemory:
      return make_memory_engine();
    case EngineKind::kRocksdb:
    case EngineKind::kBareRocksdb:
      return open_rocksdb_engine({.directory = directory.file("data")});
    case EngineKind::kOverlay:
      return OverlayOfNothing::make();
    case EngineKind::kPostgres:
    case EngineKind::kBarePostgres:
      return open_postgres_engine(postgres_options(directory));
    case EngineKind::kSharedPostgres: {
      PostgresOptions options = postgres_options(directory);
      options.shared = true;
      return open_postgres_engine(options);
    }
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Engine> open_engine(EngineKind kind, const TempDirectory& directory) {
  constexpr std::uint64_t kCacheBudget = 256 << 20;
  std::unique_ptr<Engine> engine = open_bare_engine(kind, directory);
  const bool is_cached = kind == EngineKind::kCachedMemory || kind == EngineKind::kRocksdb ||
                         kind == EngineKind::kPostgres;
  return is_cached ? make_cached_engine(std::move(engine), kCacheBudget) : std::move(engine);
}

std::vector<EngineKind> server_engine_kinds() {
  std::vector<EngineKind> kinds = {EngineKind::kMemory, EngineKind::kRocksdb};
  if (PostgresServer::is_installed()) kinds.push_back(EngineKind::kPostgres);
  return kinds;
}

std::vector<EngineKind> all_engine_kinds() {
  std::vector<EngineKind> kinds = {EngineKind::kMemory, EngineKind::kRocksdb,
                                   EngineKind::kCachedMemory, EngineKind::kBareRocksdb,
                                   EngineKind::kOverlay};
  if (PostgresServer::is_installed()) {
    kinds.insert(kinds.end(),
                 {EngineKind::kPostgres, EngineKind::kBarePostgres, EngineKind::kSharedPostgres});
  }
  return kinds;
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
    case EngineKind::kOverlay:
      return "overlay";
    case EngineKind::kPostgres:
      return "postgres";
    case EngineKind::kBarePostgres:
      return "bare_postgres";
    case EngineKind::kSharedPostgres:
      return "shared_postgres";
  }
  return {};
}

}  // namespace magneto::storage
