#include "api/reads/requested_projection.h"

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/read_messages.h"

namespace magneto::api {

using expressions::PathElement;
using expressions::PathView;
using expressions::Projection;

void check_attribute_names(const Parameters& parameters) {
  for (const json::Value name : parameters.value("AttributesToGet").array()) {
    if (name.is_null()) continue;
    const auto problem = json::attribute_name_problem(name.string());
    if (!problem.empty()) fail_validation(problem);
  }
}

void check_attributes_differ(const Parameters& parameters) {
  const json::Value names = parameters.value("AttributesToGet");
  if (!names) return;
  absl::flat_hash_set<std::string_view> seen;
  for (const json::Value name : names.array()) {
    if (name.is_null() || seen.insert(name.string()).second) continue;
    fail_validation(messages::duplicate_name(name.string()));
  }
}

std::optional<Projection> requested_projection(const Parameters& parameters,
                                               ExpressionInputs& inputs) {
  const json::Value names = parameters.value("AttributesToGet");
  if (!names) return inputs.projection();
  std::vector<PathElement> attributes;
  for (const json::Value name : names.array()) {
    if (!name.is_null()) attributes.push_back(PathElement::member(name.string()));
  }
  std::vector<PathView> paths;
  paths.reserve(attributes.size());
  for (const PathElement& attribute : attributes) paths.emplace_back(&attribute, 1);
  return Projection::of(paths);
}

}  // namespace magneto::api
