#pragma once

#include <span>
#include <string>

#include "api/json/json_reader.h"
#include "api/profile.h"
#include "api/validation/shape.h"

namespace magneto::api {

// Facts about a valid request, found during its check.
struct CheckedRequest {
  // The request nests so deeply that DynamoDB answers in the older dialect (kOlderDialectLevels).
  // This also changes the words and order of the operation's own checks.
  bool older_dialect = false;
};

// Checks a request body, a JSON object, against the operation's input shape. Throws ApiError.
// First, a SerializationException for the first member, in the order sent, whose JSON type is wrong
// (texts as in AWS; captured facts, "Error wire format"). Then a ValidationException for the
// constraints. A valid request costs one walk over it and no allocation.
// Null counts as absent; of a member sent twice, the last counts. Members that the shape does not
// know are dropped from the document, as AWS's own deserializer ignores them. So code that reads
// the request after the check finds only checked members, under any name. With the profile of
// DynamoDB Local, a string of digits counts as a number (DynamoDB Local 3.1.0, "Limit": "3").
CheckedRequest check_request(json::Value body, const Shape& shape, Profile profile = Profile::kAws);

// The message for violated constraints (captured facts, "N validation errors detected"); "" if
// there are none. check_request calls it when its walk has found a violation.
std::string describe_violations(json::Value body, const Shape& shape, bool older_dialect);

// One message for violated constraints; there is at least one.
std::string joined_violations(std::span<const std::string> problems);

}  // namespace magneto::api
