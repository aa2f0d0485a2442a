#pragma once

#include "api/json/json_reader.h"
#include "api/operation.h"
#include "api/subjects/subject.h"

namespace magneto::api {

// The subject of a PartiQL statement. `member` has Statement and Parameters. A statement that
// cannot be read yields an empty subject.
Subject statement_subject(const Request& request, json::Value member);

}  // namespace magneto::api
