#include "api/request/page.h"

#include "api/json/attribute_value_json.h"
#include "api/request/admission.h"

namespace magneto::api {

using storage::ItemView;
using storage::KeyAttribute;
using storage::KeySchema;
using storage::StoredItem;

namespace {

class PageWalk {
 public:
  PageWalk(storage::Database& database, const PageRequest& request,
           absl::FunctionRef<void(ItemView item)> found)
      : database_(database),
        request_(request),
        found_(found),
        fetches_(request.filters_whole_items || request.returns_whole_items) {}

  PageOutcome run() {
    if (request_.range.lower < request_.range.upper) walk();
    const double read = read_units(bytes_, request_.consistent);
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
                                                request_.range, request_.direction);
    while (cursor.next()) {
      ++outcome_.scanned;
      bytes_ += cursor.item_size();
      evaluate(cursor.item());
      const bool limit_reached = request_.limit && outcome_.scanned >= *request_.limit;
      if (limit_reached || bytes_ + fetched_bytes_ >= request_.size_limit) {
        outcome_.last = storage::Item(cursor.item());
        return;
      }
    }
  }

  void evaluate(ItemView entry) {
    StoredItem fetched;
    ItemView whole = entry;
    if (fetches_) {
      const storage::Table& table = *request_.target.table;
      fetched = database_.get(table, storage::item_key(table.schema, entry));
      if (fetched) whole = fetched.view();
      fetched_bytes_ += fetched.size();
      fetch_units_ += read_units(fetched.size(), request_.consistent);
    }
    if (request_.filter != nullptr &&
        !request_.filter->matches(request_.filters_whole_items ? whole : entry)) {
      return;
    }
    ++outcome_.count;
    found_(request_.returns_whole_items ? whole : entry);
  }

  storage::Database& database_;
  const PageRequest& request_;
  absl::FunctionRef<void(ItemView item)> found_;
  const bool fetches_;
  PageOutcome outcome_;
  std::size_t bytes_ = 0;          // of the table's items or the index's entries
  std::size_t fetched_bytes_ = 0;  // of items fetched from the table for entries of a local index
  double fetch_units_ = 0;
};

void append_key(json::Writer& writer, const KeySchema& schema, ItemView item,
                const KeySchema* without) {
  for (const std::vector<KeyAttribute>* part : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *part) {
      if (without != nullptr && without->contains(attribute.name)) continue;
      writer.escaped_key(attribute.name);
      json::append_value(writer.raw(), item.find(attribute.name));
    }
  }
}

}  // namespace

PageOutcome walk_page(storage::Database& database, const PageRequest& page,
                      absl::FunctionRef<void(ItemView item)> found) {
  return PageWalk(database, page, found).run();
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
  admit(request, table, page.target.index, UnitUse::kRead);
  json::Writer writer(request.output);
  writer.begin_object();
  if (!page.count_only) {
    writer.key("Items");
    writer.begin_array();
  }
  PageOutcome outcome = walk_page(request.database, page, [&](ItemView item) {
    if (page.count_only) return;
    if (page.projection == nullptr) {
      json::append_item(writer.raw(), item);
    } else {
      json::append_item(writer.raw(), page.projection->apply(item));
    }
  });
  if (!page.count_only) writer.end_array();
  writer.key("Count");
  writer.integer(outcome.count);
  writer.key("ScannedCount");
  writer.integer(outcome.scanned);
  if (outcome.is_full()) append_last_key(writer, page.target, outcome.last);
  account(request, parameters, writer, table, UnitUse::kRead,
          [&](ConsumedCapacity& capacity) { capacity = std::move(outcome.capacity); });
  writer.end_object();
}

}  // namespace magneto::api
