#include <vector>

#include "api/java_hash_order.h"
#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/json_buffer.h"
#include "storage/model/number.h"

namespace magneto::api::json {
namespace {

using storage::AttributeType;
using storage::AttributeView;

void put_number(JsonBuffer& block, std::string_view number_bytes) {
  std::string digits;  // rarely too long for the small-string buffer
  storage::append_decimal(number_bytes, digits);
  block.put('"');
  block.put_plain(digits);
  block.put('"');
}

void put_binary(JsonBuffer& block, std::string_view bytes) {
  block.put('"');
  encode_base64(bytes, block.out());
  block.put('"');
}

void put_string(JsonBuffer& block, std::string_view text) { block.put_string(text); }

template <typename Members, typename PutMember>
void put_set(JsonBuffer& block, const Members& set, PutMember put_member) {
  bool first = true;
  for (const std::string_view member : set) {
    if (!first) block.put(',');
    first = false;
    put_member(block, member);
  }
  block.put("]}");
}

template <SetOrder order>
void put_number_set(JsonBuffer& block, storage::SetView set) {
  block.put("{\"NS\":[");
  if constexpr (order == SetOrder::kByValue) return put_set(block, set, put_number);
  std::vector<std::string_view> numbers;
  numbers.reserve(set.size());
  for (const std::string_view number : set) numbers.push_back(number);
  put_set(block, numbers_in_hash_order(numbers), put_number);
}

template <SetOrder order>
void put_value(JsonBuffer& block, AttributeView value);

template <SetOrder order>
void put_list(JsonBuffer& block, storage::ListView list) {
  block.put("{\"L\":[");
  bool first = true;
  for (const AttributeView element : list) {
    if (!first) block.put(',');
    first = false;
    put_value<order>(block, element);
  }
  block.put("]}");
}

template <SetOrder order>
void put_item(JsonBuffer& block, storage::ItemView item) {
  block.put('{');
  bool first = true;
  for (const storage::NamedAttribute& attribute : item) {
    if (!first) block.put(',');
    first = false;
    block.put_string(attribute.name);
    block.put(':');
    put_value<order>(block, attribute.value);
  }
  block.put('}');
}

template <SetOrder order>
void put_value(JsonBuffer& block, AttributeView value) {
  switch (value.type()) {
    case AttributeType::kString:
      block.put("{\"S\":");
      block.put_string(value.scalar_bytes());
      block.put('}');
      break;
    case AttributeType::kNumber:
      block.put("{\"N\":");
      put_number(block, value.scalar_bytes());
      block.put('}');
      break;
    case AttributeType::kBinary:
      block.put("{\"B\":");
      put_binary(block, value.scalar_bytes());
      block.put('}');
      break;
    case AttributeType::kBoolean:
      if (value.boolean()) {
        block.put("{\"BOOL\":true}");
      } else {
        block.put("{\"BOOL\":false}");
      }
      break;
    case AttributeType::kNull:
      block.put("{\"NULL\":true}");
      break;
    case AttributeType::kStringSet:
      block.put("{\"SS\":[");
      put_set(block, value.set(), put_string);
      break;
    case AttributeType::kNumberSet:
      put_number_set<order>(block, value.set());
      break;
    case AttributeType::kBinarySet:
      block.put("{\"BS\":[");
      put_set(block, value.set(), put_binary);
      break;
    case AttributeType::kList:
      put_list<order>(block, value.list());
      break;
    case AttributeType::kMap:
      block.put("{\"M\":");
      put_item<order>(block, value.map());
      block.put('}');
      break;
  }
}

}  // namespace

void append_value(std::string& out, AttributeView value, SetOrder order) {
  JsonBuffer block(out);
  if (order == SetOrder::kByValue) {
    put_value<SetOrder::kByValue>(block, value);
  } else {
    put_value<SetOrder::kByHash>(block, value);
  }
  block.flush();
}

void append_item(std::string& out, storage::ItemView item, SetOrder order) {
  JsonBuffer block(out);
  if (order == SetOrder::kByValue) {
    put_item<SetOrder::kByValue>(block, item);
  } else {
    put_item<SetOrder::kByHash>(block, item);
  }
  block.flush();
}

}  // namespace magneto::api::json
