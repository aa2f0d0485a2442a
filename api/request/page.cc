#include "api/request/page.h"

#include "api/json/attribute_value_json.h"
#include "api/json/json_writer.h"
#include "api/request/consumed_capacity.h"
#include "storage/model/limits.h"

namespace magneto::api {

using storage::AttributeView;
using storage::ItemView;
using storage::KeyAttribute;
using storage::KeySchema;
using storage::StoredItem;

namespace {

class PageReader {
 public:
  PageReader(json::Writer& writer, storage::Database& database, const PageRequest& request)
      : writer_(writer),
        database_(database),
        request_(request),
        fetches_(request.filters_whole_items || request.returns_whole_items) {}

  void read() {
    if (!request_.count_only) {
      writer_.key("Items");
      writer_.begin_array();
    }
    storage::Item last;
    if (request_.range.lower < request_.range.upper) last = walk();
    if (!request_.count_only) writer_.end_array();
    writer_.key("Count");
    writer_.integer(count_);
    writer_.key("ScannedCount");
    writer_.integer(scanned_);
    if (!last.bytes().empty()) append_last_key(last);
  }

  ConsumedCapacity capacity() const {
    ConsumedCapacity capacity;
    const double read = read_units(bytes_, request_.consistent);
    if (request_.target.index == nullptr) {
      capacity.table = read;
    } else {
      capacity.table = fetch_units_;
      capacity.add_index(*request_.target.index, read);
    }
    return capacity;
  }

 private:
  // The last item evaluated when the page is full; no item when the range came to its end.
  storage::Item walk() {
    storage::ItemCursor cursor = database_.scan(*request_.target.table, request_.target.index,
                                                request_.range, request_.direction);
    while (cursor.next()) {
      ++scanned_;
      bytes_ += cursor.item_size();
      evaluate(cursor.item());
      const bool limit_reached = request_.limit && scanned_ >= *request_.limit;
      if (limit_reached || bytes_ + fetched_bytes_ >= storage::kPageSize) {
        return storage::Item(cursor.item());
      }
    }
    return {};
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
    ++count_;
    if (!request_.count_only) append(request_.returns_whole_items ? whole : entry);
  }

  void append(ItemView item) {
    if (request_.projection == nullptr) {
      json::append_item(writer_.raw(), item);
    } else {
      json::append_item(writer_.raw(), request_.projection->apply(item));
    }
  }

  void append_last_key(ItemView item) {
    writer_.key("LastEvaluatedKey");
    writer_.begin_object();
    const KeySchema& table_key = request_.target.table->schema.key;
    append_key(table_key, item, nullptr);
    if (request_.target.index != nullptr) append_key(request_.target.key(), item, &table_key);
    writer_.end_object();
  }

  void append_key(const KeySchema& schema, ItemView item, const KeySchema* without) {
    for (const std::vector<KeyAttribute>* part : {&schema.partition, &schema.sort}) {
      for (const KeyAttribute& attribute : *part) {
        if (without != nullptr && without->contains(attribute.name)) continue;
        writer_.escaped_key(attribute.name);
        json::append_value(writer_.raw(), item.find(attribute.name));
      }
    }
  }

  json::Writer& writer_;
  storage::Database& database_;
  const PageRequest& request_;
  const bool fetches_;
  std::int64_t scanned_ = 0;
  std::int64_t count_ = 0;
  std::size_t bytes_ = 0;          // of the table's items or the index's entries
  std::size_t fetched_bytes_ = 0;  // of items fetched from the table for entries of a local index
  double fetch_units_ = 0;
};

}  // namespace

void append_page_response(Request& request, const Parameters& parameters, const PageRequest& page) {
  json::Writer writer(request.output);
  writer.begin_object();
  PageReader reader(writer, request.database, page);
  reader.read();
  if (const CapacityDetail detail = capacity_detail(parameters); detail != CapacityDetail::kNone) {
    writer.key("ConsumedCapacity");
    append_capacity(writer, page.target.table->schema.name, reader.capacity(), detail);
  }
  writer.end_object();
}

}  // namespace magneto::api
