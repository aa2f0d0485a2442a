#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace magneto::api {

enum class ErrorType : std::uint8_t {
  kSerialization,
  kUnknownOperation,
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kInvalidSignature,
  kUnrecognizedClient,
  kExpiredToken,
  kAccessDenied,
  kValidation,
  kResourceNotFound,
  kTableNotFound,
  kTableInUse,
  kTableAlreadyExists,
  kBackupNotFound,
  kBackupInUse,
  kGlobalTableNotFound,
  kGlobalTableAlreadyExists,
  kReplicaNotFound,
  kReplicaAlreadyExists,
  kIndexNotFound,
  kPolicyNotFound,
  kResourceInUse,
  kContinuousBackupsUnavailable,
  kPointInTimeRecoveryUnavailable,
  kInvalidExportTime,
  kInvalidRestoreTime,
  kExportNotFound,
  kExportConflict,
  kImportNotFound,
  kImportConflict,
  kLimitExceeded,
  kConditionalCheckFailed,
  kDuplicateItem,
  kItemCollectionSizeLimitExceeded,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kProvisionedThroughputExceeded,
  kRequestLimitExceeded,
  kThrottling,
  kReplicatedWriteConflict,
  kServiceUnavailable,
  kTrimmedDataAccess,
  kExpiredIterator,
  kInternalServerError,
};
inline constexpr std::size_t kErrorTypeCount =
    static_cast<std::size_t>(ErrorType::kInternalServerError) + 1;

// The wire form of an error type.
struct ErrorInfo {
  std::string_view name;    // "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
  std::string_view member;  // the JSON member with the text: "message", or for some types "Message"
  int status;               // HTTP status
};
const ErrorInfo& error_info(ErrorType type);
// The type whose name, after the "#", is `name`; nullopt if there is none.
std::optional<ErrorType> find_error_type(std::string_view name);

// The code of the error in members of a batch or transaction: "ConditionalCheckFailed",
// "ValidationError" (AWS API reference, BatchStatementError and CancellationReason).
std::string_view short_code(ErrorType type);

// A member of an error's JSON in addition to type and message.
struct ErrorMember {
  std::string_view name;  // refers to a literal: "Item"
  std::string value;      // JSON
};

// A request that ends with an error. Thrown anywhere in api, caught in one place, api/service.
class ApiError : public std::exception {
 public:
  // An empty message is left out of the response.
  ApiError(ErrorType type, std::string_view message, ErrorMember member = {})
      : type_(type), message_(message), member_(std::move(member)) {}

  ErrorType type() const { return type_; }
  // The whole message, even if it echoes a NUL of the request.
  const std::string& message() const { return message_; }
  // Written after the message. Most errors have none; then its name is empty.
  const ErrorMember& member() const { return member_; }

 private:
  // Private, because a C string ends at a NUL: code that answers a request uses message().
  const char* what() const noexcept override { return message_.c_str(); }

  ErrorType type_;
  std::string message_;
  ErrorMember member_;
};

// A ResourceNotFoundException for a table, or for a resource of a table, that the caller does not
// have.
class MissingTable : public ApiError {
 public:
  MissingTable(std::string_view message, std::string_view table)
      : ApiError(ErrorType::kResourceNotFound, message), table_(table) {}
  const std::string& table() const { return table_; }  // its name

 private:
  std::string table_;
};

// The prefix that one generation of DynamoDB's code puts before most messages (captured facts,
// "Envelope cheat sheet").
inline constexpr std::string_view kOneValidationError = "1 validation error detected: ";

// Throws a ValidationException with exactly this message.
[[noreturn]] void fail_validation(std::string_view message);
// Throws a ValidationException with this message after kOneValidationError.
[[noreturn]] void fail_one_validation_error(std::string_view message);
// Throws a SerializationException.
[[noreturn]] void fail_serialization(std::string_view message);

}  // namespace magneto::api
