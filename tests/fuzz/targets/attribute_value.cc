// The JSON of an item: {"name": {"S": "value"}, ...}.
#include "storage/model/attribute_value.h"

#include <optional>
#include <string>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/json_reader.h"
#include "api/validation/shape.h"
#include "api/validation/shape_checker.h"
#include "storage/encoding/item_encoding.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using api::json::Document;
using api::json::Value;

constexpr api::Shape kItemShape = api::map_shape(api::kAttributeValueShape);
constexpr api::MemberShape kMembers[] = {{"Item", &kItemShape}};
constexpr api::Shape kOlder = api::older_request(kMembers);
constexpr api::Shape kCurrent = api::current_request(kMembers);

constexpr api::json::ErrorDialect kDialects[] = {api::json::kCurrentDialect,
                                                 api::json::kBareDialect, api::json::kOlderDialect};

// The item in {"Item": ...}; absent when it is refused.
std::optional<storage::Item> read(Value request, const api::Shape& shape,
                                  const api::json::ErrorDialect& dialect) {
  try {
    api::check_request(request, shape);
    const Value map = request.object().find("Item");
    if (map.is_null()) return std::nullopt;
    return api::json::read_item(map, dialect);
  } catch (const api::ApiError&) {
    return std::nullopt;
  }
}

void check(storage::ItemView item) {
  require(storage::is_valid_item(item.bytes()), "an item that was read is valid");
  require(storage::is_valid_stored_item(storage::encode_item(item)), "an item at rest is valid");
  std::string text = R"({"Item":)";
  api::json::append_item(text, item);
  text += '}';
  std::string copy = text;
  Document document;
  const std::optional<Value> request = document.parse(copy);
  require(request && request->is_object(), "a rendered item is JSON", text);
  const std::optional<storage::Item> again = read(*request, kCurrent, api::json::kBareDialect);
  require(again.has_value(), "a rendered item can be read", text);
  require_equal(again->bytes(), item.bytes(), "a rendered item reads as the same bytes");
}

}  // namespace

void fuzz_attribute_value(std::string_view input) {
  std::string body = R"({"Item":)" + std::string(input) + '}';
  Document document;
  const std::optional<Value> request = document.parse(body);
  if (!request || !request->is_object() || !request->object().find("Item")) return;
  std::optional<storage::Item> first;
  for (const api::Shape* shape : {&kOlder, &kCurrent}) {
    for (const api::json::ErrorDialect& dialect : kDialects) {
      const std::optional<storage::Item> item = read(*request, *shape, dialect);
      if (!item) continue;
      if (first) require_equal(item->bytes(), first->bytes(), "every dialect reads the same item");
      first = item;
    }
  }
  if (first) check(*first);
}

}  // namespace magneto::fuzz
