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
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "tests/support/forwarding_engine.h"

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

// An overlay whose trees all lie over empty trees of another engine.
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

}  // namespace

std::unique_ptr<Engine> open_engine(EngineKind kind, const TempDirectory& directory) {
  constexpr std::uint64_t kCacheBudget = 256 << 20;
  if (kind == EngineKind::kOverlay) return OverlayOfNothing::make();
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
    case EngineKind::kOverlay:
      return "overlay";
  }
  return {};
}

}  // namespace magneto::storage
