#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/service.h"
#include "storage/notes.h"

namespace magneto::server::tools {

// Receives messages about the import, one sentence each: its progress, and the things that it
// leaves out.
struct ImportReport {
  std::function<void(std::string_view)> progress;
  std::function<void(std::string_view)> warning;
};

// The parts of the store that the import uses besides tables.
struct ImportPlace {
  storage::Notes& notes;              // store the progress of the import
  const std::string& data_directory;  // for temporary copies
};

// Imports the tables and items that DynamoDB Local has in `folder`, each of its files once, through
// the operations of `service`. With `shared` it reads shared-local-instance.db, for no particular
// caller; otherwise each <access key>_<region>.db, for that caller. The files are not changed.
// `place` belongs to the store of the service. That store must be on disk.
//
// A file is read and checked completely before the first table is created. After an interruption,
// including kill -9, the next call starts again with that file. Tables that the store already has
// stay unchanged, with a warning. Warnings also report items that the service refuses and foreign
// files with such a name; both are skipped. Streams and deletion protection are enabled after all
// items are imported.
//
// Call this before the service answers requests, and with a service that does not enforce
// throughput. Throws LocalFileError (dynamodb_local_file.h) with a sentence for the user. The data
// imported before stays in the store until the next call.
void import_dynamodb_local(const std::string& folder, const ImportPlace& place, bool shared,
                           api::Service& service, const ImportReport& report);

}  // namespace magneto::server::tools
