#pragma once

#include <string>

#include "api/json/json_reader.h"
#include "api/validation/shape.h"

namespace magneto::api {

// Echoes are cut at this size, so that an error stays small whatever the request is. (Captured
// facts, "Echo of structures in messages is not byte-stable".)
inline constexpr std::size_t kMaxEchoBytes = 64 * 1024;

// Appends a value in the form of error messages: a string unchanged; lists, maps and structures
// like Java's toString or as compact JSON, depending on the shape's `echo`.
void append_echo(json::Value value, const Shape& shape, std::string& out);

}  // namespace magneto::api
