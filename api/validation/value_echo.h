#pragma once

#include <string>

#include "api/json/json_reader.h"
#include "api/validation/shape.h"

namespace magneto::api {

// Echoes are cut here, so that an error stays small whatever the request was. (Captured facts,
// "Echo of structures in messages is not byte-stable".)
inline constexpr std::size_t kMaxEchoBytes = 64 * 1024;

// Appends a value the way an error message shows it: a string as it is; lists, maps and structures
// as Java's toString or as compact JSON, by the shape's `echo`.
void append_echo(json::Value value, const Shape& shape, std::string& out);

}  // namespace magneto::api
