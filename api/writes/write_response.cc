#include "api/writes/write_response.h"

#include "api/capacity/consumed_capacity.h"
#include "api/writes/item_collection_metrics.h"

namespace magneto::api {

bool returns_item_on_failure(const Parameters& parameters) {
  return parameters.string_or_empty("ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
}

void append_written_capacity(json::Writer& writer, const Parameters& parameters,
                             const storage::WriteOutcome& outcome) {
  if (capacity_detail(parameters) == CapacityDetail::kNone) return;
  ConsumedCapacity capacity;
  add_write(outcome, capacity);
  append_consumed_capacity(writer, parameters, *outcome.table, capacity);
}

void append_write_response(Request& request, const Parameters& parameters,
                           const storage::Table& table, storage::ItemView key,
                           const storage::WriteOutcome& outcome, ReturnValues kind,
                           std::span<const expressions::PathView> targets) {
  json::Writer writer(request.output);
  writer.begin_object();
  append_attributes(writer, outcome, kind, targets);
  append_written_capacity(writer, parameters, outcome);
  if (wants_collection_metrics(parameters) && has_item_collections(table)) {
    writer.key("ItemCollectionMetrics");
    append_collection_metrics(writer, request.database, table, key);
  }
  writer.end_object();
}

}  // namespace magneto::api
