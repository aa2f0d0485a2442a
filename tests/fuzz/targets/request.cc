// An operation's name on the first line, a request body after it: the JSON reader and the check of
// the body against the operation's shape.
#include <cmath>
#include <optional>
#include <string>

#include "api/error.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/validation/shape_checker.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using api::json::Document;
using api::json::Type;
using api::json::Value;

// A whole number that is held as a double is rendered as an integer: -0.0 as one without a sign
// when it is read again, a large one as one too long to be read.
bool has_whole_double(Value value) {
  switch (value.type()) {
    case Type::kNumber:
      return !value.integer() && std::trunc(value.number()) == value.number();
    case Type::kArray:
      for (const Value element : value.array()) {
        if (has_whole_double(element)) return true;
      }
      return false;
    case Type::kObject:
      for (const auto member : value.object()) {
        if (has_whole_double(member.value)) return true;
      }
      return false;
    default:
      return false;
  }
}

void check_sizes(Value value) {
  std::size_t count = 0;
  if (value.is_array()) {
    for (const Value element : value.array()) {
      check_sizes(element);
      ++count;
    }
    require(count == value.array().size() && (count == 0) == value.array().empty(),
            "an array has its size");
  } else if (value.is_object()) {
    for (const auto member : value.object()) {
      check_sizes(member.value);
      require(static_cast<bool>(value.object().find(member.name)), "a member can be found",
              member.name);
      ++count;
    }
    require(count == value.object().size() && (count == 0) == value.object().empty(),
            "an object has its size");
  } else if (value.type() == Type::kNumber) {
    value.truncated();
  }
}

void check_rendering(Value value) {
  std::string text;
  append_compact(value, text);
  std::string copy = text;
  Document document;
  const std::optional<Value> again = document.parse(copy);
  if (has_whole_double(value)) return;
  require(again.has_value(), "rendered JSON is JSON", text);
  std::string rendered;
  append_compact(*again, rendered);
  require_equal(rendered, text, "rendered JSON renders the same again");
}

void check_message(std::string_view message) {
  std::string text;
  api::json::append_string(text, message);
  Document document;
  const std::optional<Value> parsed = document.parse(text);
  require(parsed && parsed->is_string(), "a message is UTF-8", message);
  require_equal(parsed->string(), message, "a message is rendered as it is");
}

}  // namespace

void fuzz_request(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return;
  const api::Operation* const operation = api::find_operation(input.substr(0, end));
  if (operation == nullptr) return;
  std::string body(input.substr(end + 1));
  Document document;
  const std::optional<Value> value = document.parse(body);
  if (!value) return;
  check_sizes(*value);
  check_rendering(*value);
  if (!value->is_object()) return;
  try {
    const api::CheckedRequest checked = api::check_request(*value, operation->input);
    require_equal(api::describe_violations(*value, operation->input, checked.layer), "",
                  "a request that passes violates nothing");
  } catch (const api::ApiError& error) {
    check_message(error.message());
  }
}

}  // namespace magneto::fuzz
