#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/json/attribute_value_json.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/transactions/cancellation.h"
#include "storage/database.h"

// Runs prepared actions, for TransactWriteItems and ExecuteTransaction.
namespace magneto::api {

// One action, ready to run.
struct TransactionAction {
  storage::TablePtr table;
  std::string item_key;  // storage's key of the item
  storage::Item key;     // the item or its key
  std::function<storage::WriteDecision(const storage::StoredItem& current)> decide;
  bool returns_item = false;  // ReturnValuesOnConditionCheckFailure: ALL_OLD
  json::SetOrder order_of_sets = json::SetOrder::kByValue;  // in the returned item
  // A missing item fails the condition, but only beside another action that cancels.
  bool fails_beside_others = false;
  CancellationReason problem;  // other than "None": cancels the transaction whatever its item holds
  std::size_t payload = 0;     // bytes of the items, keys and values in the request for this action
};

// The part of the request that lists the actions. A client token identifies it.
struct TransactionContent {
  json::Value value;
  const Shape& shape;
  ToldReasons told = ToldReasons::kFirstInvalid;
};

// Executes the actions together and appends the response's ConsumedCapacity and
// ItemCollectionMetrics to the open object. Throws ValidationException for two actions on one item
// or a payload of more than 4 MB. Also throws the exceptions of transactions (AWS API reference,
// TransactWriteItems).
void run_transaction(Request& request, const Parameters& parameters,
                     std::span<TransactionAction> actions, const TransactionContent& content,
                     json::Writer& writer);

// Reads the items with these item_keys at one moment; `key_of` returns the attributes of each key.
// Throws TransactionCanceledException if a transaction holds one of them or throughput is exceeded,
// and ValidationException for more than 4 MB.
std::vector<storage::StoredItem> read_together(
    const Request& request,
    std::span<const std::pair<const storage::Table*, std::string_view>> item_keys,
    absl::FunctionRef<storage::ItemView(std::size_t read)> key_of);

}  // namespace magneto::api
