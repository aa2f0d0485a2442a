#include "api/tables/table_description_json.h"

#include <algorithm>
#include <vector>

#include "api/capacity/warm_level.h"
#include "api/request/table_lookup.h"
#include "api/tables/index_changes.h"
#include "api/tables/index_form.h"
#include "api/tables/replica_json.h"
#include "api/tables/replica_updates.h"
#include "api/tables/schema_json.h"
#include "api/tables/update_answer.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexSchema;
using storage::KeyAttribute;
using storage::TableSchema;

// The table to write: with its own schema, or with the schema that an answer shows instead.
struct View {
  const storage::Table& table;
  const TableSchema& schema;
  double now;
  DescriptionForm form;
  const ShownChange* change;  // for UpdateTable's answer, else null
};

// Sorts by name. The request may have any order.
void write_definitions(json::Writer& writer, std::vector<KeyAttribute> definitions) {
  std::sort(definitions.begin(), definitions.end(),
            [](const KeyAttribute& a, const KeyAttribute& b) { return a.name < b.name; });
  writer.key("AttributeDefinitions");
  writer.begin_array();
  for (const KeyAttribute& definition : definitions) {
    writer.begin_object();
    writer.text("AttributeName", definition.name);
    writer.text("AttributeType", storage::type_name(definition.type));
    writer.end_object();
  }
  writer.end_array();
}

void write_provisioned(json::Writer& writer, const storage::ProvisionedThroughput& throughput,
                       double now) {
  writer.key("ProvisionedThroughput");
  writer.begin_object();
  if (throughput.last_increase) {
    writer.key("LastIncreaseDateTime");
    writer.time(*throughput.last_increase);
  }
  if (throughput.last_decrease) {
    writer.key("LastDecreaseDateTime");
    writer.time(*throughput.last_decrease);
  }
  writer.integer("NumberOfDecreasesToday", decreases_today(throughput, now));
  writer.integer("ReadCapacityUnits", throughput.read_units);
  writer.integer("WriteCapacityUnits", throughput.write_units);
  writer.end_object();
}

bool is_given(const storage::WarmThroughput& warm) {
  return warm.read_units_per_second || warm.write_units_per_second;
}

// The schema of a ShownChange already has the levels that were reached.
WarmLevel shown_warm_level(const storage::WarmThroughput& warm, BillingMode billing,
                           const storage::ProvisionedThroughput& provisioned, const View& view) {
  if (view.change == nullptr) return warm_level(warm, billing, provisioned);
  return {warm.read_units_per_second.value_or(0), warm.write_units_per_second.value_or(0)};
}

storage::ResourceStatus status_of(const IndexSchema& index, DescriptionForm form) {
  return form == DescriptionForm::kCreated ? storage::ResourceStatus::kCreating : index.status;
}

void write_index_status(json::Writer& writer, const TableSchema& table, const IndexSchema& index,
                        DescriptionForm form) {
  // AWS does so (captured from AWS, October 2026).
  if (is_restoring(table)) return;
  const storage::ResourceStatus status = status_of(index, form);
  writer.text("IndexStatus", status_name(status));
  // Backfilling is shown only for an index that UpdateTable added, until it is ACTIVE or DELETING.
  const bool with_table = table.status == storage::ResourceStatus::kCreating;
  if (form == DescriptionForm::kCreated || with_table) return;
  if (status == storage::ResourceStatus::kCreating ||
      (index.backfilling && status == storage::ResourceStatus::kUpdating)) {
    writer.key("Backfilling");
    writer.boolean(index.backfilling);
  }
}

// The index as the answer shows it, else its current schema.
const IndexSchema& shown_index(const View& view, const storage::Index& index) {
  const IndexSchema* const shown = view.schema.find_index(index.schema.name);
  return shown == nullptr ? index.schema : *shown;
}

void write_index_throughput(json::Writer& writer, const View& view, const IndexSchema& schema) {
  write_provisioned(writer, schema.provisioned, view.now);
  write_on_demand(writer, schema.on_demand);
  if (view.form == DescriptionForm::kCreated && !is_given(schema.warm)) return;
  const bool is_raised = view.change != nullptr && view.change->warm_indexes.contains(schema.name);
  write_warm(writer, shown_warm_level(schema.warm, view.schema.billing, schema.provisioned, view),
             is_raised || status_of(schema, view.form) == storage::ResourceStatus::kCreating);
}

void write_index(json::Writer& writer, const View& view, const storage::Index& index) {
  const IndexSchema& schema = shown_index(view, index);
  writer.begin_object();
  writer.text("IndexName", schema.name);
  form_of(schema.kind).write(writer, schema);
  write_projection(writer, schema.projection);
  if (schema.is_asynchronous()) write_index_status(writer, view.schema, schema, view.form);
  if (schema.has_own_throughput()) write_index_throughput(writer, view, schema);
  writer.integer("IndexSizeBytes", index.statistics->size_bytes.load());
  writer.integer("ItemCount", index.statistics->item_count.load());
  writer.text("IndexArn", view.schema.index_arn(schema));
  writer.end_object();
}

void write_indexes(json::Writer& writer, const View& view, const IndexForm& form) {
  bool open = false;
  for (const auto& index : view.table.indexes) {
    if (index->schema.kind != form.kind) continue;
    if (!open) {
      writer.key(form.list);
      writer.begin_array();
      open = true;
    }
    write_index(writer, view, *index);
  }
  if (open) writer.end_array();
}

// Absent from a table that has always been PROVISIONED.
void write_billing(json::Writer& writer, const TableSchema& schema, DescriptionForm form) {
  const bool on_demand = schema.billing == BillingMode::kPayPerRequest;
  if (!on_demand && !schema.pay_per_request_since) return;
  writer.key("BillingModeSummary");
  writer.begin_object();
  writer.text("BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (schema.pay_per_request_since && form != DescriptionForm::kCreated) {
    writer.key("LastUpdateToPayPerRequestDateTime");
    writer.time(*schema.pay_per_request_since);
  }
  writer.end_object();
}

// A disabled stream keeps its label and ARN, but has no specification.
void write_stream(json::Writer& writer, const TableSchema& schema) {
  if (schema.stream.enabled) {
    writer.key("StreamSpecification");
    writer.begin_object();
    writer.key("StreamEnabled");
    writer.boolean(true);
    writer.text("StreamViewType", schema.stream.view_type);
    writer.end_object();
  }
  if (schema.stream.label.empty()) return;
  writer.text("LatestStreamLabel", schema.stream.label);
  writer.text("LatestStreamArn", schema.arn() + "/stream/" + schema.stream.label);
}

// During a change, shows the encryption before it; only the status if there was none.
void write_encryption(json::Writer& writer, const storage::ServerSideEncryption& encryption,
                      bool changing) {
  if (!encryption.enabled && !changing) return;
  writer.key("SSEDescription");
  writer.begin_object();
  writer.text("Status", changing ? "UPDATING" : "ENABLED");
  if (encryption.enabled) {
    writer.text("SSEType", encryption.type);
    writer.text("KMSMasterKeyArn", encryption.key_arn);
  }
  writer.end_object();
}

void write_restore(json::Writer& writer, const storage::RestoreOrigin& from) {
  writer.key("RestoreSummary");
  writer.begin_object();
  if (!from.backup_arn.empty()) writer.text("SourceBackupArn", from.backup_arn);
  writer.text("SourceTableArn", from.table_arn);
  writer.key("RestoreDateTime");
  writer.time(from.time);
  writer.key("RestoreInProgress");
  writer.boolean(from.in_progress);
  writer.end_object();
}

storage::ResourceStatus status_of(const TableSchema& schema, DescriptionForm form) {
  if (form == DescriptionForm::kCreated) return storage::ResourceStatus::kCreating;
  const bool is_updating =
      schema.status == storage::ResourceStatus::kActive && is_changing_replicas(schema);
  return is_updating ? storage::ResourceStatus::kUpdating : schema.status;
}

void write_class(json::Writer& writer, const TableSchema& schema) {
  if (schema.table_class.empty()) return;
  writer.key("TableClassSummary");
  writer.begin_object();
  if (schema.table_class_changed) {
    writer.key("LastUpdateDateTime");
    writer.time(*schema.table_class_changed);
  }
  writer.text("TableClass", schema.table_class);
  writer.end_object();
}

void write_settings(json::Writer& writer, const View& view) {
  const TableSchema& schema = view.schema;
  for (const IndexForm* const form : kIndexForms) write_indexes(writer, view, *form);
  write_stream(writer, schema);
  write_encryption(writer, schema.encryption, view.change != nullptr && view.change->encryption);
  write_class(writer, schema);
  write_replicas(writer, schema);
  // RestoreSummary is shown only during the restore (captured from AWS, October 2026).
  if (is_restoring(schema)) write_restore(writer, *schema.restored);
  write_on_demand(writer, schema.on_demand);
  if (view.form == DescriptionForm::kCreated && !is_given(schema.warm)) return;
  write_warm(writer, shown_warm_level(schema.warm, schema.billing, schema.provisioned, view),
             view.change != nullptr
                 ? view.change->warm
                 : status_of(schema, view.form) == storage::ResourceStatus::kCreating);
}

void write_view(json::Writer& writer, const View& view) {
  const TableSchema& schema = view.schema;
  const bool deleted = view.form == DescriptionForm::kDeleted;
  writer.begin_object();
  if (!deleted) write_definitions(writer, schema.attribute_definitions);
  writer.text("TableName", schema.name);
  if (!deleted) write_key_schema(writer, schema.key);
  writer.text("TableStatus", status_name(status_of(schema, view.form)));
  if (!deleted) {
    writer.key("CreationDateTime");
    writer.time(schema.created);
  }
  write_provisioned(writer, schema.provisioned, view.now);
  writer.integer("TableSizeBytes", view.table.statistics->charged_bytes());
  writer.integer("ItemCount", view.table.statistics->item_count.load());
  writer.text("TableArn", schema.arn());
  writer.text("TableId", schema.id);
  write_billing(writer, schema, view.form);
  if (deleted) {
    write_encryption(writer, schema.encryption, false);
  } else {
    write_settings(writer, view);
  }
  writer.key("DeletionProtectionEnabled");
  writer.boolean(schema.deletion_protection);
  writer.end_object();
}

}  // namespace

std::string_view status_name(storage::ResourceStatus status) {
  switch (status) {
    case storage::ResourceStatus::kCreating:
      return "CREATING";
    case storage::ResourceStatus::kUpdating:
      return "UPDATING";
    case storage::ResourceStatus::kDeleting:
      return "DELETING";
    case storage::ResourceStatus::kActive:
      break;
  }
  return "ACTIVE";
}

void write_table_description(json::Writer& writer, const storage::Table& table, double now,
                             DescriptionForm form) {
  write_view(writer, {table, table.schema, now, form, nullptr});
}

void write_changed_table(json::Writer& writer, const storage::Table& table,
                         const ShownChange& change, double now) {
  write_view(writer, {table, change.schema, now, DescriptionForm::kCurrent, &change});
}

}  // namespace magneto::api
