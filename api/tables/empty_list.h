#pragma once

#include <string_view>

#include "api/operation.h"
#include "api/request/parameters.h"

// Answers of operations that list what Magneto never has.
namespace magneto::api {

// {"<member>":[]}
void answer_with_no(std::string_view member, Request& request);

// Throws ValidationException when a NextToken is given: `operation` never answers with one.
void refuse_next_token(const Parameters& parameters, std::string_view operation);

}  // namespace magneto::api
