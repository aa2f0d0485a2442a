#pragma once

#include <map>
#include <string>

#include "api/json/json_reader.h"

namespace magneto::api {

// JSON texts saved under a name by "<save name>".
using SavedTexts = std::map<std::string, std::string>;

// Compares an answer with what a case expects; tests/cases/README.md lists the placeholders. With
// `contains` objects may have members that are not expected. Returns what differs and where, or "".
std::string mismatch(json::Value expected, json::Value actual, bool contains, SavedTexts& saved);

}  // namespace magneto::api
