#include "storage/engine/rocksdb/rocksdb_startup.h"

namespace magneto::storage {

namespace {

using Constructor = void (*)();

// The linker defines symbols for both ends of the section that holds the constructors. Both are
// null if there is no such section, because the constructors run before main() then.
extern "C"
    [[gnu::weak]] const Constructor kFirstConstructor __asm__("__start_rocksdb_constructors");
extern "C"
    [[gnu::weak]] const Constructor kEndOfConstructors __asm__("__stop_rocksdb_constructors");

}  // namespace

void initialize_rocksdb() {
  static const bool is_done = [] {
    for (const Constructor* run = &kFirstConstructor; run != &kEndOfConstructors; ++run) (*run)();
    return true;
  }();
  static_cast<void>(is_done);
}

}  // namespace magneto::storage
