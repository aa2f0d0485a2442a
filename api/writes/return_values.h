#pragma once

#include <cstdint>
#include <span>

#include "api/json/error_dialect.h"
#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "expressions/path_set.h"
#include "storage/table/item_write.h"

namespace magneto::api {

enum class ReturnValues : std::uint8_t { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };

// ReturnValues of UpdateItem, which accepts every kind.
ReturnValues return_values(const Parameters& parameters);

// ReturnValues of PutItem and DeleteItem. Throws ValidationException for kinds other than NONE and
// ALL_OLD, with the prefix kOneValidationError unless the older layer reads the request (captured
// facts, "DeleteItem" and "Requests nested past ~62 levels").
ReturnValues old_return_values(const Parameters& parameters, json::Layer layer);

// Writes the member "Attributes" from the outcome of a write and `kind`; nothing if it would be
// empty. `targets` are the paths that an update wrote, for kUpdatedOld and kUpdatedNew.
void append_attributes(json::Writer& writer, const storage::WriteOutcome& outcome,
                       ReturnValues kind, std::span<const expressions::PathView> targets = {});

}  // namespace magneto::api
