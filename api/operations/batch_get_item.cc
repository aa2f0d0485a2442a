#include <algorithm>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/call_report.h"
#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/key_messages.h"
#include "api/messages/parameter_messages.h"
#include "api/messages/read_messages.h"
#include "api/operation.h"
#include "api/reads/fetch_count.h"
#include "api/reads/item_output.h"
#include "api/reads/read_view.h"
#include "api/reads/requested_projection.h"
#include "api/request/distinct_texts.h"
#include "api/request/expression_inputs.h"
#include "api/request/table_lookup.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/limits.h"
#include "storage/model/packed_strings.h"

namespace magneto::api {

extern const Operation kBatchGetItem;

namespace {

constexpr std::size_t kMaxKeys = 100;  // of one request, in all its tables
constexpr std::size_t kTypicalKeyBytes = 64;

constexpr Shape kKeysShape = with_range(list_shape(kAttributeMapShape), 1, kMaxKeys);
constexpr MemberShape kTableMembers[] = {
    {"Keys", &kKeysShape, Required::kYes, Wording::kCurrentRange},
    kAttributesToGet,
    kConsistentRead,
    kExpressionAttributeNames,
    kProjectionExpression,
};
constexpr Shape kTableShape = structure_shape("KeysAndAttributes", kTableMembers);
constexpr Shape kRequestItemsShape{.kind = Kind::kMap,
                                   .min = 1,
                                   .has_min = true,
                                   .echo = Echo::kJson,
                                   .element = &kTableShape,
                                   .key = &kTableNameOrArnShape};
constexpr MemberShape kBatchGetItemMembers[] = {
    {"RequestItems", &kRequestItemsShape, Required::kYes, Wording::kCurrentMinimum},
    kReturnConsumedCapacity,
};
constexpr Shape kBatchGetItemInput = current_request(kBatchGetItemMembers);

constexpr std::string_view kBatchGetItemExpressions[] = {"ProjectionExpression"};
constexpr std::string_view kBatchGetItemLegacy[] = {"AttributesToGet"};
constexpr ExpressionRules kBatchGetItemRules{kBatchGetItemExpressions, kBatchGetItemLegacy,
                                             json::kBareDialect};

// The reads that a request makes in one table.
class TableReads {
 public:
  TableReads(std::string_view table_name, json::Value block)
      : name_(table_name),
        parameters_(block),
        inputs_(parameters_, kBatchGetItemRules),
        consistent_(parameters_.boolean("ConsistentRead")) {
    read_keys();  // before names and expressions (captured facts 3, R9 and R12)
    check_attribute_names(parameters_);
    check_attributes_differ(parameters_);
    inputs_.read_placeholders();
    projection_ = requested_projection(parameters_, inputs_);
    inputs_.check_all_used();
    check_keys_differ();
  }

  TableReads(const TableReads&) = delete;  // it has views of itself
  TableReads& operator=(const TableReads&) = delete;

  std::size_t key_count() const { return keys_.size(); }

  void pin(const Request& request) {
    table_ = pin_table(request, name_);
    item_key_bytes_ = checked_item_keys(table_->schema, keys_);
    item_keys_ = item_key_bytes_.views();
    if (projection_) check_keys_are_scalars(table_->schema, projection_->nested_attributes());
  }

  // Leaves members undone according to fault rules. The first key here has the index `first` in the
  // request.
  void leave_out(const CallReport& report, std::size_t first) {
    leave_out([&](std::size_t number) { return report.leaves_out(first + number); });
  }

  // Also leaves out members whose partition key is throttled; other keys of the table may be read.
  void leave_out_throttled(const Request& request) {
    Throttled found;
    leave_out([&](std::size_t number) {
      found = request.metering.find_throttles(*table_, UnitUse::kRead, keys_[number]);
      if (!found.empty()) throttled_ = found;
      return !found.empty();
    });
  }

  // Appends the array of items found, until `budget` bytes or the table's throughput are used up.
  void append_items(json::Writer& writer, const Request& request, FetchCount& fetch_count,
                    std::size_t& budget) {
    ItemArray items(writer, request.effort);
    if (request.metering.enforces_throughput()) leave_out_throttled(request);
    std::vector<storage::StoredItem> fetched;  // after processed_
    auto next = fetched.begin();
    while (processed_ < item_keys_.size()) {
      if (request.metering.enforces_throughput() && is_throttled(request)) break;
      if (next == fetched.end()) {
        fetched = fetch(request.database, fetch_count.next(budget));
        next = fetched.begin();
      }
      const storage::StoredItem item = std::move(*next++);
      fetch_count.note(item.size());
      if (item.size() > budget) {
        budget = 0;  // the answer is full, also for the following tables
        break;
      }
      budget -= item.size();
      const double units = item_read_units(*table_, item, consistent_);
      request.metering.read_item(*table_, key(processed_), item.size(), units);
      units_ += units;
      ++processed_;
      if (item) add_item(items, item.view(), request.effort);
      // The client can request the remaining items again.
      if (request.effort.is_stopping()) budget = 0;
    }
    items.finish();
  }

  bool is_complete() const {
    return processed_ == item_keys_.size() && item_keys_.size() == keys_.size();
  }
  bool is_untouched() const { return processed_ == 0; }
  void check_throughput() const {
    if (!throttled_.empty()) throw throughput_exceeded(*table_, throttled_, UnitUse::kRead);
  }

  // Repeats the block with the keys that were not processed.
  void append_unprocessed(json::Writer& writer) const {
    writer.escaped_key(name_);
    writer.begin_object();
    writer.key("Keys");
    writer.begin_array();
    std::size_t i = 0;
    std::size_t processed = processed_;
    for (const json::Value key : parameters_.value("Keys").array()) {
      const bool is_left_out = !is_left_out_.empty() && is_left_out_[i++];
      if (!is_left_out && processed > 0) {
        --processed;
      } else {
        json::append_compact(key, writer.raw());
      }
    }
    writer.end_array();
    for (const MemberShape& member : kTableMembers) {
      if (member.name == "Keys" || !parameters_.has(member.name)) continue;
      writer.key(member.name);
      json::append_compact(parameters_.value(member.name), writer.raw());
    }
    writer.end_object();
  }

  std::string_view name() const { return name_; }
  const storage::TableSchema& schema() const { return table_->schema; }
  double units() const { return units_; }

 private:
  void read_keys() {
    const json::Array keys = parameters_.value("Keys").array();
    key_bytes_.reserve(keys.size(), keys.size() * kTypicalKeyBytes);
    for (const json::Value key : keys) {
      key_bytes_.add([&](std::string& out) {
        if (!key.is_null()) json::read_item(key, kBatchGetItemRules.dialect, out);
      });
    }
    keys_.reserve(keys.size());
    for (std::size_t i = 0; i < key_bytes_.size(); ++i) keys_.emplace_back(key_bytes_[i]);
  }

  void check_keys_differ() const {
    DistinctTexts seen(keys_.size());
    for (const storage::ItemView key : keys_) {
      if (!seen.add(key.bytes())) fail_validation(messages::kDuplicateKeys);
    }
  }

  // The key for the item key at `place`.
  storage::ItemView key(std::size_t place) const {
    if (is_left_out_.empty()) return keys_[place];
    std::size_t i = 0;
    for (; is_left_out_[i] || place > 0; ++i) {
      if (!is_left_out_[i]) --place;
    }
    return keys_[i];
  }

  void leave_out(absl::FunctionRef<bool(std::size_t number)> is_left_out) {
    is_left_out_.resize(keys_.size());
    std::vector<std::string_view> kept;
    auto next = item_keys_.begin();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (is_left_out_[i]) continue;
      is_left_out_[i] = is_left_out(i);
      if (!is_left_out_[i]) kept.push_back(*next);
      ++next;
    }
    item_keys_ = std::move(kept);
  }

  // Whether the table has no units left. In that case, all remaining keys are throttled.
  bool is_throttled(const Request& request) {
    Throttled found = request.metering.find_read_throttles(*table_);
    if (found.empty()) return false;
    throttled_ = std::move(found);
    for (std::size_t i = processed_; i < item_keys_.size(); ++i) {
      request.metering.record_throttled(*table_, throttled_, key(i));
    }
    return true;
  }

  std::vector<storage::StoredItem> fetch(storage::Database& database, std::size_t count) const {
    const auto left = std::span(item_keys_).subspan(processed_);
    return database.get_each(*table_, left.first(std::min(count, left.size())),
                             view_of_read(database, consistent_));
  }

  void add_item(ItemArray& items, storage::ItemView item, storage::Effort& effort) const {
    if (projection_) {
      items.add(projection_->apply(item, effort));
    } else {
      items.add(item);
    }
  }

  std::string_view name_;
  Parameters parameters_;
  ExpressionInputs inputs_;
  bool consistent_;
  std::optional<expressions::Projection> projection_;
  storage::PackedStrings key_bytes_;
  std::vector<storage::ItemView> keys_;  // views of key_bytes_
  storage::TablePtr table_;
  storage::PackedStrings item_key_bytes_;
  std::vector<std::string_view> item_keys_;  // without those left out
  std::vector<bool> is_left_out_;            // empty: none
  std::size_t processed_ = 0;
  Throttled throttled_;  // the causes for unread keys
  double units_ = 0;
};

bool has_in_any_block(json::Value blocks, std::string_view parameter) {
  for (const json::Member block : blocks.object()) {
    if (!block.value.is_null() && Parameters(block.value).has(parameter)) return true;
  }
  return false;
}

// Refuses a mixture even across the blocks of different tables (captured facts, "BatchGetItem"),
// before any of their values (captured facts 3, R12).
void check_mixture(json::Value blocks) {
  if (has_in_any_block(blocks, kBatchGetItemLegacy[0]) &&
      has_in_any_block(blocks, kBatchGetItemExpressions[0])) {
    fail_validation(messages::mixed_parameters(kBatchGetItemLegacy, kBatchGetItemExpressions));
  }
}

// A batch is refused if all its keys are throttled (AWS API reference, BatchGetItem).
void check_throughput(const std::deque<TableReads>& reads) {
  if (!std::ranges::all_of(reads, &TableReads::is_untouched)) return;
  for (const TableReads& table : reads) table.check_throughput();
}

void append_capacities(json::Writer& writer, const std::deque<TableReads>& reads,
                       CapacityDetail detail) {
  writer.key("ConsumedCapacity");
  writer.begin_array();
  for (const TableReads& table : reads) {
    ConsumedCapacity capacity;
    capacity.table = table.units();
    append_capacity(writer, table.schema().name, capacity, detail);
  }
  writer.end_array();
}

void append_response(Request& request, std::deque<TableReads>& reads, CapacityDetail detail) {
  json::Writer writer(request.output);
  FetchCount fetch_count;
  std::size_t budget = storage::kMaxBatchGetSize;
  writer.begin_object();
  writer.key("Responses");
  writer.begin_object();
  for (TableReads& table : reads) {
    writer.escaped_key(table.name());
    table.append_items(writer, request, fetch_count, budget);
  }
  check_throughput(reads);
  writer.end_object();
  writer.key("UnprocessedKeys");
  writer.begin_object();
  for (const TableReads& table : reads) {
    if (!table.is_complete()) table.append_unprocessed(writer);
  }
  writer.end_object();
  if (detail != CapacityDetail::kNone) append_capacities(writer, reads, detail);
  writer.end_object();
}

void leave_out(const CallReport* report, std::deque<TableReads>& reads) {
  if (report == nullptr || report->verdict() == nullptr) return;
  std::size_t first = 0;
  for (TableReads& table : reads) {
    table.leave_out(*report, first);
    first += table.key_count();
  }
}

void batch_get_item(Request& request) {
  const Parameters parameters(request.input);
  check_mixture(parameters.value("RequestItems"));
  std::deque<TableReads> reads;
  std::size_t key_count = 0;
  for (const json::Member member : parameters.value("RequestItems").object()) {
    if (member.value.is_null()) continue;
    key_count += reads.emplace_back(member.name, member.value).key_count();
    if (key_count > kMaxKeys) {
      fail_validation(messages::kTooManyReads);
    }
  }
  for (TableReads& table : reads) table.pin(request);
  leave_out(request.report, reads);
  request.metering.begin_consuming();
  append_response(request, reads, capacity_detail(parameters));
}

}  // namespace

constinit const Operation kBatchGetItem{.name = "BatchGetItem",
                                        .input = kBatchGetItemInput,
                                        .handle = &batch_get_item,
                                        .form = RequestForm::kBatch,
                                        .answers_much = true};

}  // namespace magneto::api
