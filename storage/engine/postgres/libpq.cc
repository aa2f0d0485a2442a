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
  find(library, "PQconninfoParse", libpq.conninfo_parse);
  find(library, "PQconninfoFree", libpq.conninfo_free);
  find(library, "PQfreemem", libpq.free_memory);
  find(library, "PQconnectdbParams", libpq.connect);
  find(library, "PQfinish", libpq.finish);
  find(library, "PQsetNoticeProcessor", libpq.set_notice_processor);
  find(library, "PQstatus", libpq.status);
  find(library, "PQerrorMessage", libpq.error_message);
  find(library, "PQexec", libpq.execute);
  find(library, "PQprepare", libpq.prepare);
  find(library, "PQexecPrepared", libpq.execute_prepared);
  find(library, "PQsendQueryPrepared", libpq.send_prepared);
  find(library, "PQenterPipelineMode", libpq.enter_pipeline);
  find(library, "PQexitPipelineMode", libpq.exit_pipeline);
  find(library, "PQpipelineSync", libpq.sync_pipeline);
  find(library, "PQgetResult", libpq.get_result);
  find(library, "PQresultStatus", libpq.result_status);
  find(library, "PQresultErrorField", libpq.error_field);
  find(library, "PQresultErrorMessage", libpq.result_error);
  find(library, "PQntuples", libpq.rows);
  find(library, "PQgetvalue", libpq.value);
  find(library, "PQgetlength", libpq.length);
  find(library, "PQgetisnull", libpq.is_null);
  find(library, "PQclear", libpq.clear);
  return libpq;
}

}  // namespace

const Libpq& Libpq::load() {
  static const Libpq libpq = load_library();
  return libpq;
}

}  // namespace magneto::storage
