#pragma once

#include <optional>

#include "api/authorization/need.h"
#include "api/json/json_reader.h"
#include "api/operation.h"

namespace magneto::api {

// What a PartiQL statement needs. `member` has Statement and Parameters. nullopt: it cannot be read,
// and its operation says why.
std::optional<Need> statement_need(const Request& request, json::Value member, bool in_full);

}  // namespace magneto::api
