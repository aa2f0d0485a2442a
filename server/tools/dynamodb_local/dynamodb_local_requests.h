#pragma once

#include <optional>
#include <string>

#include "api/json/json_reader.h"
#include "server/tools/dynamodb_local/dynamodb_local_file.h"

// The requests that make a table of DynamoDB Local's file again.
namespace magneto::server::tools {

// `info` is the table's TableInfo, parsed; of another form it gives requests that are refused.
std::string create_table_request(const LocalTable& table, api::json::Value info);
// nullopt: no time to live.
std::optional<std::string> time_to_live_request(const LocalTable& table, api::json::Value info);
// nullopt: no stream.
std::optional<std::string> stream_request(const LocalTable& table);

}  // namespace magneto::server::tools
