#include "api/validation/strict_types.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "api/error.h"
#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "api/json/text_position.h"
#include "api/messages/vector_messages.h"

namespace magneto::api {
namespace {

using json::Type;
using json::Value;

// The expected kinds of values, in serde's words.
constexpr std::string_view kStringExpected = "a string";
constexpr std::string_view kBase64Expected = "a Base64-encoded string";
constexpr std::string_view kBooleanExpected = "a boolean";
constexpr std::string_view kSequenceExpected = "a sequence";
constexpr std::string_view kMapExpected = "a map";
constexpr std::string_view kInt32Expected = "i32";

// A type of attribute values. The element of a set is a string or base64.
struct Variant {
  std::string_view name;
  std::string_view expected;   // empty: anything
  std::string_view element{};  // of a set
};
constexpr Variant kVariants[] = {{"B", kBase64Expected},
                                 {"BOOL", kBooleanExpected},
                                 {"BS", kSequenceExpected, kBase64Expected},
                                 {"DECIMAL", {}},
                                 {"DECIMALSET", {}},
                                 {"DOUBLE", {}},
                                 {"DOUBLESET", {}},
                                 {"INT", {}},
                                 {"INTSET", {}},
                                 {"L", kSequenceExpected},
                                 {"M", kMapExpected},
                                 {"N", kStringExpected},
                                 {"NS", kSequenceExpected, kStringExpected},
                                 {"NULL", kBooleanExpected},
                                 {"S", kStringExpected},
                                 {"SS", kSequenceExpected, kStringExpected}};

const Variant* find_variant(std::string_view name) {
  const auto* found = std::ranges::find(kVariants, name, &Variant::name);
  return found == std::end(kVariants) ? nullptr : found;
}

// The name of the value's kind, as serde words it.
std::string serde_kind(Value value) {
  switch (value.type()) {
    case Type::kBoolean:
      return messages::boolean_kind(value.boolean());
    case Type::kNumber:
      return value.is_whole() ? messages::integer_kind(value.truncated())
                              : messages::float_kind(value.number());
    case Type::kString:
      return messages::string_kind(value.string());
    case Type::kArray:
      return std::string(messages::kSequenceKind);
    case Type::kObject:
      return std::string(messages::kMapKind);
    case Type::kNull:
      break;
  }
  return std::string(messages::kNullKind);
}

class StrictWalk {
 public:
  explicit StrictWalk(std::string_view text) : text_(text) {}

  void structure(Value value, const Shape& shape) {
    ++tokens_;
    for (const json::Member member : value.object()) {
      ++tokens_;
      const auto known = std::ranges::find(shape.members, member.name, &MemberShape::name);
      const bool is_absent = known == shape.members.end() ||
                             (member.value.is_null() && known->required == Required::kNo);
      if (is_absent) {
        skip(member.value);
      } else {
        this->value(member.value, *known->shape);
      }
    }
  }

 private:
  void value(Value value, const Shape& shape) {
    switch (shape.kind) {
      case Kind::kInteger:
        return integer(value);
      case Kind::kList:
        expect(value, kSequenceExpected);
        for (const Value element : value.array()) this->value(element, *shape.element);
        return;
      case Kind::kMap:
        expect(value, kMapExpected);
        for (const json::Member member : value.object()) {
          ++tokens_;
          this->value(member.value, *shape.element);
        }
        return;
      case Kind::kAttributeValue:
        return attribute_value(value);
      default:
        return expect(value, kStringExpected);
    }
  }

  void attribute_value(Value value) {
    if (value.is_string()) unknown_variant(value.string());
    if (!value.is_object() || value.object().empty()) fail_serialization({});
    ++tokens_;
    const json::Member only = *value.object().begin();
    const Variant* const variant = find_variant(only.name);
    if (variant == nullptr) unknown_variant(only.name);
    ++tokens_;
    content(only.value, *variant);
    if (value.object().size() > 1) fail_serialization({});
  }

  void content(Value value, const Variant& variant) {
    if (variant.expected.empty()) return skip(value);
    expect(value, variant.expected);
    if (variant.expected == kMapExpected) {
      for (const json::Member member : value.object()) {
        ++tokens_;
        attribute_value(member.value);
      }
    }
    for (const Value element : value.array()) {
      if (variant.element.empty()) {
        attribute_value(element);
      } else {
        expect(element, variant.element);
      }
    }
  }

  void integer(Value value) {
    if (value.type() != Type::kNumber || !value.is_whole()) fail_type(value, kInt32Expected);
    const std::int64_t number = value.truncated();
    if (number != static_cast<std::int32_t>(number)) fail_value(value, kInt32Expected);
    ++tokens_;
  }

  // Passes the value's own token.
  void expect(Value value, std::string_view expected) {
    const bool is_text = expected == kStringExpected || expected == kBase64Expected;
    const Type wanted = is_text                         ? Type::kString
                        : expected == kBooleanExpected  ? Type::kBoolean
                        : expected == kSequenceExpected ? Type::kArray
                                                        : Type::kObject;
    if (value.type() != wanted) fail_type(value, expected);
    if (expected == kBase64Expected && !json::is_base64(value.string()))
      fail_value(value, expected);
    ++tokens_;
  }

  void skip(Value value) {
    ++tokens_;
    for (const json::Member member : value.object()) {
      ++tokens_;
      skip(member.value);
    }
    for (const Value element : value.array()) skip(element);
  }

  json::TextPosition place() const { return json::place_of_token(text_, tokens_); }

  // This deserializer spells the member "message".
  [[noreturn]] void fail_type(Value value, std::string_view expected) const {
    const json::TextPosition at = place();
    ErrorMember message{"message", {}};
    json::Writer(message.value)
        .string(messages::unexpected_type(serde_kind(value), expected, at.line, at.column));
    throw ApiError(ErrorType::kSerialization, {}, std::move(message));
  }

  [[noreturn]] void fail_value(Value value, std::string_view expected) const {
    const json::TextPosition at = place();
    fail_validation(messages::unexpected_value(serde_kind(value), expected, at.line, at.column));
  }

  // A value that is only the name of a type has no content.
  [[noreturn]] void unknown_variant(std::string_view name) const {
    if (find_variant(name) != nullptr) fail_serialization({});
    const json::TextPosition at = place();
    fail_validation(messages::unknown_variant(name, at.line, at.column));
  }

  const std::string_view text_;
  std::size_t tokens_ = 0;  // before the value at hand
};

}  // namespace

void check_strict_types(Value body, std::string_view text, const Shape& shape) {
  StrictWalk(text).structure(body, shape);
  std::string_view missing;
  for (const MemberShape& member : shape.members) {
    if (member.required == Required::kNo || body.object().find(member.name)) continue;
    if (missing.empty() || member.name < missing) missing = member.name;
  }
  if (missing.empty()) return;
  const json::TextPosition end = json::end_of(text);
  fail_validation(messages::missing_member(missing, end.line, end.column));
}

bool has_foreign_type(Value value) {
  const json::Member only = *value.object().begin();
  const Variant* const variant = find_variant(only.name);
  if (variant != nullptr && variant->expected.empty()) return true;
  if (only.name == "M") {
    for (const json::Member member : only.value.object()) {
      if (has_foreign_type(member.value)) return true;
    }
  }
  if (only.name == "L") {
    for (const Value element : only.value.array()) {
      if (has_foreign_type(element)) return true;
    }
  }
  return false;
}

}  // namespace magneto::api
