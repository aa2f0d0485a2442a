#pragma once

#include <string>

#include "server/client/endpoint/endpoint.h"
#include "server/formats/item_key.h"

namespace magneto::server::bulk {

// The key of an existing table, or of one that is made as `description_file` says: an answer of
// DescribeTable or a request of CreateTable, under the name `table` whatever name stands there.
// A table that exists is taken as it is, also with a description, and while it is UPDATING; a new
// one is waited for until it and its indexes are ACTIVE, ten minutes at most.
// Throws std::runtime_error, a sentence.
formats::KeyNames open_target_table(client::Endpoint& endpoint, const std::string& table,
                                    const std::string& description_file);

// The request of CreateTable that makes a table as described; empty when `description` is none.
std::string create_table_request_of(std::string description, const std::string& table);

}  // namespace magneto::server::bulk
