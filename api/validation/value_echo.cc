#include "api/validation/value_echo.h"

#include <array>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/java_hash_order.h"
#include "api/json/json_writer.h"
#include "api/validation/constraint.h"

namespace magneto::api {
namespace {

using json::Value;

void lower_first(std::string_view name, std::string& out) {
  const std::size_t start = out.size();
  out += name;
  if (out[start] >= 'A' && out[start] <= 'Z') out[start] = static_cast<char>(out[start] + 32);
}

// The members of a map as Java's map gives them back: each name once, with the last value sent.
std::vector<json::Member> in_java_order(json::Object map) {
  std::vector<json::Member> sent;
  std::vector<std::uint32_t> hashes;
  absl::flat_hash_map<std::string_view, std::size_t> known_names;
  for (const json::Member member : map) {
    const auto [known, is_new] = known_names.try_emplace(member.name, sent.size());
    if (!is_new) {
      sent[known->second].value = member.value;
      continue;
    }
    sent.push_back(member);
    hashes.push_back(java_hash(member.name));
  }
  std::vector<json::Member> ordered;
  for (const std::size_t i : java_hash_order(hashes, FirstTable::kForCount)) {
    ordered.push_back(sent[i]);
  }
  return ordered;
}

// Appends a value in the form of Java's toString, up to a size limit.
class JavaEcho {
 public:
  JavaEcho(std::string& out) : out_(out), limit_(out.size() + kMaxEchoBytes) {}

  void value(Value value, const Shape& shape) {
    if (full()) return;
    if (!value || value.is_null()) {
      out_ += "null";
      return;
    }
    switch (shape.kind) {
      case Kind::kString:
        out_ += value.is_string() ? value.string() : "null";
        break;
      case Kind::kBoolean:
        out_ += value.boolean() ? "true" : "false";
        break;
      case Kind::kInteger:
      case Kind::kLong:
        json::append_integer(out_, integer_value(value, shape));
        break;
      case Kind::kDouble:
        json::append_double(out_, value.number());
        break;
      case Kind::kList:
        list(value, *shape.element);
        break;
      case Kind::kMap:
        map(value, *shape.element);
        break;
      case Kind::kStructure:
        structure(value, shape);
        break;
      case Kind::kAttributeValue:
        attribute_value(value);
        break;
      case Kind::kUnsupported:
        break;
    }
  }

 private:
  bool full() const { return out_.size() >= limit_; }

  void list(Value value, const Shape& element_shape) {
    out_ += '[';
    bool first = true;
    for (const Value element : value.array()) {
      if (full()) return;
      if (!first) out_ += ", ";
      first = false;
      this->value(element, element_shape);
    }
    out_ += ']';
  }

  void map(Value value, const Shape& value_shape) {
    out_ += '{';
    bool first = true;
    for (const json::Member& member : in_java_order(value.object())) {
      if (full()) return;
      if (!first) out_ += ", ";
      first = false;
      out_ += member.name;
      out_ += '=';
      this->value(member.value, value_shape);
    }
    out_ += '}';
  }

  void structure(Value value, const Shape& shape) {
    out_ += shape.structure_name;
    out_ += '(';
    bool first = true;
    for (const MemberShape& member : shape.members) {
      if (full()) return;
      if (!first) out_ += ", ";
      first = false;
      lower_first(member.name, out_);
      out_ += '=';
      this->value(value.object().find(member.name), *member.shape);
    }
    out_ += ')';
  }

  // Writes AttributeValue(s=a, n=null, b=null, iNT=null, ...). AWS's class has members that the
  // protocol lacks; the shape check has not checked them.
  void attribute_value(Value value) {
    static constexpr Shape kStrings = list_shape(kStringShape);
    static constexpr Shape kMap = map_shape(kAttributeValueShape);
    static constexpr Shape kList = list_shape(kAttributeValueShape);
    static constexpr std::array<MemberShape, 16> kMembers{{
        {"S", &kStringShape},
        {"N", &kStringShape},
        {"B", &kStringShape},
        {"INT", &kStringShape},
        {"DECIMAL", &kStringShape},
        {"DOUBLE", &kStringShape},
        {"SS", &kStrings},
        {"NS", &kStrings},
        {"BS", &kStrings},
        {"INTSET", &kStrings},
        {"DECIMALSET", &kStrings},
        {"DOUBLESET", &kStrings},
        {"M", &kMap},
        {"L", &kList},
        {"NULL", &kBooleanShape},
        {"BOOL", &kBooleanShape},
    }};
    static constexpr Shape kShape = structure_shape("AttributeValue", kMembers);
    structure(value, kShape);
  }

  std::string& out_;
  const std::size_t limit_;
};

}  // namespace

void append_echo(Value value, const Shape& shape, std::string& out) {
  const std::size_t start = out.size();
  if (shape.echo == Echo::kJson) {
    json::append_compact(value, out);
  } else {
    JavaEcho(out).value(value, shape);
  }
  if (out.size() <= start + kMaxEchoBytes) return;
  std::size_t end = start + kMaxEchoBytes;
  while ((static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;  // between characters
  out.resize(end);
}

}  // namespace magneto::api
