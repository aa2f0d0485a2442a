#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/service.h"

namespace magneto::server::tools {

// Where the import says what it does, a sentence each, and what it left out.
struct ImportReport {
  std::function<void(std::string_view)> progress;
  std::function<void(std::string_view)> warning;
};

// Takes the tables and items over that DynamoDB Local keeps in `folder`, once for each of its
// files, through the operations of `service`: with `shared` those of shared-local-instance.db, for
// no particular caller; else those of each <access key>_<region>.db, for that caller. The files are
// left as they are. Notes about what is done, and copies for as long as they are needed, lie in
// `data_directory`, that of the service's store, which must be on disk.
//
// A file is read and checked whole before the first table is made. What stops half-way, by kill -9
// too, begins again with that file at the next call. Tables that are in the store already are left
// as they are, with a warning; so are items that the service refuses left out, and files of others
// that have such a name. Streams begin, and deletion protection is switched on, when the items are
// in.
//
// To be called before the service serves anybody, and with one that does not enforce throughput.
// Throws LocalFileError (dynamodb_local_file.h), a sentence for the user: what is in until then
// stays in the store until the next call.
void import_dynamodb_local(const std::string& folder, const std::string& data_directory,
                           bool shared, api::Service& service, const ImportReport& report);

}  // namespace magneto::server::tools
