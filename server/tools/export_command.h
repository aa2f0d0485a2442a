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
  std::string out;  // a file, compressed when it ends in ".gz", or a folder; "-" is standard output
  bool force = false;
  bool consistent = false;
  std::size_t workers = 1;
};

// Writes all items of the table as `format` says, in no particular order, and tells of it. The
// file appears when it is whole. An item that the format cannot carry ends it. For CSV, whose
// columns are known at the end, the items lie in a file beside it until then, "<out>.items.part", or
// in a folder of its own among the temporary files for standard output. Throws std::runtime_error, a sentence.
void export_items(const ExportOptions& options, client::Endpoint& endpoint,
                  bulk::ProgressLine& progress);

}  // namespace magneto::server::tools
