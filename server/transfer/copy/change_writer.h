#pragma once

#include <cstdint>
#include <string>

#include "api/json/json_reader.h"
#include "server/transfer/copy/request_batch.h"
#include "server/transfer/formats/item_key.h"

namespace magneto::server {

// Writes what a page of stream records, in their order, leaves of each item: its last image, or
// nothing where it was removed. All of it is acknowledged then. The sequence number of the last
// record; empty when there is none. Throws std::runtime_error, a sentence; Stopped.
std::string write_changes(api::json::Array records, const std::string& table, const KeyNames& keys,
                          RequestBatch& batch);

}  // namespace magneto::server
