#pragma once

#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/capacity/consumed_capacity.h"
#include "api/capacity/throughput_limiter.h"
#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"

// How requests are held to provisioned throughput, when they are: `request.limiter` is nullptr
// otherwise, and all of this costs nothing.
namespace magneto::api {

// Why something that found such shortages is refused (AWS API reference, "CancellationReason").
std::string_view shortage_message(const Shortages& shortages);

// The same as ProvisionedThroughputExceededException. `shortages` is not empty.
ApiError throughput_exceeded(const storage::Table& table, const Shortages& shortages, UnitUse use);

// Throws ProvisionedThroughputExceededException unless the request may read `index` (nullptr: the
// table) or write. Called after a request's checks, before it touches items.
inline void admit(const Request& request, const storage::Table& table, const storage::Index* index,
                  UnitUse use) {
  if (request.limiter == nullptr) return;
  const Shortages found = request.limiter->shortages(table, index, use);
  if (!found.empty()) throw throughput_exceeded(table, found, use);
}

// What the request used, which is not made again on another thread from then on. One that charges
// several times calls charge_often() first.
inline void charge(const Request& request, const storage::Table& table,
                   const ConsumedCapacity& capacity, UnitUse use) {
  if (request.limiter == nullptr) return;
  request.effort.stay();
  request.limiter->charge(table, capacity, use);
}

// Before the first of several charges: what follows them may take long.
inline void charge_often(const Request& request) {
  if (request.limiter != nullptr) request.effort.leave();
}

// What a request on one table consumed is charged, and appended as the member ConsumedCapacity, as
// far as somebody wants to know; otherwise it is not measured.
void account(const Request& request, const Parameters& parameters, json::Writer& writer,
             const storage::Table& table, UnitUse use,
             absl::FunctionRef<void(ConsumedCapacity& capacity)> measure);

}  // namespace magneto::api
