#pragma once

#include <optional>
#include <string>

#include "api/json/json_reader.h"
#include "server/tools/dynamodb_local/dynamodb_local_file.h"

// The requests that create a table of a DynamoDB Local file in the service.
namespace magneto::server::tools {

// `info` is the table's parsed TableInfo. If it has another form, the service will refuse the
// request.
std::string create_table_request(const LocalTable& table, api::json::Value info);
// nullopt if the table has no time to live.
std::optional<std::string> time_to_live_request(const LocalTable& table, api::json::Value info);
// nullopt if the table has no stream.
std::optional<std::string> stream_request(const LocalTable& table);

}  // namespace magneto::server::tools
