#include "api/capacity/throttling.h"

#include <string>
#include <utility>

#include "api/call_report.h"
#include "api/messages/throughput_messages.h"

namespace magneto::api {

std::string_view throttled_message(const Throttled& throttled) {
  return throttled.front() == nullptr ? messages::kTableExceeded : messages::kIndexExceeded;
}

// AWS API reference, "ThrottlingReason".
ApiError throughput_exceeded(const storage::Table& table, const Throttled& throttled, UnitUse use) {
  ErrorMember reasons{"ThrottlingReasons", {}};
  json::Writer writer(reasons.value);
  writer.begin_array();
  for (const storage::Index* index : throttled) {
    std::string reason = index == nullptr ? "Table" : "Index";
    reason += use == UnitUse::kRead ? "Read" : "Write";
    writer.begin_object();
    writer.key("reason");
    writer.string(reason + "ProvisionedThroughputExceeded");
    writer.key("resource");
    writer.string(index == nullptr ? table.schema.arn() : table.schema.index_arn(index->schema));
    writer.end_object();
  }
  writer.end_array();
  return {ErrorType::kProvisionedThroughputExceeded, throttled_message(throttled),
          std::move(reasons)};
}

namespace {

template <typename Key>
void note_each(const Request& request, const storage::Table& table, const Throttled& throttled,
               const Key& key) {
  if (request.notes == nullptr) return;
  for (const storage::Index* index : throttled) {
    if (KeyNotes::wants(table, index, KeyEvent::kThrottle)) {
      request.notes->add(table, index, KeyEvent::kThrottle, key);
    }
  }
}

template <typename Key>
void hold(const Request& request, const storage::Table& table, const storage::Index* index,
          UnitUse use, const Key& key) {
  const Throttled found = request.limiter->throttled(table, index, use);
  if (found.empty()) return;
  note_throttle(request, table, found, key);
  throw throughput_exceeded(table, found, use);
}

}  // namespace

void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use, storage::ItemView key) {
  hold(request, table, index, use, key);
}

void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use,
                        std::span<const storage::AttributeView> partition) {
  hold(request, table, index, use, partition);
}

void note_throttle(const Request& request, const storage::Table& table, const Throttled& throttled,
                   storage::ItemView key) {
  note_each(request, table, throttled, key);
}

void note_throttle(const Request& request, const storage::Table& table, const Throttled& throttled,
                   std::span<const storage::AttributeView> partition) {
  if (!partition.empty()) note_each(request, table, throttled, partition);
}

void note_use(CallReport& report, const storage::Table& table, const ConsumedCapacity& capacity,
              UnitUse use) {
  if (use == UnitUse::kRead) {
    report.add_read(table.schema.name, capacity.total());
  } else {
    report.add_written(table.schema.name, capacity.total());
  }
}

void report_capacity(const Request& request, const Parameters& parameters, json::Writer& writer,
                     const storage::Table& table, UnitUse use,
                     absl::FunctionRef<void(ConsumedCapacity& capacity)> measure) {
  const CapacityDetail detail = capacity_detail(parameters);
  ConsumedCapacity capacity;
  measure(capacity);
  consume(request, table, capacity, use);
  if (detail == CapacityDetail::kNone) return;
  writer.key("ConsumedCapacity");
  append_capacity(writer, table.schema.name, capacity, detail);
}

}  // namespace magneto::api
