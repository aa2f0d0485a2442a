#pragma once

#include <map>
#include <string>

#include "api/json/json_reader.h"

namespace magneto::api {

// JSON texts saved under a name by "<save name>".
using SavedTexts = std::map<std::string, std::string>;

// Compares an answer with the expected one of a case; tests/cases/README.md lists the placeholders.
// With `contains`, objects may have unexpected members. Returns the first difference and its place,
// or "".
std::string mismatch(json::Value expected, json::Value actual, bool contains, SavedTexts& saved);

}  // namespace magneto::api
