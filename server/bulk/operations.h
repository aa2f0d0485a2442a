#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/service.h"

namespace magneto::server::bulk {

// An operation that failed, and why.
class OperationFault : public std::runtime_error {
 public:
  OperationFault(std::string_view operation, std::string_view why);
  const std::string& operation() const { return operation_; }
  const std::string& why() const { return why_; }

 private:
  std::string operation_;
  std::string why_;
};

// Calls to a service in this process, for one caller. A fault, or a refusal that nobody asked for,
// throws OperationFault.
class Operations {
 public:
  // `request_id` is what faults are logged with.
  Operations(api::Service& service, const api::Caller& caller, std::string_view request_id)
      : service_(service), caller_(caller), request_id_(request_id) {}

  // The HTTP status, 200 or 400; answer() and message() tell more until the next call.
  int call(std::string_view operation, std::string body);
  // The same of a call that must succeed.
  void need(std::string_view operation, std::string body);
  api::json::Value answer() const { return answer_; }
  // Why a call was refused; the error's type where DynamoDB has no more to say.
  std::string_view message() const;

  bool has_table(const std::string& name);
  // Takes protection off first, and waits until the table is gone. Nothing when there is none.
  void remove_table(const std::string& name);
  // The same without the last wait. False when there is none.
  bool begin_removal(const std::string& name);
  void wait_until_gone(const std::string& name);
  // Until the table and its indexes are ACTIVE.
  void wait_until_active(const std::string& name);

 private:
  api::Service& service_;
  const api::Caller caller_;
  const std::string request_id_;
  std::string output_;
  api::json::Document document_;
  api::json::Value answer_;
};

// Whether the table that is described, and its indexes, are ACTIVE.
bool is_active(api::json::Value table);

// {"TableName":...}, for DescribeTable and DeleteTable.
std::string table_request(const std::string& table_name);
// UpdateTable: deletion protection.
std::string protection_request(const std::string& table_name, bool on);

}  // namespace magneto::server::bulk
