#include "api/validation/shape_checker.h"

#include <algorithm>
#include <string>

#include "api/error.h"
#include "api/json/base64.h"
#include "api/messages/request_messages.h"
#include "api/validation/constraint.h"
#include "storage/model/limits.h"

namespace magneto::api {
namespace {

using json::Type;
using json::Value;

// The position of a value, which determines the message for a wrong JSON type.
enum class Container {
  kField,    // of a structure
  kElement,  // of a list or map
};

constexpr std::string_view kModelPackage = "com.amazonaws.dynamodb.v20120810.";

std::string_view token_name(Value value) {
  switch (value.type()) {
    case Type::kBoolean:
      return value.boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
    case Type::kNumber:
      return value.is_whole() ? "NUMBER_VALUE" : "DECIMAL_VALUE";
    default:
      return "STRING_VALUE";
  }
}

// Refuses a scalar of another type, a list or a map in place of a `java_class`.
[[noreturn]] void fail_scalar(Value value, std::string_view java_class) {
  if (value.is_object()) fail_serialization(messages::kUnexpectedStructure);
  if (value.is_array()) {
    fail_serialization(messages::list_for_class("java.lang." + std::string(java_class)));
  }
  fail_serialization(messages::not_convertible(token_name(value), java_class));
}

[[noreturn]] void fail_blob(Value value) {
  if (value.is_object()) fail_serialization(messages::kUnexpectedStructure);
  if (value.is_array()) fail_serialization(messages::list_for_class("java.nio.ByteBuffer"));
  fail_serialization(messages::kNotBase64);
}

[[noreturn]] void fail_structure(Value value, std::string_view name, Container place) {
  if (value.is_array()) {
    fail_serialization(messages::list_for_class(std::string(kModelPackage).append(name)));
  }
  fail_serialization(place == Container::kField ? messages::kUnexpectedField
                                                : messages::kUnexpectedElement);
}

[[noreturn]] void fail_list(Value value, Container place) {
  if (value.is_object()) fail_serialization(messages::kUnexpectedStructure);
  fail_serialization(place == Container::kField ? messages::kUnexpectedField
                                                : messages::kClassCast);
}

std::string java_type(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kString:
      return "java.lang.String";
    case Kind::kBoolean:
      return "java.lang.Boolean";
    case Kind::kInteger:
      return "java.lang.Integer";
    case Kind::kLong:
      return "java.lang.Long";
    case Kind::kDouble:
      return "java.lang.Double";
    case Kind::kList:
      return "java.util.List<" + java_type(*shape.element) + ">";
    case Kind::kMap:
      return "java.util.Map<java.lang.String, " + java_type(*shape.element) + ">";
    case Kind::kStructure:
      return std::string(kModelPackage) + std::string(shape.structure_name);
    case Kind::kAttributeValue:
    case Kind::kUnsupported:
      break;
  }
  return std::string(kModelPackage) + "AttributeValue";
}

[[noreturn]] void fail_map(Value value, const Shape& shape, Container place) {
  if (value.is_array()) fail_serialization(messages::list_for_map(java_type(shape)));
  fail_serialization(place == Container::kField ? messages::kUnexpectedField
                                                : messages::kClassCast);
}

void check_string(Value value) {
  if (!value.is_string()) fail_scalar(value, "String");
}

void check_boolean(Value value, const Shape& shape) {
  if (value.type() == Type::kBoolean) return;
  if (value.is_array() && shape.silent_list) fail_serialization({});
  if (!value.is_string()) fail_scalar(value, "Boolean");
  if (!json::is_boolean_text(value.string())) {
    fail_serialization(messages::kUnexpectedToken);
  }
}

void check_blob(Value value) {
  if (!value.is_string()) fail_blob(value);
  const std::string_view text = value.string();
  if (text.size() % 4 != 0) {
    fail_serialization(messages::base64_length(text.size()));
  }
  if (!json::is_base64(text)) {
    fail_serialization(messages::kBase64Ending);
  }
}

void check_number(Value value, Kind kind, Profile profile) {
  constexpr std::string_view kNames[] = {"Integer", "Long", "Double"};
  if (value.type() == Type::kNumber) return;
  const bool takes_text = profile == Profile::kDynamoDbLocal && kind != Kind::kDouble;
  if (takes_text && value.is_string() && json::is_integer_text(value.string())) return;
  fail_scalar(value, kNames[kind == Kind::kInteger ? 0 : kind == Kind::kLong ? 1 : 2]);
}

// The index of a member in its structure's shape; members.size() if the shape does not have it.
std::size_t index_of(const Shape& shape, std::string_view name) {
  std::size_t i = 0;
  while (i < shape.members.size() && shape.members[i].name != name) ++i;
  return i;
}

// Walks a request once: checks JSON types and finds whether a constraint is violated. Drops members
// that no shape knows.
class Walk {
 public:
  explicit Walk(Profile profile) : profile_(profile) {}

  bool violated = false;
  bool required_missing = false;
  bool unsupported = false;
  // Something in the request that only the older layer reads, if the operation moves by values.
  bool moves = false;
  std::size_t depth = 0;  // of objects and arrays, as far as it can pass kMaxCurrentDepth

  void value(Value value, const Shape& shape, Container place) {
    switch (shape.kind) {
      case Kind::kString:
        check_string(value);
        break;
      case Kind::kBoolean:
        boolean(value, shape);
        return;
      case Kind::kInteger:
      case Kind::kLong:
      case Kind::kDouble:
        check_number(value, shape.kind, profile_);
        if (shape.kind == Kind::kInteger && is_cut(value)) moves = true;
        break;
      case Kind::kList:
        list(value, shape, place);
        break;
      case Kind::kMap:
        map(value, shape, place);
        break;
      case Kind::kStructure:
        if (!value.is_object()) fail_structure(value, shape.structure_name, place);
        structure(value, shape);
        return;
      case Kind::kAttributeValue:
        attribute_value(value, place, 1);
        return;
      case Kind::kUnsupported:
        unsupported = true;
        return;
    }
    if (!satisfies(value, shape)) violated = true;
  }

  void structure(Value value, const Shape& shape) {
    ++open_;
    std::uint64_t present = 0;
    const json::Object members = value.object();
    for (auto it = members.begin(), stop = members.end(); it != stop; ++it) {
      const json::Member member = *it;
      const std::size_t i = index_of(shape, member.name);
      if (i == shape.members.size()) {
        note_depth(member.value);
        it.drop();
      } else if (member.value.is_null()) {
        present &= ~(std::uint64_t{1} << i);
      } else {
        present |= std::uint64_t{1} << i;
        this->value(member.value, *shape.members[i].shape, Container::kField);
      }
    }
    for (std::size_t i = 0; i < shape.members.size(); ++i) {
      if (shape.members[i].required != Required::kNo && (present >> i & 1) == 0) {
        violated = required_missing = true;
      }
    }
    --open_;
  }

 private:
  void list(Value value, const Shape& shape, Container place) {
    if (!value.is_array()) fail_list(value, place);
    ++open_;
    for (const Value element : value.array()) {
      element_of(element, shape);
    }
    --open_;
  }

  void map(Value value, const Shape& shape, Container place) {
    if (!value.is_object()) fail_map(value, shape, place);
    ++open_;
    for (const json::Member member : value.object()) {
      element_of(member.value, shape);
    }
    --open_;
  }

  // json::read_value refuses null in place of an attribute value, with its own message.
  void element_of(Value element, const Shape& container) {
    if (!element.is_null()) {
      value(element, *container.element, Container::kElement);
    } else if (container.element->kind == Kind::kAttributeValue) {
      moves = true;
    } else {
      violated = true;
    }
  }

  void boolean(Value value, const Shape& shape) {
    check_boolean(value, shape);
    if (shape.text_moves && value.is_string()) moves = true;
  }

  void note_depth(Value value) { depth = std::max(depth, open_ + json::container_levels(value)); }

  // Whether a value is just a string or a number, as most are: nothing in it can be wrong here.
  static bool is_one_text(json::Object members) {
    auto it = members.begin();
    const auto stop = members.end();
    if (!(it != stop)) return false;
    const json::Member member = *it;
    if (member.name.size() != 1 || !member.value.is_string()) return false;
    return (member.name[0] == 'S' || member.name[0] == 'N') && !(++it != stop);
  }

  // json::read_value refuses what nests too deeply, so nothing in it is an error of its own.
  void attribute_value(Value value, Container place, std::size_t level) {
    if (level > storage::kMaxNestingLevels) return note_depth(value);
    if (!value.is_object()) fail_structure(value, "AttributeValue", place);
    const json::Object members = value.object();
    if (is_one_text(members)) return;
    ++open_;
    std::string_view type;
    std::size_t types = 0;
    for (const json::Member member : members) {
      if (member.value.is_null() || !attribute_member(member, level)) continue;
      if (types == 0 || member.name != type) ++types;
      type = member.name;
    }
    --open_;
    if (types != 1) moves = true;
  }

  void inner_value(Value inner, std::size_t level) {
    if (inner.is_null()) {
      moves = true;
    } else {
      attribute_value(inner, Container::kElement, level + 1);
    }
  }

  // False if an attribute value has no such member.
  bool attribute_member(const json::Member& member, std::size_t level) {
    const std::string_view type = member.name;
    if (type == "S" || type == "N") {
      check_string(member.value);
    } else if (type == "B") {
      check_blob(member.value);
    } else if (type == "M") {
      constexpr static Shape kMembers = map_shape(kAttributeValueShape);
      if (!member.value.is_object()) fail_map(member.value, kMembers, Container::kField);
      ++open_;
      for (const json::Member inner : member.value.object()) inner_value(inner.value, level);
      --open_;
    } else if (type == "L") {
      if (!member.value.is_array()) fail_list(member.value, Container::kField);
      ++open_;
      for (const Value inner : member.value.array()) inner_value(inner, level);
      --open_;
    } else if (type == "BOOL" || type == "NULL") {
      constexpr static Shape kFlag{.kind = Kind::kBoolean, .silent_list = true, .text_moves = true};
      boolean(member.value, kFlag);
    } else if (type == "SS" || type == "NS" || type == "BS") {
      if (!member.value.is_array()) fail_list(member.value, Container::kField);
      for (const Value inner : member.value.array()) set_member(inner, type == "BS");
    } else {
      return false;
    }
    return true;
  }

  void set_member(Value member, bool is_binary) {
    if (member.is_null()) return;
    if (is_binary) {
      check_blob(member);
    } else {
      check_string(member);
    }
  }

  std::size_t open_ = 0;  // objects and arrays around the current value
  const Profile profile_;
};

// Only requests have such members, not the structures within them.
void refuse_unsupported(Value body, const Shape& shape) {
  for (const MemberShape& member : shape.members) {
    if (member.shape->kind != Kind::kUnsupported) continue;
    const Value value = body.object().find(member.name);
    if (!value || value.is_null()) continue;
    fail_validation(messages::unsupported_parameter(member.name));
  }
}

// The one place that decides which layer reads a request (captured facts 3, R2, R11).
json::Layer layer_of(const Walk& walk, const Shape& shape) {
  const bool moves_by_values = !shape.stages.empty();
  const bool moved = (walk.required_missing && !shape.stays_current) ||
                     walk.depth > kMaxCurrentDepth || (walk.moves && moves_by_values);
  return shape.current_generation && moved ? json::Layer::kOlder : json::Layer::kCurrent;
}

}  // namespace

CheckedRequest check_request(Value body, const Shape& shape, Profile profile) {
  Walk walk(profile);
  walk.structure(body, shape);
  const json::Layer layer = layer_of(walk, shape);
  if (walk.violated) {
    const std::string message = describe_violations(body, shape, layer);
    if (!message.empty()) fail_validation(message);
  }
  if (walk.unsupported) refuse_unsupported(body, shape);
  return {.layer = layer};
}

}  // namespace magneto::api
