#include "api/request/requested_projection.h"

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/error.h"
#include "storage/model/document_path.h"

namespace magneto::api {

using expressions::Projection;
using storage::DocumentPath;
using storage::PathStep;

void check_attributes_to_get(const Parameters& parameters) {
  const json::Value names = parameters.value("AttributesToGet");
  if (!names) return;
  absl::flat_hash_set<std::string_view> seen;
  for (const json::Value name : names.array()) {
    if (name.is_null() || seen.insert(name.string()).second) continue;
    fail_validation(
        "One or more parameter values were invalid: Duplicate value in attribute name: " +
        std::string(name.string()));
  }
}

std::optional<Projection> requested_projection(const Parameters& parameters,
                                               ExpressionInputs& inputs) {
  const json::Value names = parameters.value("AttributesToGet");
  if (!names) return inputs.projection();
  std::vector<DocumentPath> paths;
  for (const json::Value name : names.array()) {
    if (!name.is_null()) paths.push_back({{PathStep::member(std::string(name.string()))}});
  }
  return Projection::of(paths);
}

}  // namespace magneto::api
