#include "api/reads/read_selection.h"

#include "api/error.h"
#include "api/messages/read_messages.h"

namespace magneto::api {

namespace {

Select select_of(std::string_view word) {
  if (word == "ALL_ATTRIBUTES") return Select::kAllAttributes;
  if (word == "ALL_PROJECTED_ATTRIBUTES") return Select::kAllProjectedAttributes;
  if (word == "SPECIFIC_ATTRIBUTES") return Select::kSpecificAttributes;
  return word == "COUNT" ? Select::kCount : Select::kDefault;
}

}  // namespace

Select checked_select(const Parameters& parameters) {
  const std::string_view word = parameters.string_or_empty("Select");
  const Select select = select_of(word);
  if (select == Select::kDefault) return select;
  std::string_view chooser;
  for (const std::string_view name : {"ProjectionExpression", "AttributesToGet"}) {
    if (chooser.empty() && parameters.has(name)) chooser = name;
  }
  if (select == Select::kSpecificAttributes) {
    if (!chooser.empty()) return select;
    fail_one_validation_error(messages::kNothingSelected);
  }
  if (!chooser.empty()) {
    const std::string_view chosen = select == Select::kCount ? "only the Count" : word;
    fail_one_validation_error(messages::projection_beside_select(chooser, chosen));
  }
  if (select == Select::kAllProjectedAttributes && !parameters.has("IndexName")) {
    fail_one_validation_error(messages::kProjectedWithoutIndex);
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
