#pragma once

#include <cstdint>
#include <string>

#include "api/json/json_reader.h"
#include "server/formats/item_key.h"
#include "server/tools/copy/request_batch.h"

namespace magneto::server::tools {

// Writes the result of a page of ordered stream records for each item: its last image, or a
// deletion if the item was removed. All writes are acknowledged when the function returns. Returns
// the sequence number of the last record; empty if there is none. Throws Stopped, and
// std::runtime_error with a sentence.
std::string write_changes(api::json::Array records, const std::string& table,
                          const formats::KeyNames& keys, RequestBatch& batch);

}  // namespace magneto::server::tools
