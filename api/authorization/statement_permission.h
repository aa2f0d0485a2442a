#pragma once

#include <vector>

#include "api/authorization/required_permission.h"
#include "api/json/json_reader.h"
#include "api/operation.h"

namespace magneto::api {

// Adds the needs of a PartiQL statement. `member` has Statement and Parameters. Adds none for a
// statement that cannot be read: its operation reports the error.
void add_statement_permissions(const Request& request, json::Value member, bool in_full,
                               std::vector<RequiredPermission>& needs);

}  // namespace magneto::api
