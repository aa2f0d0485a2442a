#include "storage/engine/local_disk.h"

namespace magneto::storage {

void clear_and_reclaim(Engine& engine, std::span<const TreePtr> trees) {
  for (const TreePtr& tree : trees) engine.clear(*tree);
  LocalDisk* const disk = engine.local_disk();
  if (disk == nullptr) return;
  for (const TreePtr& tree : trees) disk->reclaim(*tree);
}

}  // namespace magneto::storage
