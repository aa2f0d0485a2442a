#include "api/capacity/throttling.h"

#include <utility>

#include "api/call_report.h"

namespace magneto::api {

namespace {

// Once for each table or index.
template <typename Key>
void note_each(const Request& request, const storage::Table& table, const Throttled& throttled,
               const Key& key) {
  if (request.notes == nullptr) return;
  const storage::Index* last = nullptr;
  bool is_first = true;
  for (const auto [index, limit] : throttled) {
    if (!is_first && index == last) continue;
    is_first = false;
    last = index;
    if (KeyNotes::wants(table, index, KeyEvent::kThrottle)) {
      request.notes->add(table, index, KeyEvent::kThrottle, key);
    }
  }
}

// The key of which a read or write is, as its table or index knows it.
const storage::KeySchema& key_schema(const storage::Table& table, const storage::Index* index) {
  return index == nullptr ? table.schema.key : index->schema.key;
}

}  // namespace

Throttled find_throttles(const Request& request, const storage::Table& table,
                         const storage::Index* index, UnitUse use, storage::ItemView key) {
  const KeyDigest digest = digest_of(key_schema(table, index).partition, key);
  Throttled found = request.limiter->throttled(table, index, use, digest);
  note_each(request, table, found, key);
  return found;
}

void note_throttles(const Request& request, const storage::Table& table, const Throttled& throttled,
                    storage::ItemView key) {
  note_each(request, table, throttled, key);
}

void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use, storage::ItemView key) {
  const Throttled found = find_throttles(request, table, index, use, key);
  if (!found.empty()) throw throughput_exceeded(table, found, use);
}

void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use, PartitionKey partition) {
  const Throttled found = request.limiter->throttled(table, index, use, digest_of(partition));
  if (found.empty()) return;
  if (!partition.empty()) note_each(request, table, found, partition);
  throw throughput_exceeded(table, found, use);
}

storage::WriteDecision HeldWrite::operator()(const storage::StoredItem& current) const {
  storage::WriteDecision decision = write_.decide(current);
  found_ = find_throttled_entries(request_, *write_.table, current, decision);
  return found_.empty() ? std::move(decision) : storage::WriteDecision::reject();
}

Throttled find_throttled_entries(const Request& request, const storage::Table& table,
                                 const storage::StoredItem& current,
                                 const storage::WriteDecision& decision) {
  const bool puts = decision.kind == storage::WriteDecision::Kind::kPut;
  if (!puts && decision.kind != storage::WriteDecision::Kind::kDelete) return {};
  const storage::ItemView before = current.view();
  const storage::ItemView after = decision.item.view();
  Throttled found = request.limiter->throttled_entries(table, before, after);
  // Mostly the entry stays under its key; where it moves, the new one is told.
  if (!found.empty()) note_each(request, table, found, puts ? after : before);
  return found;
}

void note_use(CallReport& report, const storage::Table& table, const ConsumedCapacity& capacity,
              UnitUse use) {
  if (use == UnitUse::kRead) {
    report.add_read(table.schema.name, capacity.total());
  } else {
    report.add_written(table.schema.name, capacity.total());
  }
}

void consume_partition(const Request& request, const storage::Table& table,
                       const storage::Index* index, PartitionKey partition,
                       const ConsumedCapacity& capacity) {
  if (request.limiter == nullptr || partition.empty()) return;
  request.effort.stay();
  request.limiter->count_read(table, index, digest_of(partition), capacity.total());
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
