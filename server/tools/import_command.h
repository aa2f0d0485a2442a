#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/bulk/progress_line.h"
#include "server/client/endpoint/endpoint.h"
#include "server/formats/format.h"

namespace magneto::server::tools {

struct ImportOptions {
  std::string table;
  formats::Format format = formats::Format::kTypedJson;
  std::vector<std::string> files;  // in order; "-" is standard input; folders for kAws
  std::string types;               // of CSV's columns, see csv.h
  std::string create_from;         // a description of the table to create; empty: it exists
  std::string errors_file;         // empty: none
  std::uint64_t max_errors = 0;
  std::size_t workers = 1;
};

// Puts all items of the files into the table and reports the progress. The table must exist, unless
// it must be created. Returns true if the import was completed. Items with other keys stay in the
// table. Items that were put before an error stay too; another import simply puts them again.
// Throws std::runtime_error with a sentence if the import cannot start.
bool import_items(const ImportOptions& options, client::Endpoint& endpoint,
                  bulk::ProgressLine& progress);

}  // namespace magneto::server::tools
