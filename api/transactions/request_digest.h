#pragma once

#include "api/json/json_reader.h"
#include "api/validation/shape.h"
#include "storage/encoding/digest.h"
#include "storage/model/effort.h"

namespace magneto::api {

// Stands for what a checked part of a request means, by which a client's token knows its request
// again. The order of members counts nowhere, in structures, items, maps of names and of values
// and nested maps; neither do members that are null or that the shape does not have, nor how a
// string was escaped; of a name given twice the last counts, as everywhere. Lists and sets count in
// their order and numbers as written: [1, 2] is not [2, 1], and 1 is not 1.0 (captured facts 2,
// "Transactions"). Counts its work in `effort`.
storage::Digest digest_request(json::Value value, const Shape& shape, storage::Effort& effort);

}  // namespace magneto::api
