#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace magneto::api {

enum class ErrorType : std::uint8_t {
  kSerialization,
  kUnknownOperation,
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kInvalidSignature,
  kUnrecognizedClient,
  kAccessDenied,
  kValidation,
  kResourceNotFound,
  kTableNotFound,
  kResourceInUse,
  kLimitExceeded,
  kConditionalCheckFailed,
  kItemCollectionSizeLimitExceeded,
  kTransactionCanceled,
  kTransactionConflict,
  kProvisionedThroughputExceeded,
  kInternalServerError,
};

// The wire form of an error type: namespaced name and HTTP status.
struct ErrorInfo {
  std::string_view name;  // "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
  int status;
};
const ErrorInfo& error_info(ErrorType type);

// A request that ends with an error. Thrown anywhere in api, caught in one place, api/service.
class ApiError : public std::runtime_error {
 public:
  ApiError(ErrorType type, std::string message, std::string members = {})
      : std::runtime_error(std::move(message)), type_(type), members_(std::move(members)) {}

  ErrorType type() const { return type_; }
  // Further members of the error's JSON, written after "message": `,"Item":{...}`; mostly empty.
  const std::string& members() const { return members_; }

 private:
  ErrorType type_;
  std::string members_;
};

// A ValidationException with the message as it is.
[[noreturn]] void fail_validation(std::string message);
// The same behind "1 validation error detected: ".
[[noreturn]] void fail_enveloped(std::string_view message);

}  // namespace magneto::api
