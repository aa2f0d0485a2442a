#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/service.h"

namespace magneto::server::bulk {

// An operation that failed, and the reason.
class OperationFault : public std::runtime_error {
 public:
  OperationFault(std::string_view operation, std::string_view why);
  const std::string& operation() const { return operation_; }
  const std::string& why() const { return why_; }

 private:
  std::string operation_;
  std::string why_;
};

// Calls a service in this process for one caller. Throws OperationFault for a fault, and for an
// unexpected refusal.
class Operations {
 public:
  // `request_id` identifies the caller in the log of faults.
  Operations(api::Service& service, const api::Caller& caller, std::string_view request_id)
      : service_(service), caller_(caller), request_id_(request_id) {}

  // Returns the HTTP status, 200 or 400. answer() and message() are valid until the next call.
  int call(std::string_view operation, std::string body);
  // Makes a call that must succeed; otherwise throws OperationFault.
  void need(std::string_view operation, std::string body);
  api::json::Value answer() const { return answer_; }
  // The reason for which a call was refused; the error's type if DynamoDB gives no message.
  std::string_view message() const;

  bool has_table(const std::string& name);
  // Removes the table's deletion protection, deletes the table and waits until it is gone. Does
  // nothing if there is no such table.
  void remove_table(const std::string& name);
  // Like remove_table(), but does not wait until the table is gone. False if there is no such
  // table.
  bool begin_removal(const std::string& name);
  void wait_until_gone(const std::string& name);
  // Waits until the table and its indexes are ACTIVE.
  void wait_until_active(const std::string& name);

 private:
  api::Service& service_;
  const api::Caller caller_;
  const std::string request_id_;
  std::string output_;
  api::json::Document document_;
  api::json::Value answer_;
};

// Whether the described table and its indexes are ACTIVE.
bool is_active(api::json::Value table);

// {"TableName":...}, for DescribeTable and DeleteTable.
std::string table_request(const std::string& table_name);
// A request of UpdateTable that sets deletion protection.
std::string protection_request(const std::string& table_name, bool on);

}  // namespace magneto::server::bulk
