#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"
#include "server/tools/schema/schema_file.h"
#include "storage/notes.h"

namespace magneto::server::tools::schema {

// A schema that a client sent.
struct SchemaText {
  std::string file;  // the name for messages
  std::string text;
};

struct SchemaOptions {
  std::vector<std::string> files;                 // files and folders, as given by the user
  std::map<std::string, std::string> parameters;  // --schema-parameter
  // Of the store that gets the tables. nullptr: tables of a killed process stay unfinished.
  std::shared_ptr<storage::Notes> notes;
  bool by_region = false;  // in both services, only the caller's region has the tables
  // Read instead of the files, without variables of the environment.
  std::optional<SchemaText> text = std::nullopt;
  bool dry_run = false;  // create nothing; SchemaTables::made counts the tables that are missing
};

// Receives the messages, one sentence each.
struct SchemaReport {
  ReportWarning warning;
  std::function<void(std::string_view what)> progress;
};

// The tables of the files, in the files' order.
struct SchemaTables {
  std::vector<std::string> names;
  std::size_t made = 0;  // tables that did not exist before
};

// Creates the tables that files describe (schema_file.h), for one caller, and puts their items into
// them. An existing table that matches its file stays unchanged, with its items. If one does not
// match, nothing is changed, and SchemaError lists each difference.
//
// The function does everything first in `rehearsal`, a service over an empty store in memory. So
// errors that AWS would report, and items that do not fit their table, end in a SchemaError with
// file and line before `service` is changed. If `service` fails anyway, for example because of a
// full disk, the tables that this call has created are deleted again. Tables that cannot be
// deleted, or that exist when the process ends, are noted in the store (incomplete_tables.h).
// The next start deletes them before it calls this function. When it returns, all tables and
// indexes are ACTIVE.
//
// Files are read before the service answers requests, with a service that does not enforce
// throughput. While it answers requests, other clients may see tables before they have their items.
SchemaTables create_schema_tables(const SchemaOptions& options, const api::Caller& caller,
                                  api::Service& rehearsal, api::Service& service,
                                  const SchemaReport& report);

}  // namespace magneto::server::tools::schema
