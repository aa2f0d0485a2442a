#include "server/bulk/operations.h"

#include <chrono>
#include <thread>
#include <utility>

#include "api/index_lists.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "server/bulk/messages.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;
using api::json::Writer;

constexpr std::chrono::milliseconds kPollTime{5};
constexpr std::string_view kActive = "ACTIVE";

}  // namespace

bool is_active(Value table) {
  if (table.object().find("TableStatus").string() != kActive) return false;
  for (const std::string_view list : api::kIndexLists) {
    for (const Value index : table.object().find(list).array()) {
      const Value status = index.object().find("IndexStatus");
      if (status && status.string() != kActive) return false;
    }
  }
  return true;
}

OperationFault::OperationFault(std::string_view operation, std::string_view why)
    : std::runtime_error(messages::kOperationFailed(operation, why)),
      operation_(operation),
      why_(why) {}

int Operations::call(std::string_view operation, std::string body) {
  output_.clear();
  const int status =
      service_.call(api::find_operation(operation), caller_, request_id_, body, output_);
  answer_ = document_.parse(output_).value_or(Value());
  if (status != 200 && status != 400) throw OperationFault(operation, message());
  return status;
}

std::string_view Operations::message() const {
  for (const std::string_view name : {"message", "Message", "__type"}) {
    const std::string_view text = answer_.object().find(name).string();
    if (!text.empty()) return text;
  }
  return {};
}

void Operations::need(std::string_view operation, std::string body) {
  if (call(operation, std::move(body)) != 200) throw OperationFault(operation, message());
}

bool Operations::has_table(const std::string& name) {
  return call("DescribeTable", table_request(name)) == 200;
}

void Operations::wait_until_active(const std::string& name) {
  while (true) {
    need("DescribeTable", table_request(name));
    if (is_active(answer_.object().find("Table"))) return;
    std::this_thread::sleep_for(kPollTime);
  }
}

void Operations::remove_table(const std::string& name) {
  if (begin_removal(name)) wait_until_gone(name);
}

bool Operations::begin_removal(const std::string& name) {
  if (!has_table(name)) return false;
  wait_until_active(name);
  if (answer_.object().find("Table").object().find("DeletionProtectionEnabled").boolean()) {
    need("UpdateTable", protection_request(name, false));
    wait_until_active(name);
  }
  need("DeleteTable", table_request(name));
  return true;
}

void Operations::wait_until_gone(const std::string& name) {
  while (has_table(name)) std::this_thread::sleep_for(kPollTime);
}

std::string table_request(const std::string& table_name) {
  std::string text;
  Writer writer(text);
  writer.begin_object();
  writer.text("TableName", table_name);
  writer.end_object();
  return text;
}

std::string protection_request(const std::string& table_name, bool on) {
  std::string text;
  Writer writer(text);
  writer.begin_object();
  writer.text("TableName", table_name);
  writer.key("DeletionProtectionEnabled");
  writer.boolean(on);
  writer.end_object();
  return text;
}

}  // namespace magneto::server::bulk
