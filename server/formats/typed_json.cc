#include "server/formats/format.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

using api::json::Document;
using api::json::Value;

// Unwraps {"Item":{...}}. The wrapper cannot be an item itself: a map Item cannot be its only
// attribute, since it is not a key.
std::optional<Value> wrapped_item(Value line) {
  if (line.object().size() != 1) return std::nullopt;
  const auto [name, value] = *line.object().begin();
  if (name != "Item" || !value.is_object()) return std::nullopt;
  for (const auto [attribute, content] : value.object()) {
    if (!content.is_object()) return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<std::string_view> read_typed_item(std::string_view line, std::string& item,
                                                Document& document, Value& parsed) {
  item.assign(line);
  const std::optional<Value> value = document.parse(item);
  if (!value || !value->is_object()) return messages::kNoJsonObject;
  parsed = *value;
  if (const auto wrapped = wrapped_item(*value)) {
    parsed = *wrapped;
    // Keep the text between the colon after the name, which contains no colon, and the last brace.
    item.erase(item.rfind('}'));
    item.erase(0, item.find(':') + 1);
  }
  return std::nullopt;
}

}  // namespace magneto::server::formats
