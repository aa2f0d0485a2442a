#include "tests/support/engines.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

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
  if (kind == EngineKind::kMemory) return make_memory_engine();
  return open_rocksdb_engine({.directory = directory.file("data")});
}

void EngineTest::reopen() {
  engine_.reset();
  engine_ = open_engine(GetParam(), directory_);
}

std::string engine_kind_name(const testing::TestParamInfo<EngineKind>& info) {
  return info.param == EngineKind::kMemory ? "memory" : "rocksdb";
}

}  // namespace magneto::storage
