#include "storage/engine/rocksdb/rocksdb_startup.h"

namespace magneto::storage {

namespace {

using Constructor = void (*)();

// The linker names the ends of the section that the constructors were put into; without such a
// section, since they run before main(), both are null.
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
