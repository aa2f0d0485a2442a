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
  std::string_view member;  // the JSON member with the text: "message", for some "Message"
  int status;               // of HTTP
};
const ErrorInfo& error_info(ErrorType type);
// The type of that name without what stands before the "#"; nullopt when there is none.
std::optional<ErrorType> find_error_type(std::string_view name);

// What members of a batch or transaction call the error: "ConditionalCheckFailed",
// "ValidationError" (AWS API reference, BatchStatementError and CancellationReason).
std::string_view short_code(ErrorType type);

// A member of an error's JSON beside its type and message.
struct ErrorMember {
  std::string_view name;  // of a literal: "Item"
  std::string value;      // JSON
};

// A request that ends with an error. Thrown anywhere in api, caught in one place, api/service.
class ApiError : public std::exception {
 public:
  // An empty message is left out of the response.
  ApiError(ErrorType type, std::string_view message, ErrorMember member = {})
      : type_(type), message_(message), member_(std::move(member)) {}

  ErrorType type() const { return type_; }
  // Whole, also where it echoes a NUL of the request.
  const std::string& message() const { return message_; }
  // Written after the message; mostly there is none, and its name is empty.
  const ErrorMember& member() const { return member_; }

 private:
  // Private, as it ends at a NUL: who answers a request takes message().
  const char* what() const noexcept override { return message_.c_str(); }

  ErrorType type_;
  std::string message_;
  ErrorMember member_;
};

// A ResourceNotFoundException for a table, or for what belongs to one, that the caller does not
// have.
class MissingTable : public ApiError {
 public:
  MissingTable(std::string_view message, std::string_view table)
      : ApiError(ErrorType::kResourceNotFound, message), table_(table) {}
  const std::string& table() const { return table_; }  // its name

 private:
  std::string table_;
};

// What one generation of DynamoDB's code puts in front of most messages (captured facts, "Envelope
// cheat sheet").
inline constexpr std::string_view kOneValidationError = "1 validation error detected: ";

// A ValidationException with the message as it is.
[[noreturn]] void fail_validation(std::string_view message);
// The same behind kOneValidationError.
[[noreturn]] void fail_one_validation_error(std::string_view message);
// A SerializationException.
[[noreturn]] void fail_serialization(std::string_view message);

}  // namespace magneto::api
