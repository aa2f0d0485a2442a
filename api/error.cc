#include "api/error.h"

#include <array>

namespace magneto::api {
namespace {

#define MAGNETO_SERVICE "com.amazon.coral.service#"
#define MAGNETO_AVAILABILITY "com.amazon.coral.availability#"
#define MAGNETO_DYNAMODB "com.amazonaws.dynamodb.v20120810#"

// Errors about the caller.
constexpr ErrorInfo info_of_caller(ErrorType type) {
  switch (type) {
    case ErrorType::kMissingAuthenticationToken:
      return {MAGNETO_SERVICE "MissingAuthenticationTokenException", "message", 400};
    case ErrorType::kIncompleteSignature:
      return {MAGNETO_SERVICE "IncompleteSignatureException", "message", 400};
    case ErrorType::kInvalidSignature:
      return {MAGNETO_SERVICE "InvalidSignatureException", "message", 400};
    case ErrorType::kUnrecognizedClient:
      return {MAGNETO_SERVICE "UnrecognizedClientException", "message", 400};
    case ErrorType::kExpiredToken:
      return {MAGNETO_SERVICE "ExpiredTokenException", "message", 400};
    default:
      return {MAGNETO_SERVICE "AccessDeniedException", "Message", 400};
  }
}

// Errors that only backups and restores return.
constexpr ErrorInfo info_of_backups(ErrorType type) {
  switch (type) {
    case ErrorType::kTableInUse:
      return {MAGNETO_DYNAMODB "TableInUseException", "message", 400};
    case ErrorType::kTableAlreadyExists:
      return {MAGNETO_DYNAMODB "TableAlreadyExistsException", "message", 400};
    case ErrorType::kBackupInUse:
      return {MAGNETO_DYNAMODB "BackupInUseException", "message", 400};
    default:
      return {MAGNETO_DYNAMODB "BackupNotFoundException", "message", 400};
  }
}

// Errors that only global tables return.
constexpr ErrorInfo info_of_replicas(ErrorType type) {
  switch (type) {
    case ErrorType::kGlobalTableAlreadyExists:
      return {MAGNETO_DYNAMODB "GlobalTableAlreadyExistsException", "message", 400};
    case ErrorType::kReplicaNotFound:
      return {MAGNETO_DYNAMODB "ReplicaNotFoundException", "message", 400};
    case ErrorType::kReplicaAlreadyExists:
      return {MAGNETO_DYNAMODB "ReplicaAlreadyExistsException", "message", 400};
    case ErrorType::kIndexNotFound:
      return {MAGNETO_DYNAMODB "IndexNotFoundException", "message", 400};
    default:
      return {MAGNETO_DYNAMODB "GlobalTableNotFoundException", "message", 400};
  }
}

// Errors for which a retry may succeed.
constexpr ErrorInfo info_of_passing(ErrorType type) {
  switch (type) {
    case ErrorType::kTransactionConflict:
      return {MAGNETO_DYNAMODB "TransactionConflictException", "message", 400};
    case ErrorType::kRequestLimitExceeded:
      return {MAGNETO_DYNAMODB "RequestLimitExceeded", "message", 400};
    case ErrorType::kThrottling:
      return {MAGNETO_AVAILABILITY "ThrottlingException", "message", 400};
    case ErrorType::kReplicatedWriteConflict:
      return {MAGNETO_DYNAMODB "ReplicatedWriteConflictException", "message", 400};
    case ErrorType::kServiceUnavailable:
      return {MAGNETO_DYNAMODB "ServiceUnavailable", "message", 503};
    default:
      return {MAGNETO_DYNAMODB "ProvisionedThroughputExceededException", "message", 400};
  }
}

// Errors about tables and their resources.
constexpr ErrorInfo info_of_resource(ErrorType type) {
  switch (type) {
    case ErrorType::kExpiredIterator:
      return {MAGNETO_DYNAMODB "ExpiredIteratorException", "message", 400};
    case ErrorType::kTableNotFound:
      return {MAGNETO_DYNAMODB "TableNotFoundException", "message", 400};
    case ErrorType::kPolicyNotFound:
      return {MAGNETO_DYNAMODB "PolicyNotFoundException", "message", 400};
    case ErrorType::kContinuousBackupsUnavailable:
      return {MAGNETO_DYNAMODB "ContinuousBackupsUnavailableException", "message", 400};
    case ErrorType::kPointInTimeRecoveryUnavailable:
      return {MAGNETO_DYNAMODB "PointInTimeRecoveryUnavailableException", "message", 400};
    case ErrorType::kInvalidExportTime:
      return {MAGNETO_DYNAMODB "InvalidExportTimeException", "message", 400};
    case ErrorType::kInvalidRestoreTime:
      return {MAGNETO_DYNAMODB "InvalidRestoreTimeException", "message", 400};
    case ErrorType::kExportNotFound:
      return {MAGNETO_DYNAMODB "ExportNotFoundException", "message", 400};
    case ErrorType::kExportConflict:
      return {MAGNETO_DYNAMODB "ExportConflictException", "message", 400};
    case ErrorType::kImportNotFound:
      return {MAGNETO_DYNAMODB "ImportNotFoundException", "message", 400};
    case ErrorType::kImportConflict:
      return {MAGNETO_DYNAMODB "ImportConflictException", "message", 400};
    case ErrorType::kResourceInUse:
      return {MAGNETO_DYNAMODB "ResourceInUseException", "message", 400};
    case ErrorType::kTrimmedDataAccess:
      return {MAGNETO_DYNAMODB "TrimmedDataAccessException", "message", 400};
    case ErrorType::kLimitExceeded:
      return {MAGNETO_DYNAMODB "LimitExceededException", "message", 400};
    default:
      return {MAGNETO_DYNAMODB "ResourceNotFoundException", "message", 400};
  }
}

// Errors that refuse a write.
constexpr ErrorInfo info_of_writes(ErrorType type) {
  switch (type) {
    case ErrorType::kDuplicateItem:
      return {MAGNETO_DYNAMODB "DuplicateItemException", "message", 400};
    case ErrorType::kItemCollectionSizeLimitExceeded:
      return {MAGNETO_DYNAMODB "ItemCollectionSizeLimitExceededException", "message", 400};
    case ErrorType::kTransactionCanceled:
      return {MAGNETO_DYNAMODB "TransactionCanceledException", "Message", 400};
    case ErrorType::kTransactionInProgress:
      return {MAGNETO_DYNAMODB "TransactionInProgressException", "Message", 400};
    case ErrorType::kIdempotentParameterMismatch:
      return {MAGNETO_DYNAMODB "IdempotentParameterMismatchException", "Message", 400};
    default:
      return {MAGNETO_DYNAMODB "ConditionalCheckFailedException", "message", 400};
  }
}

// Errors about a request that cannot be read, or that is invalid.
constexpr ErrorInfo info_of_form(ErrorType type) {
  switch (type) {
    case ErrorType::kSerialization:
      return {MAGNETO_SERVICE "SerializationException", "Message", 400};
    case ErrorType::kUnknownOperation:
      return {MAGNETO_SERVICE "UnknownOperationException", "message", 400};
    default:
      return {"com.amazon.coral.validate#ValidationException", "message", 400};
  }
}

// Captured facts, "Error wire format".
constexpr ErrorInfo info_of(ErrorType type) {
  switch (type) {
    case ErrorType::kSerialization:
    case ErrorType::kUnknownOperation:
    case ErrorType::kValidation:
      return info_of_form(type);
    case ErrorType::kMissingAuthenticationToken:
    case ErrorType::kIncompleteSignature:
    case ErrorType::kInvalidSignature:
    case ErrorType::kUnrecognizedClient:
    case ErrorType::kExpiredToken:
    case ErrorType::kAccessDenied:
      return info_of_caller(type);
    case ErrorType::kTableInUse:
    case ErrorType::kTableAlreadyExists:
    case ErrorType::kBackupNotFound:
    case ErrorType::kBackupInUse:
      return info_of_backups(type);
    case ErrorType::kGlobalTableNotFound:
    case ErrorType::kGlobalTableAlreadyExists:
    case ErrorType::kReplicaNotFound:
    case ErrorType::kReplicaAlreadyExists:
    case ErrorType::kIndexNotFound:
      return info_of_replicas(type);
    case ErrorType::kConditionalCheckFailed:
    case ErrorType::kDuplicateItem:
    case ErrorType::kItemCollectionSizeLimitExceeded:
    case ErrorType::kTransactionCanceled:
    case ErrorType::kTransactionInProgress:
    case ErrorType::kIdempotentParameterMismatch:
      return info_of_writes(type);
    case ErrorType::kExpiredIterator:
    case ErrorType::kTrimmedDataAccess:
    case ErrorType::kResourceNotFound:
    case ErrorType::kTableNotFound:
    case ErrorType::kPolicyNotFound:
    case ErrorType::kResourceInUse:
    case ErrorType::kLimitExceeded:
    case ErrorType::kContinuousBackupsUnavailable:
    case ErrorType::kPointInTimeRecoveryUnavailable:
    case ErrorType::kInvalidExportTime:
    case ErrorType::kInvalidRestoreTime:
    case ErrorType::kExportNotFound:
    case ErrorType::kExportConflict:
    case ErrorType::kImportNotFound:
    case ErrorType::kImportConflict:
      return info_of_resource(type);
    case ErrorType::kTransactionConflict:
    case ErrorType::kProvisionedThroughputExceeded:
    case ErrorType::kRequestLimitExceeded:
    case ErrorType::kThrottling:
    case ErrorType::kReplicatedWriteConflict:
    case ErrorType::kServiceUnavailable:
      return info_of_passing(type);
    case ErrorType::kInternalServerError:
      break;
  }
  return {MAGNETO_DYNAMODB "InternalServerError", "message", 500};
}

#undef MAGNETO_SERVICE
#undef MAGNETO_AVAILABILITY
#undef MAGNETO_DYNAMODB

constexpr auto kInfos = [] {
  std::array<ErrorInfo, static_cast<std::size_t>(ErrorType::kInternalServerError) + 1> infos{};
  for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = info_of(static_cast<ErrorType>(i));
  return infos;
}();

}  // namespace

const ErrorInfo& error_info(ErrorType type) { return kInfos[static_cast<std::size_t>(type)]; }

std::optional<ErrorType> find_error_type(std::string_view name) {
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    const std::string_view known = kInfos[i].name;
    if (known.substr(known.find('#') + 1) == name) return static_cast<ErrorType>(i);
  }
  return std::nullopt;
}

std::string_view short_code(ErrorType type) {
  if (type == ErrorType::kValidation) return "ValidationError";
  if (type == ErrorType::kThrottling) return "ThrottlingError";
  // Statements have no such code (API model, BatchStatementErrorCodeEnum).
  if (type == ErrorType::kReplicatedWriteConflict) return "TransactionConflict";
  std::string_view name = error_info(type).name;
  name.remove_prefix(name.find('#') + 1);
  constexpr std::string_view kEnding = "Exception";
  if (name.ends_with(kEnding)) name.remove_suffix(kEnding.size());
  return name;
}

void fail_validation(std::string_view message) { throw ApiError(ErrorType::kValidation, message); }

void fail_one_validation_error(std::string_view message) {
  std::string text(kOneValidationError);
  text += message;
  fail_validation(text);
}

void fail_serialization(std::string_view message) {
  throw ApiError(ErrorType::kSerialization, message);
}

}  // namespace magneto::api
