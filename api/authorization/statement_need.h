#pragma once

#include <vector>

#include "api/authorization/need.h"
#include "api/json/json_reader.h"
#include "api/operation.h"

namespace magneto::api {

// Adds the needs of a PartiQL statement. `member` has Statement and Parameters. A statement that
// cannot be read adds none: its operation says why.
void add_statement_needs(const Request& request, json::Value member, bool in_full,
                         std::vector<Need>& needs);

}  // namespace magneto::api
