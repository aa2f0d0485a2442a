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

// What a table of an endpoint is, as far as a copy brings it over.
struct TableDescription {
  std::string name;
  std::string json;  // DescribeTable's answer
  std::string id;    // TableId; empty: the endpoint tells none
  std::string arn;
  std::string status;
  formats::KeyNames keys;
  std::int64_t items = 0;  // as the endpoint last counted
  std::int64_t bytes = 0;
  std::string stream_view;    // StreamViewType; empty: no stream
  std::string stream_arn;     // of that stream
  std::string tags;           // JSON of a list of tags; empty: none, or the endpoint knows none
  std::string time_to_live;   // the attribute; empty: off
  bool is_protected = false;  // DeletionProtectionEnabled
};

// nullopt: there is no such table. Throws std::runtime_error, a sentence.
std::optional<TableDescription> describe_table(client::EndpointCalls& calls,
                                               const std::string& name);

// Its TableId alone; empty where the endpoint tells none, nullopt where there is no such table.
// Throws std::runtime_error, a sentence.
std::optional<std::string> table_id(client::EndpointCalls& calls, const std::string& name);

// All names. Throws std::runtime_error, a sentence.
std::vector<std::string> list_table_names(client::EndpointCalls& calls);

// Whether it has an item. Throws std::runtime_error, a sentence.
bool has_items(client::EndpointCalls& calls, const std::string& name);

// The request of CreateTable for a table like that one, with its tags, without stream and deletion
// protection. `warn` is told what no CreateTable takes. Throws std::runtime_error, a sentence.
std::string create_request_of(const TableDescription& table,
                              const std::function<void(const std::string&)>& warn);

// A sentence for each setting that keys, indexes, billing or class have otherwise than the source's.
std::vector<std::string> structural_differences(const TableDescription& source,
                                                const TableDescription& target);

}  // namespace magneto::server::tools
