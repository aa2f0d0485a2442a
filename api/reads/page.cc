#include "api/reads/page.h"

#include "api/capacity/throttling.h"
#include "api/json/attribute_value_json.h"
#include "api/reads/item_output.h"
#include "storage/encoding/key_encoding.h"

namespace magneto::api {

using storage::ItemView;
using storage::KeySchema;
using storage::StoredItem;

namespace {

// The units of what a walk reads of a table or index.
class ReadUnits {
 public:
  explicit ReadUnits(const PageRequest& request) : request_(request) {
    if (request.rounds_partitions)
      partition_ = partitions().partition_of(request.range.keys().lower);
  }

  // Of the entry that the cursor stands at; its key costs a copy.
  void add(const storage::ItemCursor& cursor) {
    if (request_.rounds_partitions) {
      leave_partitions_before(partitions().partition_of(cursor.key()));
    }
    bytes_ += cursor.item_size();
  }

  // `is_full`: the page ended before the range did.
  double finish(bool is_full) {
    if (request_.rounds_partitions && !is_full) leave_partitions_before(partitions().size() - 1);
    return units_ + read_units(bytes_, request_.consistent);
  }

 private:
  const storage::PartitionMap& partitions() const { return request_.target.table->partitions; }

  void leave_partitions_before(std::size_t partition) {
    for (; partition_ < partition; ++partition_) {
      units_ += read_units(bytes_, request_.consistent);
      bytes_ = 0;
    }
  }

  const PageRequest& request_;
  std::size_t partition_ = 0;
  std::size_t bytes_ = 0;  // read and not counted in units_ yet
  double units_ = 0;
};

class PageWalk {
  static constexpr std::uint64_t kStepsOfAnItem = 16;   // to move a cursor on
  static constexpr std::uint64_t kStepsOfAFetch = 100;  // to find an item by its key

 public:
  PageWalk(storage::Database& database, const PageRequest& request, storage::Effort& effort,
           absl::FunctionRef<void(ItemView item)> found)
      : database_(database),
        request_(request),
        effort_(effort),
        begun_(effort.spent()),
        found_(found),
        units_(request) {}

  PageOutcome run() {
    if (!request_.range.empty()) walk();
    const double read = units_.finish(outcome_.is_full());
    if (request_.target.index == nullptr) {
      outcome_.capacity.table = read;
    } else {
      outcome_.capacity.table = fetch_units_;
      outcome_.capacity.add_index(*request_.target.index, read);
    }
    outcome_.bytes = bytes_ + fetched_bytes_;
    return std::move(outcome_);
  }

 private:
  void walk() {
    storage::ItemCursor cursor = database_.scan(*request_.target.table, request_.target.index,
                                                request_.range.keys(), request_.direction);
    while (cursor.next()) {
      ++outcome_.scanned;
      bytes_ += cursor.item_size();
      units_.add(cursor);
      effort_.spend(kStepsOfAnItem);
      evaluate(cursor.item());
      if (is_full()) {
        outcome_.last = storage::Item(cursor.item());
        return;
      }
    }
  }

  bool is_full() const {
    return (request_.limit && outcome_.scanned >= *request_.limit) ||
           bytes_ + fetched_bytes_ >= request_.size_limit ||
           effort_.spent() - begun_ >= request_.step_limit || effort_.is_stopping();
  }

  void evaluate(ItemView entry) {
    StoredItem fetched;
    ItemView whole = entry;
    if (request_.returns_whole_items) {
      const storage::Table& table = *request_.target.table;
      effort_.spend(kStepsOfAFetch);
      fetched = database_.get(table, storage::item_key(table.schema, entry));
      if (fetched) whole = fetched.view();
      fetched_bytes_ += fetched.size();
      fetch_units_ += read_units(fetched.size(), request_.consistent);
    }
    if (request_.filter != nullptr && !request_.filter->matches(entry, effort_)) return;
    ++outcome_.count;
    found_(whole);
  }

  storage::Database& database_;
  const PageRequest& request_;
  storage::Effort& effort_;
  const std::uint64_t begun_;  // the steps spent before
  absl::FunctionRef<void(ItemView item)> found_;
  ReadUnits units_;
  PageOutcome outcome_;
  std::size_t bytes_ = 0;          // of the table's items or the index's entries
  std::size_t fetched_bytes_ = 0;  // of items fetched from the table for entries of a local index
  double fetch_units_ = 0;
};

void append_key(json::Writer& writer, const KeySchema& schema, ItemView item,
                const KeySchema* without) {
  for (const auto element : schema.attributes()) {
    const std::string& name = element.attribute.name;
    if (without != nullptr && without->contains(name)) continue;
    writer.escaped_key(name);
    json::append_value(writer.raw(), item.find(name));
  }
}

}  // namespace

PageOutcome walk_page(storage::Database& database, const PageRequest& page, storage::Effort& effort,
                      absl::FunctionRef<void(ItemView item)> found) {
  return PageWalk(database, page, effort, found).run();
}

void append_last_key(json::Writer& writer, const ReadTarget& target, ItemView item) {
  writer.key("LastEvaluatedKey");
  writer.begin_object();
  const KeySchema& table_key = target.table->schema.key;
  append_key(writer, table_key, item, nullptr);
  if (target.index != nullptr) append_key(writer, target.key(), item, &table_key);
  writer.end_object();
}

void append_page_response(Request& request, const Parameters& parameters, const PageRequest& page) {
  const storage::Table& table = *page.target.table;
  throttle(request, table, page.target.index, UnitUse::kRead);
  json::Writer writer(request.output);
  writer.begin_object();
  if (!page.count_only) {
    writer.key("Items");
    writer.begin_array();
  }
  storage::Effort& effort = request.effort;
  PageOutcome outcome = walk_page(request.database, page, effort, [&](ItemView item) {
    if (page.count_only) return;
    if (page.projection == nullptr) {
      append_item(writer, item, effort);
    } else {
      append_item(writer, page.projection->apply(item, effort), effort);
    }
  });
  if (!page.count_only) writer.end_array();
  writer.key("Count");
  writer.integer(outcome.count);
  writer.key("ScannedCount");
  writer.integer(outcome.scanned);
  if (outcome.is_full()) append_last_key(writer, page.target, outcome.last);
  report_capacity(request, parameters, writer, table, UnitUse::kRead,
                  [&](ConsumedCapacity& capacity) { capacity = std::move(outcome.capacity); });
  writer.end_object();
}

}  // namespace magneto::api
