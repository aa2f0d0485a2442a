#include "server/admin/mcp/shape_schema.h"

#include <algorithm>
#include <string_view>

#include "api/control_error.h"
#include "api/json/json_writer.h"
#include "server/admin/mcp/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::admin::mcp {
namespace {

using api::Kind;
using api::MemberShape;
using api::Shape;

constexpr std::size_t kLongestShownMember = 100;

// Agents that read these would use them.
constexpr std::string_view kReplaced[] = {
    "AttributeUpdates", "AttributesToGet", "ConditionalOperator", "Expected",
    "KeyConditions",    "QueryFilter",     "ScanFilter"};

bool is_shown(const MemberShape& member) {
  return member.shape->kind != Kind::kUnsupported &&
         std::ranges::find(kReplaced, member.name) == std::end(kReplaced);
}

void append_schema(const Shape& shape, std::string& out);

void append_values(const Shape& shape, std::string& out) {
  if (shape.values.empty()) return;
  out += R"(,"enum":[)";
  for (const std::string_view value : shape.values) {
    if (out.back() != '[') out += ',';
    api::json::append_string(out, value);
  }
  out += ']';
}

void append_range(const Shape& shape, std::string& out) {
  if (shape.has_min) out.append(R"(,"minimum":)").append(std::to_string(shape.min));
  if (shape.has_max) out.append(R"(,"maximum":)").append(std::to_string(shape.max));
}

void append_structure(const Shape& shape, std::string& out) {
  out += R"("object","properties":{)";
  append_properties(shape, out);
  out += '}';
  std::string required;
  append_required(shape, required);
  if (!required.empty()) out.append(R"(,"required":[)").append(required).append("]");
  out += R"(,"additionalProperties":false)";
}

void append_schema(const Shape& shape, std::string& out) {
  out += R"({"type":)";
  switch (shape.kind) {
    case Kind::kString:
      out += R"("string")";
      append_values(shape, out);
      break;
    case Kind::kBoolean:
      out += R"("boolean")";
      break;
    case Kind::kInteger:
    case Kind::kLong:
      out += R"("integer")";
      append_range(shape, out);
      break;
    case Kind::kDouble:
      out += R"("number")";
      break;
    case Kind::kList:
      out += R"("array","items":)";
      append_schema(*shape.element, out);
      break;
    case Kind::kMap:
      out += R"("object","additionalProperties":)";
      append_schema(*shape.element, out);
      break;
    case Kind::kStructure:
      append_structure(shape, out);
      break;
    case Kind::kAttributeValue:
    case Kind::kUnsupported:
      out += R"("object")";
      break;
  }
  out += '}';
}

}  // namespace

void append_properties(const Shape& request, std::string& out) {
  bool is_first = true;
  for (const MemberShape& member : request.members) {
    if (!is_shown(member)) continue;
    if (!is_first) out += ',';
    is_first = false;
    api::json::append_string(out, member.name);
    out += ':';
    append_schema(*member.shape, out);
  }
}

void append_required(const Shape& request, std::string& out) {
  bool is_first = true;
  for (const MemberShape& member : request.members) {
    if (member.required == api::Required::kNo || !is_shown(member)) continue;
    if (!is_first) out += ',';
    is_first = false;
    api::json::append_string(out, member.name);
  }
}

void check_known_members(api::json::Value value, const Shape& shape, const std::string& place) {
  if (shape.kind == Kind::kList && value.is_array()) {
    for (const api::json::Value element : value.array()) {
      check_known_members(element, *shape.element, place);
    }
  } else if (shape.kind == Kind::kMap && value.is_object()) {
    for (const api::json::Member member : value.object()) {
      check_known_members(member.value, *shape.element, place);
    }
  } else if (shape.kind == Kind::kStructure && value.is_object()) {
    for (const api::json::Member member : value.object()) {
      const auto found = std::ranges::find(shape.members, member.name, &MemberShape::name);
      if (found == shape.members.end()) {
        throw api::ControlError(messages::kUnknownPlace(
            system::first_characters(member.name, kLongestShownMember), place));
      }
      check_known_members(member.value, *found->shape, std::string(found->name));
    }
  }
}

}  // namespace magneto::server::admin::mcp
