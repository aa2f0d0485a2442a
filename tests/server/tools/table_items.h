#pragma once

#include <set>
#include <string>

#include "api/json/json_reader.h"
#include "tests/api/test_service.h"

namespace magneto::server::tools {

// Canonical items, by Scan.
inline std::multiset<std::string> scan_items(api::TestService& service, const std::string& table) {
  std::multiset<std::string> found;
  std::string start;
  do {
    std::string body = service.succeed("Scan", R"({"TableName":")" + table + "\"" + start + "}");
    api::json::Document document;
    const api::json::Value page = *document.parse(body);
    for (const auto item : page.object().find("Items").array()) {
      std::string text;
      append_compact(item, text);
      found.insert(text);
    }
    start.clear();
    if (const auto last = page.object().find("LastEvaluatedKey")) {
      start = ",\"ExclusiveStartKey\":";
      append_compact(last, start);
    }
  } while (!start.empty());
  return found;
}

}  // namespace magneto::server::tools
