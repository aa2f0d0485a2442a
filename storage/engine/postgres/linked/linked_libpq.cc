#include "storage/engine/postgres/libpq.h"

namespace magneto::storage {

Libpq linked_libpq() {
  return {
#define FUNCTION(member, function) .member = &(function),
#include "storage/engine/postgres/libpq_functions.inc"
#undef FUNCTION
  };
}

}  // namespace magneto::storage
