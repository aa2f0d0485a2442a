#include "storage/engine/postgres/libpq.h"

#include <dlfcn.h>

#include "storage/engine/engine.h"
#include "storage/messages/postgres_messages.h"

namespace magneto::storage {
namespace {

// The name that its first release had, and all since; Debian's package is called libpq5.
constexpr const char* kLibrary = "libpq.so.5";

template <typename Function>
void find(void* library, const char* name, Function& function) {
  void* const found = ::dlsym(library, name);
  if (found == nullptr) throw EngineError(messages::libpq_too_old(name));
  function = reinterpret_cast<Function>(found);
}

Libpq load_library() {
  // The library stays loaded until the process ends. Its OpenSSL is one of its own.
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw EngineError(messages::libpq_missing(::dlerror()));
  Libpq libpq{};
#define FUNCTION(member, function) find(library, #function, libpq.member);
#include "storage/engine/postgres/libpq_functions.inc"
#undef FUNCTION
  return libpq;
}

}  // namespace

const Libpq& Libpq::load() {
  static const Libpq libpq = linked_libpq != nullptr ? linked_libpq() : load_library();
  return libpq;
}

}  // namespace magneto::storage
