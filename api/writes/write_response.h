#pragma once

#include <span>

#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/writes/return_values.h"
#include "storage/table/item_write.h"

namespace magneto::api {

// Whether ReturnValuesOnConditionCheckFailure is ALL_OLD.
bool returns_item_on_failure(const Parameters& parameters);

// Appends the member ConsumedCapacity if the request asks for it.
void append_written_capacity(json::Writer& writer, const Parameters& parameters,
                             const storage::WriteOutcome& outcome);

// Appends the response of PutItem, UpdateItem and DeleteItem: Attributes, ConsumedCapacity and
// ItemCollectionMetrics, each if the request asks for it. `key` is the item or its key.
void append_write_response(Request& request, const Parameters& parameters,
                           const storage::Table& table, storage::ItemView key,
                           const storage::WriteOutcome& outcome, ReturnValues kind,
                           std::span<const expressions::PathView> targets = {});

}  // namespace magneto::api
