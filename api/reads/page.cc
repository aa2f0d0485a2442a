#include "api/reads/page.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/capacity/metering.h"
#include "api/insights/key_usage.h"
#include "api/json/attribute_value_json.h"
#include "api/reads/fetch_count.h"
#include "api/reads/item_output.h"
#include "api/reads/read_view.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/charged_sizes.h"
#include "storage/model/packed_strings.h"

namespace magneto::api {

using storage::ItemView;
using storage::KeySchema;
using storage::StoredItem;

namespace {

// The read units of a walk over a table or index.
class ReadUnits {
 public:
  explicit ReadUnits(const PageRequest& request) : request_(request) {
    if (request.rounds_partitions)
      partition_ = partitions().partition_of(request.range.keys().lower);
  }

  // The partition of the cursor's entry, for add(). Reading the entry's key costs a copy.
  std::size_t partition_of(const storage::ItemCursor& cursor) const {
    return request_.rounds_partitions ? partitions().partition_of(cursor.key()) : 0;
  }

  void add(std::size_t partition, std::size_t bytes) {
    if (request_.rounds_partitions) leave_partitions_before(partition);
    bytes_ += bytes;
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
  std::size_t bytes_ = 0;  // read, but not yet counted in units_
  double units_ = 0;
};

class PageWalk {
  static constexpr std::uint64_t kStepsOfAnItem = 16;   // to move a cursor to the next item
  static constexpr std::uint64_t kStepsOfAFetch = 100;  // to find an item by its key

 public:
  PageWalk(storage::Database& database, const PageRequest& request, storage::Effort& effort,
           absl::FunctionRef<void(ItemView item)> found)
      : database_(database),
        request_(request),
        effort_(effort),
        notes_(notes_for(request)),
        begun_(effort.spent()),
        found_(found),
        units_(request),
        sizes_(request.target.table->schema),
        view_(view_of_read(database, request.consistent)) {}

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
  // nullptr: keys read are not counted.
  static KeyUsage* notes_for(const PageRequest& request) {
    const ReadTarget& target = request.target;
    return KeyUsage::wants(*target.table, target.index, KeyEvent::kAccess) ? request.notes
                                                                           : nullptr;
  }

  void walk() {
    storage::ItemCursor cursor =
        database_.scan(*request_.target.table, request_.target.index, request_.range.keys(),
                       request_.direction, {.entries = items_left(), .bytes = bytes_left()}, view_);
    if (request_.returns_whole_items) {
      while (!outcome_.is_full() && collect(cursor)) evaluate_collected();
      return;
    }
    const bool is_table = request_.target.index == nullptr;
    while (!outcome_.is_full() && cursor.next()) {
      const ItemView item = cursor.item();
      const std::size_t size = cursor.item_size();
      count(units_.partition_of(cursor), size, is_table ? sizes_.of(item, size) : size);
      evaluate(item, item);
    }
  }

  // The number of items and bytes that still fit in the page; 0 items means any number.
  std::size_t items_left() const {
    return request_.limit ? static_cast<std::size_t>(*request_.limit - outcome_.scanned) : 0;
  }
  std::size_t bytes_left() const { return request_.size_limit - bytes_ - fetched_bytes_; }

  bool is_full() const {
    return (request_.limit && outcome_.scanned >= *request_.limit) ||
           bytes_ + fetched_bytes_ >= request_.size_limit ||
           effort_.spent() - begun_ >= request_.step_limit || effort_.is_stopping();
  }

  // Collects entries whose items are fetched in one step: about as many as fit in the page. False
  // if none is left.
  bool collect(storage::ItemCursor& cursor) {
    std::size_t most = fetch_count_.next(bytes_left());
    if (request_.limit) most = std::min(most, items_left());
    entries_.clear();
    entry_items_.clear();
    item_keys_.clear();
    entries_.reserve(most);
    std::size_t bytes = 0;
    while (entries_.size() < most && bytes < bytes_left() && cursor.next()) {
      const ItemView entry = cursor.item();
      const std::size_t size = cursor.item_size();
      bytes += size;
      entry_items_.add([&](std::string& out) { out.append(entry.bytes()); });
      entries_.push_back({size, units_.partition_of(cursor)});
      item_keys_.add([&](std::string& out) {
        append_item_key_of_entry(out, request_.target.table->schema, cursor.key(), entry);
      });
    }
    return !entries_.empty();
  }

  void evaluate_collected() {
    std::vector<StoredItem> items =
        database_.get_each(*request_.target.table, item_keys_.views(), view_);
    for (std::size_t i = 0; i < items.size() && !outcome_.is_full(); ++i) {
      const StoredItem item = std::move(items[i]);
      const ItemView entry(entry_items_[i]);
      count(entries_[i].partition, entries_[i].size, entries_[i].size);
      effort_.spend(kStepsOfAFetch);
      fetch_count_.note(item.size());
      fetched_bytes_ += item.size();
      fetch_units_ += read_units(sizes_.of(item.view(), item.size()), request_.consistent);
      evaluate(entry, item ? item.view() : entry);
    }
  }

  // Counts an item or entry that was read: its bytes for the page, and those that are charged.
  void count(std::size_t partition, std::size_t bytes, std::size_t charged) {
    ++outcome_.scanned;
    bytes_ += bytes;
    units_.add(partition, charged);
    effort_.spend(kStepsOfAnItem);
  }

  void evaluate(ItemView entry, ItemView whole) {
    if (notes_ != nullptr) [[unlikely]] {
      notes_->add(*request_.target.table, request_.target.index, KeyEvent::kAccess, entry);
    }
    judge(entry, whole);
    if (is_full()) outcome_.last = storage::Item(entry);
  }

  void judge(ItemView entry, ItemView whole) {
    if (request_.filter != nullptr && !request_.filter->matches(entry, effort_)) return;
    ++outcome_.count;
    found_(whole);
  }

  storage::Database& database_;
  const PageRequest& request_;
  storage::Effort& effort_;
  KeyUsage* const notes_;
  const std::uint64_t begun_;  // steps spent before the walk
  absl::FunctionRef<void(ItemView item)> found_;
  ReadUnits units_;
  const storage::ChargedSizes sizes_;
  const storage::ReadView view_;  // one for the page
  PageOutcome outcome_;
  std::size_t bytes_ = 0;          // of the table's items or the index's entries
  std::size_t fetched_bytes_ = 0;  // of items fetched from the table for entries of a local index
  double fetch_units_ = 0;

  // An entry of a local index, to be evaluated with its item.
  struct Entry {
    std::size_t size;
    std::size_t partition;  // as ReadUnits counts it
  };
  std::vector<Entry> entries_;  // entries of the current step
  storage::PackedStrings entry_items_;
  storage::PackedStrings item_keys_;
  FetchCount fetch_count_;
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

void append_page_response(Request& request, const Parameters& parameters, PageRequest page) {
  page.notes = request.metering.keys();
  const storage::Table& table = *page.target.table;
  request.metering.admit(table, page.target.index, UnitUse::kRead, page.partition);
  json::Writer writer(request.output);
  writer.begin_object();
  storage::Effort& effort = request.effort;
  std::optional<ItemArray> items;
  if (!page.count_only) {
    writer.key("Items");
    items.emplace(writer, effort);
  }
  const PageOutcome outcome = walk_page(request.database, page, effort, [&](ItemView item) {
    if (!items) return;
    if (page.projection == nullptr) {
      items->add(item);
    } else {
      items->add(page.projection->apply(item, effort));
    }
  });
  if (items) items->finish();
  writer.integer("Count", outcome.count);
  writer.integer("ScannedCount", outcome.scanned);
  if (outcome.is_full()) append_last_key(writer, page.target, outcome.last);
  request.metering.read_page(table, page.target.index, page.partition, outcome.capacity,
                             {outcome.scanned, outcome.count, outcome.bytes});
  append_consumed_capacity(writer, parameters, table, outcome.capacity);
  writer.end_object();
}

}  // namespace magneto::api
