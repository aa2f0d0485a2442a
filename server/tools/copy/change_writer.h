#pragma once

#include <cstdint>
#include <string>

#include "api/json/json_reader.h"
#include "server/formats/item_key.h"
#include "server/tools/copy/request_batch.h"

namespace magneto::server::tools {

// Writes what a page of stream records, in their order, leaves of each item: its last image, or
// nothing where it was removed. All of it is acknowledged then. The sequence number of the last
// record; empty when there is none. Throws std::runtime_error, a sentence; Stopped.
std::string write_changes(api::json::Array records, const std::string& table,
                          const formats::KeyNames& keys, RequestBatch& batch);

}  // namespace magneto::server::tools
