#include "server/admin/mcp/resources.h"

#include "api/json/json_writer.h"
#include "api/namespaces/namespaces.h"
#include "server/client/signing/authorization.h"
#include "server/client/signing/canonical_request.h"

namespace magneto::server::admin::mcp {
namespace {

using api::json::Value;
using api::json::Writer;

constexpr std::string_view kScheme = "magneto://";
constexpr std::string_view kTablesPart = "/tables/";
constexpr std::string_view kResourceType = "application/json";

std::string uri_of(std::string_view table) {
  std::string uri(kScheme);
  uri.append(api::Namespaces::kMainName).append(kTablesPart);
  client::append_escaped(table, uri);
  return uri;
}

void write_resource(std::string_view table, Writer& writer) {
  writer.begin_object();
  writer.text("uri", uri_of(table));
  writer.text("name", table);
  writer.text("mimeType", kResourceType);
  writer.end_object();
}

}  // namespace

std::optional<std::string> list_resources(const ToolCall& call, std::string_view cursor) {
  std::string body = "{";
  if (!cursor.empty()) {
    body += R"("ExclusiveStartTableName":)";
    api::json::append_string(body, cursor);
  }
  CallResult listed =
      call.operate(std::string(api::Namespaces::kMainName), "ListTables", body + "}");
  api::json::Document document;
  const auto page = document.parse(listed.body);
  if (!listed.succeeded() || !page) return std::nullopt;
  std::string result;
  Writer writer(result);
  writer.begin_object();
  writer.key("resources");
  writer.begin_array();
  for (const Value table : page->object().find("TableNames").array()) {
    write_resource(table.string(), writer);
  }
  writer.end_array();
  const std::string_view last = page->object().find("LastEvaluatedTableName").string();
  if (!last.empty()) writer.text("nextCursor", last);
  writer.end_object();
  return result;
}

std::string_view resource_templates() {
  return R"({"resourceTemplates":[{"uriTemplate":"magneto://{namespace}/tables/{table}","name":"table","description":"DescribeTable's answer about a table","mimeType":"application/json"}]})";
}

std::optional<std::string> read_resource(const ToolCall& call, std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  const std::string_view path = uri.substr(kScheme.size());
  const std::size_t end = path.find(kTablesPart);
  if (end == std::string_view::npos) return std::nullopt;
  std::string body = R"({"TableName":)";
  api::json::append_string(body, client::unescape(path.substr(end + kTablesPart.size())));
  const CallResult described =
      call.operate(client::unescape(path.substr(0, end)), "DescribeTable", body + "}");
  if (!described.succeeded()) return std::nullopt;
  std::string result;
  Writer writer(result);
  writer.begin_object();
  writer.key("contents");
  writer.begin_array();
  writer.begin_object();
  writer.text("uri", uri);
  writer.text("mimeType", kResourceType);
  writer.text("text", described.body);
  writer.end_object();
  writer.end_array();
  writer.end_object();
  return result;
}

}  // namespace magneto::server::admin::mcp
