#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/call_report.h"
#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/key_messages.h"
#include "api/messages/value_messages.h"
#include "api/messages/write_messages.h"
#include "api/operation.h"
#include "api/request/distinct_texts.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"
#include "api/writes/conditional_write.h"
#include "api/writes/item_collection_metrics.h"
#include "storage/encoding/key_encoding.h"

namespace magneto::api {

extern const Operation kBatchWriteItem;

namespace {

constexpr std::size_t kMaxWrites = 25;  // of one request, in all its tables

// WorkloadProfileName is not part of the API, but of AWS's class, so messages show it.
constexpr MemberShape kPutMembers[] = {kItem, {"WorkloadProfileName", &kStringShape}};
constexpr Shape kPutShape = structure_shape("PutRequest", kPutMembers);
constexpr MemberShape kDeleteMembers[] = {kKey, {"WorkloadProfileName", &kStringShape}};
constexpr Shape kDeleteShape = structure_shape("DeleteRequest", kDeleteMembers);
constexpr MemberShape kWriteMembers[] = {
    {"PutRequest", &kPutShape},
    {"DeleteRequest", &kDeleteShape},
};
constexpr Shape kWriteShape = structure_shape("WriteRequest", kWriteMembers);
constexpr Shape kWritesShape = with_range(list_shape(kWriteShape), 1, kMaxWrites);
constexpr Shape kBatchWriteItemRequestItemsShape{
    .kind = Kind::kMap, .element = &kWritesShape, .key = &kTableNameOrArnShape};
constexpr MemberShape kBatchWriteItemMembers[] = {
    {"RequestItems", &kBatchWriteItemRequestItemsShape, Required::kYes, Wording::kKeysLast},
    kReturnConsumedCapacity,
    kReturnItemCollectionMetrics,
};
constexpr Shape kBatchWriteItemInput = older_request(kBatchWriteItemMembers);

// One member of the batch.
struct Write {
  json::Value request;
  storage::Item item;  // the item to put, or the key to delete
  bool is_put;
  std::string item_key;
  bool is_processed = true;
};

struct TableWrites {
  std::string_view name;
  std::vector<Write> writes;
  storage::TablePtr table;
};

Write read_write(json::Value request) {
  const Parameters parameters(request);
  const json::Value put = parameters.value("PutRequest");
  const json::Value removal = parameters.value("DeleteRequest");
  if (static_cast<bool>(put) == static_cast<bool>(removal)) {
    fail_validation(messages::kSeveralTypes);
  }
  const json::Value item =
      removal ? Parameters(removal).value("Key") : Parameters(put).value("Item");
  Write write{request, json::read_item(item, json::kOlderDialect), static_cast<bool>(put), {}};
  if (write.is_put) refuse_if(find_size_problem(write.item));
  return write;
}

std::vector<TableWrites> read_tables(const Parameters& parameters, std::size_t& count) {
  const json::Object items = parameters.value("RequestItems").object();
  if (items.empty()) {
    fail_validation(messages::kNoRequestItems);
  }
  std::vector<TableWrites> tables;
  for (const json::Member member : items) {
    if (member.value.is_null()) continue;
    TableWrites& table = tables.emplace_back(TableWrites{member.name, {}, nullptr});
    for (const json::Value request : member.value.array()) {
      if (request.is_null()) continue;
      if (++count > kMaxWrites) {
        fail_validation(messages::kTooManyWrites);
      }
      table.writes.push_back(read_write(request));
    }
  }
  return tables;
}

void pin(const Request& request, TableWrites& table) {
  table.table = pin_table(request, table.name);
  const storage::TableSchema& schema = table.table->schema;
  DistinctTexts seen(table.writes.size());
  for (Write& write : table.writes) {
    if (write.is_put) {
      check_item_keys(schema, write.item, ItemKeyWording::kSchemaMismatch);
      write.item_key = storage::item_key(schema, write.item);
    } else {
      write.item_key = checked_item_key(schema, write.item);
    }
    if (!seen.add(write.item_key)) fail_validation(messages::kDuplicateKeys);
  }
}

using Outcomes = std::vector<storage::WriteOutcome>;

// Marks members that a fault rule leaves undone.
void leave_out_write(const CallReport* report, std::vector<TableWrites>& tables) {
  if (report == nullptr || report->verdict() == nullptr) return;
  std::size_t number = 0;
  for (TableWrites& table : tables) {
    for (Write& write : table.writes) write.is_processed = !report->leaves_out(number++);
  }
}

// The result of one member if throughput is enforced.
struct WriteAttempt {
  Throttled throttled;  // empty: written
  storage::WriteOutcome outcome;
};

WriteAttempt write_one(const Request& request, const storage::ItemWrite& write,
                       storage::ItemView item) {
  const storage::Table& table = *write.table;
  WriteAttempt attempt{request.metering.find_throttles(table, UnitUse::kWrite, item), {}};
  if (!attempt.throttled.empty()) return attempt;
  const ThrottledWrite throttled(request.metering, write, attempt.throttled);
  const storage::ItemWrite one = throttled.write();
  attempt.outcome = std::move(request.database.write_all({&one, 1}).front());
  if (attempt.throttled.empty()) request.metering.wrote(attempt.outcome, item);
  return attempt;
}

// Writes the members that are not throttled, one by one. Refuses a batch if all its members are
// throttled (AWS API reference, BatchWriteItem).
Outcomes write_unless_throttled(const Request& request, std::vector<TableWrites>& tables,
                                std::span<const storage::ItemWrite> writes) {
  Outcomes outcomes;
  const TableWrites* refused = nullptr;
  Throttled throttled;
  std::size_t i = 0;
  for (TableWrites& table : tables) {
    for (Write& write : table.writes) {
      if (!write.is_processed) continue;
      const std::size_t number = i++;
      WriteAttempt attempt = write_one(request, writes[number], write.item);
      write.is_processed = attempt.throttled.empty();
      if (!write.is_processed) {
        refused = &table;
        throttled = std::move(attempt.throttled);
        continue;
      }
      outcomes.push_back(std::move(attempt.outcome));
    }
  }
  if (outcomes.empty() && refused != nullptr) {
    throw throughput_exceeded(*refused->table, throttled, UnitUse::kWrite);
  }
  return outcomes;
}

// Writes all members that are not left out. Each succeeds independently. One commit serves all,
// unless throughput is enforced. Returns the outcomes of the processed members.
Outcomes write(const Request& request, std::vector<TableWrites>& tables, std::size_t count) {
  std::vector<PutDecision> puts;
  std::vector<DeleteDecision> removals;
  std::vector<storage::ItemWrite> writes;
  puts.reserve(count);
  removals.reserve(count);
  writes.reserve(count);
  for (TableWrites& table : tables) {
    for (Write& write : table.writes) {
      if (!write.is_processed) continue;
      if (write.is_put) {
        puts.push_back({request.effort, table.table->schema, write.item});
        writes.push_back({table.table, std::move(write.item_key), puts.back()});
      } else {
        removals.push_back({request.effort, table.table->schema});
        writes.push_back({table.table, std::move(write.item_key), removals.back()});
      }
    }
  }
  if (request.metering.enforces_throughput()) {
    return write_unless_throttled(request, tables, writes);
  }
  Outcomes outcomes = request.database.write_all(writes);
  request.effort.stay();
  auto outcome = outcomes.begin();
  for (const TableWrites& table : tables) {
    ConsumedCapacity capacity;
    for (const Write& write : table.writes) {
      if (!write.is_processed) continue;
      request.metering.record_written(*outcome, write.item);
      add_write(*outcome++, capacity);
    }
    request.metering.consume(*table.table, capacity, UnitUse::kWrite);
  }
  return outcomes;
}

void append_write_capacities(json::Writer& writer, const std::vector<TableWrites>& tables,
                             const Outcomes& outcomes, CapacityDetail detail) {
  writer.key("ConsumedCapacity");
  writer.begin_array();
  auto outcome = outcomes.begin();
  for (const TableWrites& table : tables) {
    ConsumedCapacity capacity;
    for (const Write& write : table.writes) {
      if (write.is_processed) add_write(*outcome++, capacity);
    }
    append_capacity(writer, table.table->schema.name, capacity, detail);
  }
  writer.end_array();
}

// Appends one entry for each item collection written to.
void append_table_metrics(json::Writer& writer, storage::Database& database,
                          const TableWrites& table) {
  const std::string& partition = table.table->schema.key.partition.front().name;
  DistinctTexts seen(table.writes.size());
  writer.escaped_key(table.name);
  writer.begin_array();
  for (const Write& write : table.writes) {
    if (!write.is_processed) continue;
    if (!seen.add(write.item.view().find(partition).bytes())) continue;
    append_collection_metrics(writer, database, *table.table, write.item);
  }
  writer.end_array();
}

void append_metrics(json::Writer& writer, storage::Database& database,
                    const std::vector<TableWrites>& tables) {
  writer.key("ItemCollectionMetrics");
  writer.begin_object();
  for (const TableWrites& table : tables) {
    if (has_item_collections(*table.table)) append_table_metrics(writer, database, table);
  }
  writer.end_object();
}

// Appends the members that were not written, with table names as in the request.
void append_unprocessed(json::Writer& writer, const std::vector<TableWrites>& tables) {
  writer.key("UnprocessedItems");
  writer.begin_object();
  for (const TableWrites& table : tables) {
    if (std::ranges::all_of(table.writes, &Write::is_processed)) continue;
    writer.escaped_key(table.name);
    writer.begin_array();
    for (const Write& write : table.writes) {
      if (!write.is_processed) json::append_compact(write.request, writer.raw());
    }
    writer.end_array();
  }
  writer.end_object();
}

void batch_write_item(Request& request) {
  const Parameters parameters(request.input);
  std::size_t count = 0;
  std::vector<TableWrites> tables = read_tables(parameters, count);
  for (TableWrites& table : tables) pin(request, table);
  leave_out_write(request.report, tables);
  request.metering.begin_consuming();  // then each member is a separate commit
  expect_collection_metrics(request, parameters);
  const Outcomes outcomes = write(request, tables, count);

  json::Writer writer(request.output);
  writer.begin_object();
  append_unprocessed(writer, tables);
  if (const CapacityDetail detail = capacity_detail(parameters); detail != CapacityDetail::kNone) {
    append_write_capacities(writer, tables, outcomes, detail);
  }
  if (wants_collection_metrics(parameters)) append_metrics(writer, request.database, tables);
  writer.end_object();
}

}  // namespace

constinit const Operation kBatchWriteItem{.name = "BatchWriteItem",
                                          .input = kBatchWriteItemInput,
                                          .handle = &batch_write_item,
                                          .writes = true,
                                          .form = RequestForm::kBatch};

}  // namespace magneto::api
