#pragma once

#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/capacity/consumed_capacity.h"
#include "api/capacity/throughput_limiter.h"
#include "api/error.h"
#include "api/insights/key_notes.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"

// What requests use is told to whoever counts it (CallReport), and requests are held to provisioned
// throughput, when they are: `request.limiter` is nullptr otherwise.
namespace magneto::api {

// Why a request or an action is throttled (AWS API reference, "CancellationReason"). `throttled` is
// not empty.
std::string_view throttled_message(const Throttled& throttled);

// The same as ProvisionedThroughputExceededException.
ApiError throughput_exceeded(const storage::Table& table, const Throttled& throttled, UnitUse use);

// The key that was throttled, an item, or what of it is known, is noted where somebody counts keys.
void note_throttle(const Request& request, const storage::Table& table, const Throttled& throttled,
                   storage::ItemView key);
// The same of a partition key.
void note_throttle(const Request& request, const storage::Table& table, const Throttled& throttled,
                   std::span<const storage::AttributeView> partition);

// Throws ProvisionedThroughputExceededException unless the request may read `index` (nullptr: the
// table) or write. Called after a request's checks, before it touches items. Of the key
// note_throttle() is told. Each has two parts, since most often nobody is held to anything.
void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use, storage::ItemView key);
void hold_to_throughput(const Request& request, const storage::Table& table,
                        const storage::Index* index, UnitUse use,
                        std::span<const storage::AttributeView> partition);
inline void throttle(const Request& request, const storage::Table& table,
                     const storage::Index* index, UnitUse use, storage::ItemView key) {
  if (request.limiter != nullptr) hold_to_throughput(request, table, index, use, key);
}
inline void throttle(const Request& request, const storage::Table& table,
                     const storage::Index* index, UnitUse use,
                     std::span<const storage::AttributeView> partition) {
  if (request.limiter != nullptr) hold_to_throughput(request, table, index, use, partition);
}

void note_use(CallReport& report, const storage::Table& table, const ConsumedCapacity& capacity,
              UnitUse use);

// What the request used is noted, and taken from its throughput where that is enforced: the request
// is not made again on another thread from then on. One that consumes several times calls
// begin_consuming() first.
inline void consume(const Request& request, const storage::Table& table,
                    const ConsumedCapacity& capacity, UnitUse use) {
  if (request.report != nullptr) note_use(*request.report, table, capacity, use);
  if (request.limiter == nullptr) return;
  request.effort.stay();
  request.limiter->consume(table, capacity, use);
}

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
