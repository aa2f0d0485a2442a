#include "storage/engine/rocksdb/rocksdb_startup.h"

namespace magneto::storage {

namespace {

using Constructor = void (*)();

// The linker names the ends of the section that the constructors were put into.
extern "C" const Constructor kFirstConstructor __asm__("__start_rocksdb_constructors");
extern "C" const Constructor kEndOfConstructors __asm__("__stop_rocksdb_constructors");

}  // namespace

void initialize_rocksdb() {
  static const bool is_done = [] {
    for (const Constructor* run = &kFirstConstructor; run != &kEndOfConstructors; ++run) (*run)();
    return true;
  }();
  static_cast<void>(is_done);
}

}  // namespace magneto::storage
