#include "server/admin/namespace_json.h"

#include <cstdint>

#include "api/times.h"
#include "storage/database_statistics.h"

namespace magneto::server::admin {
namespace {

void write_origin(const api::NamespaceOrigin& origin, api::json::Writer& answer) {
  using Kind = api::NamespaceOrigin::Kind;
  if (origin.kind == Kind::kEmpty) return answer.null();
  answer.begin_object();
  answer.text(origin.kind == Kind::kNamespace ? "namespace" : "snapshot", origin.name);
  answer.end_object();
}

}  // namespace

void write_namespace(api::Namespace& space, ControlCall& call) {
  const api::NamespaceDescription& about = space.about();
  const storage::StoreStatistics store = space.service().statistics(0).store;
  api::json::Writer& answer = call.answer;
  answer.begin_object();
  answer.text("name", about.name);
  answer.key("from");
  write_origin(about.origin, answer);
  answer.text("created", api::time_text(about.created));
  answer.text("access_key", about.name);
  answer.key("endpoint");
  const std::string url = call.server.url_of(about);
  url.empty() ? answer.null() : answer.string(url);
  if (about.expires_after) answer.text("expires_after", api::duration_text(*about.expires_after));
  answer.integer("tables", static_cast<std::int64_t>(store.table_count));
  answer.integer("memory_bytes", static_cast<std::int64_t>(store.engine.node_bytes));
  answer.end_object();
}

}  // namespace magneto::server::admin
