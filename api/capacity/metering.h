#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "api/call_report.h"
#include "api/capacity/consumed_capacity.h"
#include "api/capacity/throttle_cause.h"
#include "api/capacity/throughput_limiter.h"
#include "api/insights/key_notes.h"
#include "storage/model/effort.h"
#include "storage/table/item_write.h"

namespace magneto::api {

// The values of a partition key as far as a request has one for all it reads.
using PartitionKey = std::span<const storage::AttributeView>;

// The one door between an operation and what meters it: enforced throughput, contributor insights
// and the call's report. Each of them may be off, which costs a comparison. It belongs to one
// attempt to make a call. An operation calls admit() after its checks, before it touches items, and
// read_item(), read_page() or wrote() when it is done; the other functions are for operations on
// many items. `key` is an item or its key; `index` is nullptr for the table itself.
class Metering {
 public:
  // Each may be nullptr: throughput is not enforced, nobody reads the report or counts keys. All
  // outlive this.
  Metering(storage::Effort& effort, ThroughputLimiter* limiter, CallReport* report, KeyNotes* keys)
      : effort_(effort), limiter_(limiter), report_(report), keys_(keys) {}

  bool enforces_throughput() const { return limiter_ != nullptr; }
  KeyNotes* keys() const { return keys_; }

  // Throws the error of throughput_exceeded() unless the request may read or write.
  void admit(const storage::Table& table, UnitUse use, storage::ItemView key) const {
    if (limiter_ != nullptr) enforce(table, use, key);
  }
  void admit(const storage::Table& table, const storage::Index* index, UnitUse use,
             PartitionKey partition) const {
    if (limiter_ != nullptr) enforce(table, index, use, partition);
  }

  // An operation read one item, or none: `bytes` is then 0.
  void read_item(const storage::Table& table, storage::ItemView key, std::size_t bytes,
                 double units) const;
  // An operation read a page of items.
  void read_page(const storage::Table& table, const storage::Index* index, PartitionKey partition,
                 const ConsumedCapacity& capacity, const CallReport::Plan& plan) const;
  // An operation wrote one item, or a condition refused the write, which costs what writing the item
  // it saw would (AWS developer guide, "Capacity unit consumption for conditional writes").
  void wrote(const storage::WriteOutcome& outcome, storage::ItemView key) const;

  // What throttles a request on one item now; empty: nothing. These three require that throughput is
  // enforced, and note the keys that are throttled.
  Throttled find_throttles(const storage::Table& table, UnitUse use, storage::ItemView key) const;
  // What throttles all reads of the table, whatever the key.
  Throttled find_read_throttles(const storage::Table& table) const;
  // What is in the way of a decision on the current item: global indexes without units for the
  // partition key of an entry that the item has or would get.
  Throttled find_throttled_entries(const storage::Table& table, const storage::StoredItem& current,
                                   const storage::WriteDecision& decision) const;
  void note_throttled(const storage::Table& table, const Throttled& throttled,
                      storage::ItemView key) const;

  // Before the first of several consume(): the work after each of them may take long.
  void begin_consuming() const {
    if (limiter_ != nullptr) effort_.leave();
  }
  // Reports units, and subtracts them from the throughput that is enforced: from then on the request
  // is not made again on another thread. Units of partition keys are subtracted apart.
  void consume(const storage::Table& table, const ConsumedCapacity& capacity, UnitUse use) const;
  void consume_read(const storage::Table& table, storage::ItemView key, double units) const;
  void consume_written(const storage::WriteOutcome& outcome, storage::ItemView key,
                       double factor = 1) const;

  // Counts the key of an item, found or not, or of an entry of the index.
  void note_read(const storage::Table& table, const storage::Index* index,
                 storage::ItemView key) const {
    if (KeyNotes::wants(table, index, KeyEvent::kAccess) && keys_ != nullptr) [[unlikely]] {
      keys_->add(table, index, KeyEvent::kAccess, key);
    }
  }
  // Counts the key of the item, and those of the entries of global indexes that changed.
  void note_written(const storage::WriteOutcome& outcome, storage::ItemView key) const {
    if (outcome.table->schema.contributor_insights.empty() || keys_ == nullptr) [[likely]] {
      return;
    }
    note_written_keys(*keys_, outcome, key);
  }
  void add_plan(const CallReport::Plan& plan) const {
    if (report_ != nullptr) report_->add_plan(plan.read, plan.returned, plan.bytes);
  }

 private:
  void enforce(const storage::Table& table, UnitUse use, storage::ItemView key) const;
  void enforce(const storage::Table& table, const storage::Index* index, UnitUse use,
               PartitionKey partition) const;
  template <typename Key>
  void note_each(const storage::Table& table, const Throttled& throttled, const Key& key) const;

  storage::Effort& effort_;
  ThroughputLimiter* const limiter_;
  CallReport* const report_;
  KeyNotes* const keys_;
};

// A write as it was, but rejected where Metering::find_throttled_entries() finds something: only the
// decision knows the entries. Requires that throughput is enforced.
class ThrottledWrite {
 public:
  // All outlive it. `found` is what was in the way; then the write was rejected.
  ThrottledWrite(const Metering& metering, const storage::ItemWrite& write, Throttled& found)
      : metering_(metering), write_(write), found_(found) {}

  // Valid as long as this.
  storage::ItemWrite write() const { return {write_.table, write_.key, *this}; }
  storage::WriteDecision operator()(const storage::StoredItem& current) const;

 private:
  const Metering& metering_;
  const storage::ItemWrite& write_;
  Throttled& found_;
};

}  // namespace magneto::api
