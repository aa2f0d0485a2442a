#include "server/bulk/jobs/export_lines.h"

#include <string_view>
#include <utility>

#include "api/json/attribute_value_json.h"
#include "api/json/json_writer.h"
#include "server/bulk/export/ion_line.h"

namespace magneto::server::bulk {
namespace {

using formats::AwsFormat;

// Appends the key attributes of an item, the partition key first.
void append_keys(AwsFormat format, storage::ItemView item, const storage::KeySchema& key,
                 std::string& out) {
  bool first = true;
  for (const auto element : key.attributes()) {
    const std::string& name = element.attribute.name;
    if (!std::exchange(first, false)) out += ',';
    if (format == AwsFormat::kIon) {
      append_ion_member(name, item.find(name), out);
    } else {
      api::json::append_string(out, name);
      out += ':';
      api::json::append_value(out, item.find(name));
    }
  }
}

// Appends a member of a record.
void append_member(AwsFormat format, std::string_view name, storage::ItemView members,
                   std::string& out) {
  if (format == AwsFormat::kIon) {
    out.append(",").append(name) += ':';
    append_ion_struct(members, out);
  } else {
    out.append(",\"").append(name).append("\":");
    api::json::append_item(out, members);
  }
}

}  // namespace

void append_item_line(AwsFormat format, storage::ItemView item, std::string& out) {
  if (format == AwsFormat::kIon) return append_ion_line(item, out);
  out += "{\"Item\":";
  api::json::append_item(out, item);
  out += "}\n";
}

void append_change_line(AwsFormat format, const storage::PeriodCursor& change,
                        const storage::KeySchema& key, bool has_old, std::string& out) {
  const bool is_ion = format == AwsFormat::kIon;
  const std::string time = std::to_string(change.changed().time_since_epoch().count());
  out += is_ion ? "$ion_1_0 {Record:{Metadata:{WriteTimestampMicros:"
                : "{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"";
  out.append(time) += is_ion ? ".}" : "\"}}";
  out += is_ion ? ",Keys:{" : ",\"Keys\":{";
  append_keys(format, change.is_there() ? change.after() : change.before(), key, out);
  out += '}';
  if (has_old && change.was_there()) append_member(format, "OldImage", change.before(), out);
  if (change.is_there()) append_member(format, "NewImage", change.after(), out);
  out += is_ion ? "}}\n" : "}\n";
}

}  // namespace magneto::server::bulk
