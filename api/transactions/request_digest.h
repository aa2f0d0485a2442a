#pragma once

#include "api/json/json_reader.h"
#include "api/validation/shape.h"
#include "storage/encoding/digest.h"
#include "storage/model/effort.h"

namespace magneto::api {

// A digest of the meaning of a checked part of a request, by which a client token recognizes a
// repeated request. The order of members does not matter, in structures, items, maps of names and
// values, and nested maps. Neither do members that are null or unknown to the shape, or the
// escaping of strings. Of a name given twice, the last counts, as everywhere. The order of lists
// and sets matters, and so does the spelling of numbers: [1, 2] is not [2, 1], and 1 is not 1.0
// (captured facts 2, "Transactions"). Counts its work in `effort`.
storage::Digest digest_request(json::Value value, const Shape& shape, storage::Effort& effort);

}  // namespace magneto::api
