#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/json/error_dialect.h"
#include "api/reads/page.h"
#include "api/reads/read_target.h"
#include "api/request/parameters.h"
#include "expressions/condition.h"
#include "expressions/projection.h"

namespace magneto::api {

// The parameter Select of Query and Scan.
enum class Select : std::uint8_t {
  kDefault,
  kAllAttributes,
  kAllProjectedAttributes,
  kSpecificAttributes,
  kCount,
};

// Reads Select and checks it against the other parameters. Throws ValidationException, in words
// that depend on the layer only for its prefix (captured facts, "Query" and "Scan": Select ...).
Select checked_select(const Parameters& parameters, json::Layer layer);

// Checks the requested attributes against those of the target, and sets projection, count_only and
// returns_whole_items of `page`. Throws ValidationException if a global index does not hold an
// attribute.
void select_attributes(const ReadTarget& target, Select select,
                       const std::optional<expressions::Projection>& projection, PageRequest& page);

}  // namespace magneto::api
