#pragma once

#include <libpq-fe.h>

#include <memory>

namespace magneto::storage {

// The functions of PostgreSQL's client library. The library is loaded when a store needs it, so
// that a server without such a store starts without it.
struct Libpq {
  // Loads the library at the first call. Throws EngineError with a sentence for the user when the
  // library is missing. Thread-safe.
  static const Libpq& load();

  decltype(&PQconninfoParse) conninfo_parse;
  decltype(&PQconninfoFree) conninfo_free;
  decltype(&PQfreemem) free_memory;
  decltype(&PQconnectdbParams) connect;
  decltype(&PQfinish) finish;
  decltype(&PQsetNoticeProcessor) set_notice_processor;
  decltype(&PQstatus) status;
  decltype(&PQerrorMessage) error_message;
  decltype(&PQexec) execute;
  decltype(&PQprepare) prepare;
  decltype(&PQexecPrepared) execute_prepared;
  decltype(&PQsendQueryPrepared) send_prepared;
  decltype(&PQenterPipelineMode) enter_pipeline;
  decltype(&PQexitPipelineMode) exit_pipeline;
  decltype(&PQpipelineSync) sync_pipeline;
  decltype(&PQgetResult) get_result;
  decltype(&PQresultStatus) result_status;
  decltype(&PQresultErrorField) error_field;
  decltype(&PQresultErrorMessage) result_error;
  decltype(&PQntuples) rows;
  decltype(&PQgetvalue) value;
  decltype(&PQgetlength) length;
  decltype(&PQgetisnull) is_null;
  decltype(&PQclear) clear;
};

}  // namespace magneto::storage
