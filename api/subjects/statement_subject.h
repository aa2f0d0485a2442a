#pragma once

#include "api/json/json_reader.h"
#include "api/operation.h"
#include "api/subjects/subject.h"

namespace magneto::api {

// What a PartiQL statement is about. `member` has Statement and Parameters. Of a statement that
// cannot be read nothing is known.
Subject statement_subject(const Request& request, json::Value member);

}  // namespace magneto::api
