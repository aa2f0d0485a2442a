#pragma once

#include <libpq-fe.h>

#include <memory>

namespace magneto::storage {

// The functions of PostgreSQL's client library. The library is loaded when a store needs it, so
// that a server without such a store starts without it.
struct Libpq {
  // Loads the library at the first call, unless it is linked in. Throws EngineError with a sentence for the user when the
  // library is missing. Thread-safe.
  static const Libpq& load();

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name
#define FUNCTION(member, function) decltype(&(function)) member;
#include "storage/engine/postgres/libpq_functions.inc"
#undef FUNCTION
};

// The library that is linked in. Not there where it is loaded: the pointer is null then.
[[gnu::weak]] Libpq linked_libpq();

}  // namespace magneto::storage
