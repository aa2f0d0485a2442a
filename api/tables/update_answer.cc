#include "api/tables/update_answer.h"

#include "api/capacity/warm_level.h"
#include "api/tables/index_changes.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexSchema;
using storage::ResourceStatus;
using storage::TableSchema;

storage::WarmThroughput warm_reached(const storage::WarmThroughput& warm, BillingMode billing,
                                     const storage::ProvisionedThroughput& provisioned) {
  const WarmLevel level = warm_level(warm, billing, provisioned);
  return {level.read_units, level.write_units};
}

// Shows the units and the count before the change, with the times of the change.
void show_units_before(storage::ProvisionedThroughput& shown,
                       const storage::ProvisionedThroughput& before, double now) {
  shown.read_units = before.read_units;
  shown.write_units = before.write_units;
  shown.decreases_today = decreases_today(before, now);
}

// The answer has the new mode and units at once, but not the time of a switch to on-demand. During
// that switch it shows a decrease of the units now, which the count does not have.
void show_billing(TableSchema& shown, const TableSchema& before, double now) {
  shown.pay_per_request_since = before.pay_per_request_since;
  if (shown.billing != BillingMode::kPayPerRequest) return;
  shown.provisioned.decreases_today = decreases_today(before.provisioned, now);
  shown.provisioned.last_decrease = now;
}

void show_maximum(std::optional<std::int64_t>& shown, std::optional<std::int64_t> requested) {
  if (requested == -1) shown = -1;
}

IndexSchema* find_described_index(TableSchema& schema, std::string_view name) {
  for (IndexSchema& index : schema.indexes) {
    if (index.name == name) return &index;
  }
  return nullptr;
}

void show_index_updates(ShownChange& change, const TableSchema& before,
                        const std::vector<RequestedIndexUpdate>& updates, double now) {
  for (const RequestedIndexUpdate& update : updates) {
    if (!update.update) continue;
    if (update.update->warm) change.warm_indexes.emplace(update.update->name);
    IndexSchema* const shown = find_described_index(change.schema, update.update->name);
    const IndexSchema* const old = before.find_index(update.update->name);
    const bool switched = before.billing != change.schema.billing;
    if (!update.update->provisioned || switched || shown == nullptr || old == nullptr) continue;
    show_units_before(shown->provisioned, old->provisioned, now);
  }
}

// Shows the levels before the change, and the levels of new indexes.
void show_warm(TableSchema& shown, const TableSchema& before) {
  shown.warm = warm_reached(before.warm, before.billing, before.provisioned);
  for (IndexSchema& index : shown.indexes) {
    const IndexSchema* const old = before.find_index(index.name);
    index.warm = old == nullptr ? warm_reached(index.warm, shown.billing, index.provisioned)
                                : warm_reached(old->warm, before.billing, old->provisioned);
  }
}

}  // namespace

ShownChange shown_change(const TableSchema& before, const TableSchema& changed,
                         const TableParameters& request, double now) {
  ShownChange change{.schema = changed,
                     .encryption = request.encryption.has_value(),
                     .warm = request.warm.has_value(),
                     .warm_indexes = {}};
  TableSchema& shown = change.schema;
  // Also if nothing changes.
  if ((request.billing || request.table_class) && shown.status == ResourceStatus::kActive) {
    shown.status = ResourceStatus::kUpdating;
  }
  if (before.billing != changed.billing) {
    show_billing(shown, before, now);
  } else if (request.provisioned) {
    show_units_before(shown.provisioned, before.provisioned, now);
  }
  if (request.on_demand) {
    show_maximum(shown.on_demand.max_read_units, request.on_demand->max_read_units);
    show_maximum(shown.on_demand.max_write_units, request.on_demand->max_write_units);
  }
  show_index_updates(change, before, request.index_updates.elements, now);
  show_warm(shown, before);
  shown.encryption = before.encryption;
  shown.table_class = before.table_class;
  shown.table_class_changed = before.table_class_changed;
  return change;
}

}  // namespace magneto::api
