#include "api/reads/read_selection.h"

#include "api/error.h"
#include "api/messages/read_messages.h"
#include "api/messages/request_messages.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {

namespace {

Select select_of(std::string_view word) {
  if (word == "ALL_ATTRIBUTES") return Select::kAllAttributes;
  if (word == "ALL_PROJECTED_ATTRIBUTES") return Select::kAllProjectedAttributes;
  if (word == "SPECIFIC_ATTRIBUTES") return Select::kSpecificAttributes;
  if (word == "COUNT") return Select::kCount;
  // The older layer has refused other words already.
  fail_one_validation_error(
      messages::value_at(word, "select", messages::enum_values(kSelectValues)));
}

}  // namespace

Select checked_select(const Parameters& parameters, json::Layer layer) {
  if (!parameters.has("Select")) return Select::kDefault;
  const std::string_view word = parameters.string_or_empty("Select");
  const Select select = select_of(word);
  const auto fail = [layer](std::string_view message) {
    if (layer == json::Layer::kOlder) fail_validation(message);
    fail_one_validation_error(message);
  };
  std::string_view chooser;
  for (const std::string_view name : {"ProjectionExpression", "AttributesToGet"}) {
    if (chooser.empty() && parameters.has(name)) chooser = name;
  }
  if (select == Select::kSpecificAttributes) {
    if (!chooser.empty()) return select;
    fail(messages::kNothingSelected);
  }
  if (!chooser.empty()) {
    const std::string_view chosen = select == Select::kCount ? "only the Count" : word;
    fail(messages::projection_beside_select(chooser, chosen));
  }
  if (select == Select::kAllProjectedAttributes && !parameters.has("IndexName")) {
    fail(messages::kProjectedWithoutIndex);
  }
  return select;
}

void select_attributes(const ReadTarget& target, Select select,
                       const std::optional<expressions::Projection>& projection,
                       PageRequest& page) {
  page.projection = projection ? &*projection : nullptr;
  page.count_only = select == Select::kCount;
  if (target.index == nullptr ||
      target.index->schema.projection.type == storage::ProjectionType::kAll) {
    return;
  }
  if (projection) {
    page.returns_whole_items = needs_whole_items(target, projection->attributes());
  } else if (select == Select::kAllAttributes) {
    page.returns_whole_items = true;
    if (!target.fetches_from_table()) {
      fail_validation(messages::all_attributes_of_index(target.index->schema.name));
    }
  }
}

}  // namespace magneto::api
