#pragma once

#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/capacity/consumed_capacity.h"
#include "api/capacity/throttle_cause.h"
#include "api/capacity/throughput_limiter.h"
#include "api/insights/key_notes.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "storage/model/effort.h"
#include "storage/table/item_write.h"

// What requests use is told to whoever counts it (CallReport), and requests are held to throughput,
// when they are: `request.limiter` is nullptr otherwise.
namespace magneto::api {

// The values of a partition key as far as a request has one for all it reads.
using PartitionKey = std::span<const storage::AttributeView>;

// What throttles a request now, before it touches items; empty: it may run. The key, that of an
// item, or what of it is known, is noted where somebody counts throttled keys. `index`: as
// ThroughputLimiter::throttled() wants it. Requires the limiter.
Throttled find_throttles(const Request& request, const storage::Table& table,
                         const storage::Index* index, UnitUse use, storage::ItemView key);

// Only notes the key.
void note_throttles(const Request& request, const storage::Table& table, const Throttled& throttled,
                    storage::ItemView key);

// Throws the error of whoever is throttled (throughput_exceeded()) unless the request may read
// `index` (nullptr: the table) or write. Called after a request's checks, before it touches items.
// Each has two parts, since most often nobody is held to anything.
void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use, storage::ItemView key);
void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use, PartitionKey partition);
inline void throttle(const Request& request, const storage::Table& table,
                     const storage::Index* index, UnitUse use, storage::ItemView key) {
  if (request.limiter != nullptr) hold_to_throughput(request, table, index, use, key);
}
inline void throttle(const Request& request, const storage::Table& table,
                     const storage::Index* index, UnitUse use, PartitionKey partition) {
  if (request.limiter != nullptr) hold_to_throughput(request, table, index, use, partition);
}

// A write as it was, but rejected where a global index has no units for the partition key of an
// entry that the item has or would get. Only the decision knows these. Requires the limiter.
class HeldWrite {
 public:
  // All outlive it. `found` is what was in the way; then the write was rejected.
  HeldWrite(const Request& request, const storage::ItemWrite& write, Throttled& found)
      : request_(request), write_(write), found_(found) {}

  // Valid as long as this.
  storage::ItemWrite write() const { return {write_.table, write_.key, *this}; }
  storage::WriteDecision operator()(const storage::StoredItem& current) const;

 private:
  const Request& request_;
  const storage::ItemWrite& write_;
  Throttled& found_;
};

// The same for one who decides elsewhere: what is in the way of a decision on the current item.
Throttled find_throttled_entries(const Request& request, const storage::Table& table,
                                 const storage::StoredItem& current,
                                 const storage::WriteDecision& decision);

void note_use(CallReport& report, const storage::Table& table, const ConsumedCapacity& capacity,
              UnitUse use);

// What the request used is noted, and taken from its throughput where that is enforced: the request
// is not made again on another thread from then on. One that consumes several times calls
// begin_consuming() first. What was used of partition keys is told by the two that follow.
inline void consume(const Request& request, const storage::Table& table,
                    const ConsumedCapacity& capacity, UnitUse use) {
  if (request.report != nullptr) note_use(*request.report, table, capacity, use);
  if (request.limiter == nullptr) return;
  request.effort.stay();
  request.limiter->consume(table, capacity, use);
}

// `key`: the item or its key. Each also where nothing was found or written.
inline void consume_key(const Request& request, const storage::Table& table, storage::ItemView key,
                        double read_units) {
  if (request.limiter == nullptr) return;
  request.effort.stay();
  request.limiter->count_read(table, nullptr, digest_of(table.schema.key.partition, key),
                              read_units);
}
inline void consume_keys(const Request& request, const storage::WriteOutcome& outcome,
                         storage::ItemView key, double factor = 1) {
  if (request.limiter == nullptr) return;
  request.effort.stay();
  request.limiter->count_write(outcome, key, factor);
}
// Of a read of the table or its index.
void consume_partition(const Request& request, const storage::Table& table,
                       const storage::Index* index, PartitionKey partition,
                       const ConsumedCapacity& capacity);

// Before the first of several calls of consume(): what follows them may take long.
inline void begin_consuming(const Request& request) {
  if (request.limiter != nullptr) request.effort.leave();
}

// What a request on one table consumed is taken from its throughput, and appended as the member
// ConsumedCapacity where the request asks for that.
void report_capacity(const Request& request, const Parameters& parameters, json::Writer& writer,
                     const storage::Table& table, UnitUse use,
                     absl::FunctionRef<void(ConsumedCapacity& capacity)> measure);

}  // namespace magneto::api
