#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/formats/item_key.h"

namespace magneto::server::tools {

// The properties of an endpoint's table that a copy transfers.
struct TableDescription {
  std::string name;
  std::string json;  // DescribeTable's answer
  std::string id;    // TableId; empty if the endpoint has none
  std::string arn;
  std::string status;
  formats::KeyNames keys;
  std::int64_t items = 0;  // by the endpoint's last count
  std::int64_t bytes = 0;
  std::string stream_view;  // StreamViewType; empty: no stream
  std::string stream_arn;   // of that stream
  // JSON of a list of tags; empty: none, or not supported by the endpoint
  std::string tags;
  std::string time_to_live;   // the attribute; empty: off
  bool is_protected = false;  // DeletionProtectionEnabled
};

// nullopt if there is no such table. Throws std::runtime_error with a sentence.
std::optional<TableDescription> describe_table(client::EndpointCalls& calls,
                                               const std::string& name);

// Only the table's TableId: empty if the endpoint has none, nullopt if there is no such table.
// Throws std::runtime_error with a sentence.
std::optional<std::string> table_id(client::EndpointCalls& calls, const std::string& name);

// The names of all tables. Throws std::runtime_error with a sentence.
std::vector<std::string> list_table_names(client::EndpointCalls& calls);

// Whether the table has an item. Throws std::runtime_error with a sentence.
bool has_items(client::EndpointCalls& calls, const std::string& name);

// The request of CreateTable for a table like this one: with its tags, without stream and deletion
// protection. `warn` receives the settings that CreateTable does not accept. Throws
// std::runtime_error with a sentence.
std::string create_request_of(const TableDescription& table,
                              const std::function<void(const std::string&)>& warn);

// One sentence for each setting of keys, indexes, billing or class that differs from the source's.
std::vector<std::string> structural_differences(const TableDescription& source,
                                                const TableDescription& target);

}  // namespace magneto::server::tools
