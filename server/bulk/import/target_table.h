#pragma once

#include <string>

#include "server/client/endpoint/endpoint.h"
#include "server/formats/item_key.h"

namespace magneto::server::bulk {

// Returns the key of the target table, and creates the table if it does not exist.
// `description_file` contains an answer of DescribeTable or a request of CreateTable; the table
// gets the name `table`, even if the file has another. An existing table is used as it is, even if
// a description is given and even while the table is UPDATING. The function waits until a new table
// and its indexes are ACTIVE, for at most ten minutes. Throws std::runtime_error with a sentence.
formats::KeyNames open_target_table(client::Endpoint& endpoint, const std::string& table,
                                    const std::string& description_file);

// The request of CreateTable for a table as described; empty if `description` is not a description.
std::string create_table_request_of(std::string description, const std::string& table);

}  // namespace magneto::server::bulk
