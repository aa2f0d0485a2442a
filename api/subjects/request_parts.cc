#include "api/subjects/request_parts.h"

#include <utility>

#include "api/request/parameters.h"

namespace magneto::api {
namespace {

using Take = absl::FunctionRef<void(const RequestPart&)>;

constexpr std::pair<std::string_view, std::string_view> kActions[] = {
    {"Get", "GetItem"},
    {"Put", "PutItem"},
    {"Update", "UpdateItem"},
    {"Delete", "DeleteItem"},
    {"ConditionCheck", "ConditionCheckItem"}};

void take_whole(const Operation& operation, const Request& request, Take take) {
  const Parameters parameters(request.input);
  take({.action = operation.name,
        .table = parameters.string_or_empty("TableName"),
        .index = parameters.string_or_empty("IndexName"),
        .writes = operation.writes,
        .members = request.input,
        .item = parameters.value(operation.name == "PutItem" ? "Item" : "Key")});
}

void take_keys(const RequestPart& table, Take take) {
  RequestPart part = table;
  for (const json::Value key : Parameters(table.members).value("Keys").array()) {
    part.item = key;
    take(part);
  }
}

void take_writes(const RequestPart& table, Take take) {
  RequestPart part = table;
  for (const json::Value write : table.members.array()) {
    if (write.is_null()) continue;
    const Parameters kinds(write);
    part.item = Parameters(kinds.value("PutRequest")).value("Item");
    if (!part.item) part.item = Parameters(kinds.value("DeleteRequest")).value("Key");
    take(part);
  }
}

void take_table(const Operation& operation, json::Member table, Take take) {
  if (table.value.is_null()) return;
  RequestPart part{.action = operation.name,
                   .table = table.name,
                   .writes = operation.writes,
                   .members = table.value,
                   .begins_table = true};
  take(part);
  part.begins_table = false;
  (operation.writes ? take_writes : take_keys)(part, take);
}

void take_action(json::Value action, std::size_t member, Take take) {
  bool is_known = false;
  for (const auto& [kind, name] : kActions) {
    const json::Value given = Parameters(action).value(kind);
    if (!given) continue;
    is_known = true;
    const Parameters parameters(given);
    take({.action = name,
          .table = parameters.string_or_empty("TableName"),
          .writes = kind != "Get" && kind != "ConditionCheck",
          .members = given,
          .item = parameters.value(kind == "Put" ? "Item" : "Key"),
          .member = member});
  }
  if (!is_known) take({.member = member});
}

void take_statements(const Request& request, std::string_view list, Take take) {
  std::size_t member = 0;
  for (const json::Value statement : Parameters(request.input).value(list).array()) {
    take({.statement = statement, .member = member++});
  }
}

}  // namespace

void for_each_part(const Operation& operation, const Request& request, Take take) {
  const Parameters parameters(request.input);
  switch (operation.form) {
    case RequestForm::kResource:
      return;
    case RequestForm::kTableItems:
      return take_whole(operation, request, take);
    case RequestForm::kBatch:
      for (const json::Member table : parameters.value("RequestItems").object()) {
        take_table(operation, table, take);
      }
      return;
    case RequestForm::kTransaction: {
      std::size_t member = 0;
      for (const json::Value action : parameters.value("TransactItems").array()) {
        take_action(action, member++, take);
      }
      return;
    }
    case RequestForm::kOneStatement:
      return take({.statement = request.input});
    case RequestForm::kStatements:
      return take_statements(request, "Statements", take);
    case RequestForm::kTransactStatements:
      return take_statements(request, "TransactStatements", take);
  }
}

std::string_view target_table(const Operation& operation, const Request& request) {
  const Parameters parameters(request.input);
  const std::size_t dot = operation.target.find('.');
  if (dot == std::string_view::npos) return parameters.string_or_empty(operation.target);
  return Parameters(parameters.value(operation.target.substr(0, dot)))
      .string_or_empty(operation.target.substr(dot + 1));
}

}  // namespace magneto::api
