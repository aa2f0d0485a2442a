#include "api/request/read_selection.h"

#include "api/error.h"

namespace magneto::api {

namespace {

[[noreturn]] void fail_not_projected(std::string message,
                                     const std::vector<std::string_view>& attributes) {
  message += '[';
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    message.append(i == 0 ? "" : ", ").append(attributes[i]);
  }
  fail_validation(message + ']');
}

Select select_of(std::string_view word) {
  if (word == "ALL_ATTRIBUTES") return Select::kAllAttributes;
  if (word == "ALL_PROJECTED_ATTRIBUTES") return Select::kAllProjectedAttributes;
  if (word == "SPECIFIC_ATTRIBUTES") return Select::kSpecificAttributes;
  return word == "COUNT" ? Select::kCount : Select::kDefault;
}

}  // namespace

Select checked_select(const Parameters& parameters) {
  const std::string_view word = parameters.word("Select");
  const Select select = select_of(word);
  if (select == Select::kDefault) return select;
  std::string_view chooser;
  for (const std::string_view name : {"ProjectionExpression", "AttributesToGet"}) {
    if (chooser.empty() && parameters.has(name)) chooser = name;
  }
  if (select == Select::kSpecificAttributes) {
    if (!chooser.empty()) return select;
    fail_enveloped(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  if (!chooser.empty()) {
    std::string message = "Cannot specify the ";
    message.append(chooser).append(" when choosing to get ");
    fail_enveloped(message.append(select == Select::kCount ? "only the Count" : word));
  }
  if (select == Select::kAllProjectedAttributes && !parameters.has("IndexName")) {
    // AWS says "Querying" on a Scan too.
    fail_enveloped("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return select;
}

void select_attributes(const ReadTarget& target, Select select,
                       const expressions::Condition* filter,
                       const std::optional<expressions::Projection>& projection,
                       PageRequest& page) {
  page.filter = filter;
  page.projection = projection ? &*projection : nullptr;
  page.count_only = select == Select::kCount;
  if (target.index == nullptr ||
      target.index->schema.projection.type == storage::ProjectionType::kAll) {
    return;
  }
  const std::string& name = target.index->schema.name;
  if (projection) {
    const auto missing = target.not_projected(projection->attributes());
    page.returns_whole_items = !missing.empty();
    if (target.is_global() && !missing.empty()) {
      fail_not_projected("One or more parameter values were invalid: Global secondary index " +
                             name + " does not project ",
                         missing);
    }
  } else if (select == Select::kAllAttributes) {
    page.returns_whole_items = true;
    if (target.is_global()) {
      fail_validation(
          "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
          "for global secondary index " +
          name + " because its projection type is not ALL");
    }
  }
  if (filter == nullptr) return;
  const auto missing = target.not_projected(filter->attributes());
  page.filters_whole_items = !missing.empty();
  if (target.is_global() && !missing.empty()) {
    fail_not_projected("One or more parameter values were invalid: Secondary index " + name +
                           " does not project one or more filter attributes: ",
                       missing);
  }
}

}  // namespace magneto::api
