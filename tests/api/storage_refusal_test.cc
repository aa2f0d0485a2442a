#include "api/storage_refusal.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "storage/messages/memory_messages.h"
#include "storage/table/collection_sizes.h"
#include "storage/table/item_claims.h"
#include "storage/table/item_write.h"
#include "storage/table/region_claims.h"

namespace magneto::api {
namespace {

void expect_refusal(const std::exception& thrown, ErrorType type, std::string_view message) {
  const std::optional<ApiError> refusal = refusal_of(thrown);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->type(), type);
  EXPECT_EQ(refusal->message(), message);
}

TEST(StorageRefusal, SaysEachInAwssWords) {
  expect_refusal(storage::TableGone(), ErrorType::kResourceNotFound,
                 "Requested resource not found");
  expect_refusal(storage::CollectionFull(3), ErrorType::kItemCollectionSizeLimitExceeded,
                 "Collection size exceeded.");
  expect_refusal(storage::MemoryFull(0, storage::messages::kMemoryFull),
                 ErrorType::kItemCollectionSizeLimitExceeded,
                 "The server's memory is full: delete items or tables, or start the server with a "
                 "larger --memory-limit-mb, or with --data-dir to keep data on disk.");
  expect_refusal(storage::TransactionConflict(), ErrorType::kTransactionConflict,
                 "Transaction is ongoing for the item");
  expect_refusal(storage::ReplicatedWriteConflict(), ErrorType::kReplicatedWriteConflict,
                 "The request was rejected because one or more items in the request are being "
                 "modified by a request in another Region.");
  expect_refusal(storage::SettingsBehind(), ErrorType::kResourceInUse,
                 "Attempt to change a resource which is still in use: A change that was made in "
                 "another region has not come to this replica");
}

TEST(StorageRefusal, LeavesFaultsAlone) {
  EXPECT_FALSE(refusal_of(std::runtime_error("the disk is gone")));
}

}  // namespace
}  // namespace magneto::api
