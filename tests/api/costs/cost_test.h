#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/control_error.h"
#include "tests/api/test_service.h"

namespace magneto::api {

// A service with a journal that is on, the table "tab" (pk, sk) and the table "other" (pk).
class CostTest : public testing::Test {
 protected:
  CostTest() {
    service_.create_table("tab", true);
    service_.create_table("other", false);
    service_.journal().change({.on = true});
  }

  std::string text(std::string request) {
    json::Document document;
    return service_.service().report_costs(document.parse(request)->object()).text;
  }
  // The sentence of a refusal; otherwise the report.
  std::string refusal(const std::string& request) {
    try {
      return text(request);
    } catch (const ControlError& error) {
      return error.sentence();
    }
  }
  // The member at a path such as "total/calls" or "patterns/0/name", as JSON.
  std::string at(std::string_view path, const std::string& request = "{}") {
    std::string report = text(request);
    json::Document document;
    json::Value value = *document.parse(report);
    while (!path.empty()) {
      const std::string_view part = path.substr(0, path.find('/'));
      path.remove_prefix(std::min(path.size(), part.size() + 1));
      value = value.is_array() ? element(value, part) : value.object().find(part);
    }
    std::string found;
    if (value) json::append_compact(value, found);
    return found;
  }
  // The names of the patterns, in their order.
  std::vector<std::string> names(const std::string& request = "{}") {
    std::string report = text(request);
    json::Document document;
    const json::Value parsed = *document.parse(report);
    std::vector<std::string> found;
    for (const json::Value pattern : parsed.object().find("patterns").array()) {
      found.emplace_back(pattern.object().find("name").string());
    }
    return found;
  }

  void put(std::string_view table, std::string_view pk, std::string_view sk) {
    service_.succeed("PutItem", std::string(R"({"TableName":")")
                                    .append(table)
                                    .append(R"(","Item":{"pk":{"S":")")
                                    .append(pk)
                                    .append(R"("},"sk":{"S":")")
                                    .append(sk)
                                    .append(R"("}}})"));
  }
  void get(std::string_view pk, std::string_view more = "") {
    service_.succeed("GetItem", std::string(R"({"TableName":"tab","Key":{"pk":{"S":")")
                                    .append(pk)
                                    .append(R"("},"sk":{"S":"1"}})")
                                    .append(more)
                                    .append("}"));
  }
  void query(std::string_view condition, std::string_view values, std::string_view more = "") {
    service_.succeed("Query", std::string(R"({"TableName":"tab","KeyConditionExpression":")")
                                  .append(condition)
                                  .append(R"(","ExpressionAttributeValues":{)")
                                  .append(values)
                                  .append("}")
                                  .append(more)
                                  .append("}"));
  }

  TestService service_;

 private:
  static json::Value element(json::Value array, std::string_view place) {
    std::size_t left = std::stoul(std::string(place));
    for (const json::Value value : array.array()) {
      if (left-- == 0) return value;
    }
    return {};
  }
};

}  // namespace magneto::api
