#include "api/subjects/value_text.h"

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/error_dialect.h"

namespace magneto::api {

using storage::AttributeType;

std::optional<std::string> value_text(storage::AttributeView value) {
  if (!value) return std::nullopt;
  std::string text;
  switch (value.type()) {
    case AttributeType::kString:
      return std::string(value.scalar_bytes());
    case AttributeType::kNumber:
      storage::append_decimal(value.scalar_bytes(), text);
      return text;
    case AttributeType::kBinary:
      json::encode_base64(value.scalar_bytes(), text);
      return text;
    default:
      return std::nullopt;
  }
}

std::optional<std::string> value_text(json::Value value) {
  // Reads the value as operations do: a type may be given several times, and null counts as absent.
  try {
    return value_text(json::read_value(value, json::kBareDialect).view());
  } catch (const ApiError&) {
    return std::nullopt;
  }
}

}  // namespace magneto::api
