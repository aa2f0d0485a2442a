#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/json/error_dialect.h"
#include "api/json/json_reader.h"
#include "api/profile.h"
#include "api/validation/shape.h"

namespace magneto::api {

// Facts about a valid request, found during its check.
struct CheckedRequest {
  // The layer that reads the request, for all later errors too (captured facts 3, R2, R3, R11).
  json::Layer layer = json::Layer::kCurrent;
};

// A body with more objects and arrays open at once is read by the older layer.
inline constexpr std::size_t kMaxCurrentDepth = 127;

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
std::string describe_violations(json::Value body, const Shape& shape, json::Layer layer);

// One message for violated constraints; there is at least one.
std::string joined_violations(const std::vector<std::string>& problems);

}  // namespace magneto::api
