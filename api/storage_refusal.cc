#include "api/storage_refusal.h"

#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/messages/transaction_messages.h"
#include "api/messages/write_messages.h"
#include "storage/table/collection_sizes.h"
#include "storage/table/item_claims.h"
#include "storage/table/item_write.h"
#include "storage/table/memory_budget.h"
#include "storage/table/region_claims.h"

namespace magneto::api {

std::optional<ApiError> refusal_of(const std::exception& thrown) {
  if (dynamic_cast<const storage::TableGone*>(&thrown) != nullptr) {
    return ApiError(ErrorType::kResourceNotFound, messages::kNotFound);
  }
  if (dynamic_cast<const storage::CollectionFull*>(&thrown) != nullptr) {
    return ApiError(ErrorType::kItemCollectionSizeLimitExceeded, messages::kCollectionFull);
  }
  if (dynamic_cast<const storage::MemoryFull*>(&thrown) != nullptr) {
    return ApiError(ErrorType::kItemCollectionSizeLimitExceeded, thrown.what());
  }
  if (const auto* const key = dynamic_cast<const storage::KeyTooLong*>(&thrown)) {
    return ApiError(ErrorType::kValidation, messages::key_too_long(key->bytes(), key->limit()));
  }
  if (dynamic_cast<const storage::TransactionConflict*>(&thrown) != nullptr) {
    return ApiError(ErrorType::kTransactionConflict, messages::kItemIsHeld);
  }
  if (dynamic_cast<const storage::ReplicatedWriteConflict*>(&thrown) != nullptr) {
    return ApiError(ErrorType::kReplicatedWriteConflict, messages::kReplicatedConflict);
  }
  if (dynamic_cast<const storage::SettingsBehind*>(&thrown) != nullptr) {
    return ApiError(ErrorType::kResourceInUse, messages::kSettingsBehind);
  }
  return std::nullopt;
}

}  // namespace magneto::api
