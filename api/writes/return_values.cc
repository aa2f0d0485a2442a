#include "api/writes/return_values.h"

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/write_messages.h"
#include "expressions/projection.h"

namespace magneto::api {

using storage::ItemView;

namespace {

void append_item_member(json::Writer& writer, ItemView item) {
  if (item.bytes().empty() || item.empty()) return;
  writer.key("Attributes");
  json::append_item(writer.raw(), item);
}

}  // namespace

ReturnValues return_values(const Parameters& parameters) {
  const std::string_view word = parameters.string_or_empty("ReturnValues");
  if (word == "ALL_OLD") return ReturnValues::kAllOld;
  if (word == "UPDATED_OLD") return ReturnValues::kUpdatedOld;
  if (word == "ALL_NEW") return ReturnValues::kAllNew;
  return word == "UPDATED_NEW" ? ReturnValues::kUpdatedNew : ReturnValues::kNone;
}

ReturnValues old_return_values(const Parameters& parameters, json::Layer layer) {
  const ReturnValues kind = return_values(parameters);
  if (kind == ReturnValues::kNone || kind == ReturnValues::kAllOld) return kind;
  if (layer == json::Layer::kOlder) fail_validation(messages::kOnlyOldValues);
  fail_one_validation_error(messages::kOnlyOldValues);
}

void append_attributes(json::Writer& writer, const storage::WriteOutcome& outcome,
                       ReturnValues kind, std::span<const expressions::PathView> targets) {
  switch (kind) {
    case ReturnValues::kNone:
      return;
    case ReturnValues::kAllOld:
      return append_item_member(writer, outcome.old_item.view());
    case ReturnValues::kAllNew:
      return append_item_member(writer, outcome.new_item);
    case ReturnValues::kUpdatedOld:
    case ReturnValues::kUpdatedNew:
      if (targets.empty()) return;
      const ItemView whole =
          kind == ReturnValues::kUpdatedOld ? outcome.old_item.view() : outcome.new_item.view();
      if (whole.bytes().empty()) return;
      const storage::Item part = expressions::Projection::of(targets).apply(whole);
      return append_item_member(writer, part);
  }
}

}  // namespace magneto::api
