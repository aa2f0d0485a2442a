#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "api/capacity/metering.h"
#include "api/transactions/cancellation.h"
#include "api/transactions/transaction.h"
#include "api/transactions/transaction_capacity.h"

namespace magneto::api {

// Throws for two reads of one item, and cancels the transaction for an invalid key. A read has
// item_key() and problem(), in addition to the functions for answer_reads().
template <typename Reads>
void check_reads(const Reads& reads) {
  check_distinct_items(reads.size(),
                       [&](std::size_t i) { return std::string_view(reads[i].item_key()); });
  cancel_if_invalid(reads.size(),
                    [&](std::size_t i) -> const CancellationReason& { return reads[i].problem(); });
}

// Reads the items of a transaction at one moment and answers with "Responses" and the consumed
// capacity. A read has table(), item_key(), key() (the key's attributes) and
// append_response(writer, item, effort). Throws as read_together() does.
template <typename Reads>
void answer_reads(Request& request, const Parameters& parameters, const Reads& reads) {
  std::vector<std::pair<const storage::Table*, std::string_view>> item_keys;
  item_keys.reserve(reads.size());
  for (const auto& read : reads) item_keys.emplace_back(&read.table(), read.item_key());
  const std::vector<storage::StoredItem> items =
      read_together(request, item_keys, [&](std::size_t i) { return reads[i].key(); });

  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Responses");
  writer.begin_array();
  std::vector<TransactionRead> consumed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    reads[i].append_response(writer, items[i], request.effort);
    const double units = kTransactionFactor * item_read_units(reads[i].table(), items[i], true);
    consumed.push_back({reads[i].table(), units});
    request.metering.add_plan(reads[i].table(), {1, items[i] ? 1 : 0, items[i].size()});
  }
  writer.end_array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    request.metering.consume_read(reads[i].table(), reads[i].key(), consumed[i].units);
  }
  report_read_capacity(request, writer, consumed, capacity_detail(parameters));
  writer.end_object();
}

}  // namespace magneto::api
