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
  std::vector<std::string> files;  // in order; "-" is standard input; of kAws folders
  std::string types;               // of CSV's columns, see csv.h
  std::string create_from;         // a description of the table to make; empty: it exists
  std::string errors_file;         // empty: none
  std::uint64_t max_errors = 0;
  std::size_t workers = 1;
};

// Puts all items of the files into the table, which must exist unless it is to be made, and tells of
// it. True when it came to its end. What is in the table of another key stays there; items that
// were put before something ended it stay too, and are simply put again by another import. Throws
// std::runtime_error, a sentence, for what keeps it from beginning.
bool import_items(const ImportOptions& options, client::Endpoint& endpoint,
                  bulk::ProgressLine& progress);

}  // namespace magneto::server::tools
