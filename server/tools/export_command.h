#pragma once

#include <cstddef>
#include <string>

#include "server/bulk/progress_line.h"
#include "server/client/endpoint/endpoint.h"
#include "server/formats/format.h"

namespace magneto::server::tools {

struct ExportOptions {
  std::string table;
  formats::Format format = formats::Format::kTypedJson;
  std::string out;  // a file, compressed if it ends in ".gz", or a folder; "-" is stdout
  bool force = false;
  bool consistent = false;
  std::size_t workers = 1;
};

// Writes all items of the table in `format`, in no particular order, and reports the progress. The
// file appears when it is complete. An item that the format cannot hold ends the export. For CSV,
// the columns are known only at the end. Until then the items are in a second file,
// "<out>.items.part", or for standard output in a temporary folder. Throws std::runtime_error with
// a sentence.
void export_items(const ExportOptions& options, client::Endpoint& endpoint,
                  bulk::ProgressLine& progress);

}  // namespace magneto::server::tools
