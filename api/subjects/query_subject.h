#pragma once

#include "api/operation.h"
#include "api/subjects/subject.h"

namespace magneto::api {

// Adds the key attributes that a Query compares with one value each, and its other condition on the
// key.
void add_queried_key(const Request& request, Subject& subject);

}  // namespace magneto::api
