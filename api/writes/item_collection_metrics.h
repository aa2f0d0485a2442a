#pragma once

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "storage/database.h"
#include "storage/table/table.h"

namespace magneto::api {

// Whether ReturnItemCollectionMetrics is SIZE.
bool wants_collection_metrics(const Parameters& parameters);

// Call this before any change: a collection that is measured for the first time is walked.
inline void expect_collection_metrics(const Request& request, const Parameters& parameters) {
  if (wants_collection_metrics(parameters)) request.effort.leave();
}

// Appends the structure {"ItemCollectionKey":{...},"SizeEstimateRangeGB":[low,high]} for the
// collection of `key`, an item or its key. The range gives the whole gigabytes below and above the
// size of the collection's items and their entries in local indexes.
void append_collection_metrics(json::Writer& writer, storage::Database& database,
                               const storage::Table& table, storage::ItemView key);

}  // namespace magneto::api
