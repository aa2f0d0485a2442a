#pragma once

#include <string>

#include "api/json/json_reader.h"
#include "api/profile.h"
#include "api/validation/shape.h"

namespace magneto::api {

// What the check of a request found out beside that it is good.
struct CheckedRequest {
  // The request nests so deeply that DynamoDB answers in the older dialect (kOlderDialectLevels),
  // which also changes the words and order of the operation's own checks.
  bool older_dialect = false;
};

// Holds a request body, a JSON object, against the operation's input shape. Throws ApiError:
// SerializationException for the first member, in the order sent, whose JSON type is wrong (texts
// as AWS gives them; captured facts, "Error wire format"), then ValidationException for the
// constraints. A good request costs one walk over it and no allocation. Null counts as absent; of a
// member sent twice the last one counts. Members that the shape does not know are dropped from the
// document, as AWS's own deserializer ignores them, so whoever reads the request after the check
// meets none that was not checked, whatever names it asks for. Like DynamoDB Local, a string of
// digits is taken for a number (DynamoDB Local 3.1.0, "Limit": "3").
CheckedRequest check_request(json::Value body, const Shape& shape, Profile profile = Profile::kAws);

// The same constraints as a message (captured facts, "N validation errors detected"), or "" when
// there is none. check_request calls it when its walk has found a violation.
std::string describe_violations(json::Value body, const Shape& shape, bool older_dialect);

}  // namespace magneto::api
