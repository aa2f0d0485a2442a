#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "storage/model/number.h"

namespace magneto::api::json {
namespace {

using storage::AttributeType;
using storage::AttributeView;

void append_number(std::string& out, std::string_view number_bytes) {
  out += '"';
  storage::append_decimal(number_bytes, out);
  out += '"';
}

void append_binary(std::string& out, std::string_view bytes) {
  out += '"';
  encode_base64(bytes, out);
  out += '"';
}

template <typename AppendMember>
void append_set(std::string& out, storage::SetView set, AppendMember append_member) {
  bool first = true;
  for (const std::string_view member : set) {
    if (!first) out += ',';
    first = false;
    append_member(out, member);
  }
  out += "]}";
}

void append_list(std::string& out, storage::ListView list) {
  out += "{\"L\":[";
  bool first = true;
  for (const AttributeView element : list) {
    if (!first) out += ',';
    first = false;
    append_value(out, element);
  }
  out += "]}";
}

}  // namespace

void append_value(std::string& out, AttributeView value) {
  switch (value.type()) {
    case AttributeType::kString:
      out += "{\"S\":";
      append_string(out, value.scalar_bytes());
      out += '}';
      break;
    case AttributeType::kNumber:
      out += "{\"N\":";
      append_number(out, value.scalar_bytes());
      out += '}';
      break;
    case AttributeType::kBinary:
      out += "{\"B\":";
      append_binary(out, value.scalar_bytes());
      out += '}';
      break;
    case AttributeType::kBoolean:
      out += value.boolean() ? "{\"BOOL\":true}" : "{\"BOOL\":false}";
      break;
    case AttributeType::kNull:
      out += "{\"NULL\":true}";
      break;
    case AttributeType::kStringSet:
      out += "{\"SS\":[";
      append_set(out, value.set(), append_string);
      break;
    case AttributeType::kNumberSet:
      out += "{\"NS\":[";
      append_set(out, value.set(), append_number);
      break;
    case AttributeType::kBinarySet:
      out += "{\"BS\":[";
      append_set(out, value.set(), append_binary);
      break;
    case AttributeType::kList:
      append_list(out, value.list());
      break;
    case AttributeType::kMap:
      out += "{\"M\":";
      append_item(out, value.map());
      out += '}';
      break;
  }
}

void append_item(std::string& out, storage::ItemView item) {
  out += '{';
  bool first = true;
  for (const storage::NamedAttribute& attribute : item) {
    if (!first) out += ',';
    first = false;
    append_string(out, attribute.name);
    out += ':';
    append_value(out, attribute.value);
  }
  out += '}';
}

}  // namespace magneto::api::json
