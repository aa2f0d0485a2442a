#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "api/call_report.h"
#include "api/capacity/consumed_capacity.h"
#include "api/capacity/throttle_cause.h"
#include "api/capacity/throughput_limiter.h"
#include "api/insights/key_usage.h"
#include "storage/model/effort.h"
#include "storage/table/item_write.h"

namespace magneto::api {

// The values of a partition key, if the request reads only one partition.
using PartitionKey = std::span<const storage::AttributeView>;

// The only interface between an operation and its meters: enforced throughput, contributor insights
// and the call's report. Each may be off, which costs one comparison. An object serves one attempt
// to make a call. An operation calls admit() after its checks and before it touches items. When it
// is done, it calls read_item(), read_page() or wrote(); the other functions are for operations on
// many items. `key` is an item or its key; `index` is nullptr for the table itself.
class Metering {
 public:
  // A nullptr turns a meter off: throughput is not enforced, no report is kept, or no keys are
  // counted. All arguments must outlive this object.
  Metering(storage::Effort& effort, ThroughputLimiter* limiter, CallReport* report, KeyUsage* keys)
      : effort_(effort), limiter_(limiter), report_(report), keys_(keys) {}

  bool enforces_throughput() const { return limiter_ != nullptr; }
  KeyUsage* keys() const { return keys_; }

  // Throws the error of throughput_exceeded() unless the request may read or write.
  void admit(const storage::Table& table, UnitUse use, storage::ItemView key) const {
    if (limiter_ != nullptr) enforce(table, use, key);
  }
  void admit(const storage::Table& table, const storage::Index* index, UnitUse use,
             PartitionKey partition) const {
    if (limiter_ != nullptr) enforce(table, index, use, partition);
  }

  // Records that an operation read one item, or found none: then `bytes` is 0.
  void read_item(const storage::Table& table, storage::ItemView key, std::size_t bytes,
                 double units) const;
  // Records that an operation read a page of items.
  void read_page(const storage::Table& table, const storage::Index* index, PartitionKey partition,
                 const ConsumedCapacity& capacity, const CallReport::Plan& plan) const;
  // Records that an operation wrote one item, or that a condition refused the write. A refused
  // write costs as much as writing the item that it saw (AWS developer guide, "Capacity unit
  // consumption for conditional writes").
  void wrote(const storage::WriteOutcome& outcome, storage::ItemView key) const;

  // The causes that throttle a request on one item now; empty: none. Notes the throttled keys. This
  // function and the next two require that throughput is enforced.
  Throttled find_throttles(const storage::Table& table, UnitUse use, storage::ItemView key) const;
  // The causes that throttle all reads of the table, with any key. Notes no keys.
  Throttled find_read_throttles(const storage::Table& table) const;
  // The causes that throttle a decision on the current item: global indexes without units for the
  // partition key of an entry that the item has or would get. Notes the throttled keys.
  Throttled find_throttled_entries(const storage::Table& table, const storage::StoredItem& current,
                                   const storage::WriteDecision& decision) const;
  void record_throttled(const storage::Table& table, const Throttled& throttled,
                        storage::ItemView key) const;

  // Called before the first of several consume() calls. The work after each of them may take long,
  // so the call moves to a worker if throughput is enforced (Effort::leave).
  void begin_consuming() const {
    if (limiter_ != nullptr) effort_.leave();
  }
  // Reports the units and subtracts them from the enforced throughput. From then on the request is
  // not repeated on another thread. The units of partition keys are subtracted separately. `plan`:
  // the items of a read.
  void consume(const storage::Table& table, const ConsumedCapacity& capacity, UnitUse use,
               const CallReport::Plan& plan = {}) const;
  void consume_read(const storage::Table& table, storage::ItemView key, double units) const;
  void consume_written(const storage::WriteOutcome& outcome, storage::ItemView key,
                       double table_factor = 1) const;

  // Counts the key of an item, whether found or not, or of an index entry.
  void record_read(const storage::Table& table, const storage::Index* index,
                   storage::ItemView key) const {
    if (KeyUsage::wants(table, index, KeyEvent::kAccess) && keys_ != nullptr) [[unlikely]] {
      keys_->add(table, index, KeyEvent::kAccess, key);
    }
  }
  // Counts the key of the item, and the keys of the changed entries of global indexes.
  void record_written(const storage::WriteOutcome& outcome, storage::ItemView key) const {
    if (outcome.table->schema.contributor_insights.empty() || keys_ == nullptr) [[likely]] {
      return;
    }
    record_written_keys(*keys_, outcome, key);
  }
  // Reports items that were read, apart from their units.
  void add_plan(const storage::Table& table, const CallReport::Plan& plan) const {
    if (report_ != nullptr) report_->add_read(table.schema.name, 0, plan);
  }

 private:
  void enforce(const storage::Table& table, UnitUse use, storage::ItemView key) const;
  void enforce(const storage::Table& table, const storage::Index* index, UnitUse use,
               PartitionKey partition) const;
  template <typename Key>
  void record_each(const storage::Table& table, const Throttled& throttled, const Key& key) const;

  storage::Effort& effort_;
  ThroughputLimiter* const limiter_;
  CallReport* const report_;
  KeyUsage* const keys_;
};

// Wraps a write, and rejects it if Metering::find_throttled_entries() finds a cause: only the
// decision knows the entries. Requires that throughput is enforced.
class ThrottledWrite {
 public:
  // All arguments must outlive this object. `found` receives the causes; if there are any, the
  // write was rejected.
  ThrottledWrite(const Metering& metering, const storage::ItemWrite& write, Throttled& found)
      : metering_(metering), write_(write), found_(found) {}

  // Valid as long as this object.
  storage::ItemWrite write() const { return {write_.table, write_.key, *this}; }
  storage::WriteDecision operator()(const storage::StoredItem& current) const;

 private:
  const Metering& metering_;
  const storage::ItemWrite& write_;
  Throttled& found_;
};

}  // namespace magneto::api
