#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"
#include "server/tools/schema/schema_file.h"

namespace magneto::server::tools::schema {

struct SchemaOptions {
  std::vector<std::string> files;                 // files and folders, as the user named them
  std::map<std::string, std::string> parameters;  // --schema-parameter
  std::string data_directory;                     // empty: all is in memory
  bool by_region = false;  // the tables are the caller's region's alone, in both services
};

// Who is told what, in a sentence.
struct SchemaReport {
  ReportWarning warning;
  std::function<void(std::string_view what)> progress;
};

// The tables of the files, in their order.
struct SchemaTables {
  std::vector<std::string> names;
  std::size_t made = 0;  // the others were there
};

// Makes the tables that files describe (schema_file.h), for one caller, and puts their items into
// them. A table that is there already is left as it is, with its items, when it is what the file
// says; else nothing is changed and SchemaError thrown, which tells each difference.
//
// All is done in `rehearsal` first, a service over an empty store in memory: what AWS refuses, and
// an item that does not fit its table, end in a SchemaError with file and line before anything is
// changed in `service`. Where that fails all the same, a full disk for one, the tables that were
// made in this call are deleted again. What cannot be deleted, or was made when the process was
// ended, is noted in the data directory (begun_tables.h): the next start deletes it, before this
// function is called. When it returns all tables and indexes are ACTIVE.
//
// To be called before the service serves anybody, and with one that does not enforce throughput.
SchemaTables create_schema_tables(const SchemaOptions& options, const api::Caller& caller,
                                  api::Service& rehearsal, api::Service& service,
                                  const SchemaReport& report);

}  // namespace magneto::server::tools::schema
