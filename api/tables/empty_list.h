#pragma once

#include <string_view>

#include "api/request/parameters.h"

// Of operations whose lists never have another page.
namespace magneto::api {

// Throws ValidationException when a NextToken is given: `operation` never answers with one.
void refuse_next_token(const Parameters& parameters, std::string_view operation);

}  // namespace magneto::api
