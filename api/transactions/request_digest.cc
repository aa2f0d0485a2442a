#include "api/transactions/request_digest.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "api/validation/parameter_shapes.h"
#include "storage/encoding/keyspace.h"

namespace magneto::api {
namespace {

using json::Value;

// The shape of a value of each type.
constexpr Shape kTextsShape = list_shape(kStringShape);
constexpr Shape kValuesShape = list_shape(kAttributeValueShape);
constexpr Shape kValueMapShape = map_shape(kAttributeValueShape);
constexpr MemberShape kTypes[] = {
    {"S", &kStringShape},     {"N", &kStringShape},   {"B", &kStringShape},
    {"BOOL", &kBooleanShape}, {"M", &kValueMapShape}, {"L", &kValuesShape},
    {"SS", &kTextsShape},     {"NS", &kTextsShape},   {"BS", &kTextsShape},
    {"NULL", &kBooleanShape},
};

// Writes a value in a form that only values of the same meaning share. Each part begins with a
// letter for its kind, texts have their length as a prefix, and containers have an end mark.
class Walk {
 public:
  explicit Walk(storage::Effort& effort) : effort_(effort) {
    buffer_.reserve(2 * kBufferSize + 16);
  }

  void value(Value value, const Shape& shape) {
    if (value.is_null()) return letter('n');
    switch (shape.kind) {
      case Kind::kString:
        return text('s', value.string());
      case Kind::kBoolean:
        return letter(value.boolean() ? 't' : 'f');
      case Kind::kInteger:
      case Kind::kLong:
        return number('i', static_cast<std::uint64_t>(value.truncated()));
      case Kind::kDouble:
        return number('d', std::bit_cast<std::uint64_t>(value.number()));
      case Kind::kList:
        letter('[');
        for (const Value element : value.array()) this->value(element, *shape.element);
        return letter(']');
      case Kind::kMap:
        return map(value, *shape.element);
      case Kind::kStructure:
        return structure(value, shape.members);
      case Kind::kAttributeValue:
        return attribute_value(value);
      case Kind::kUnsupported:  // refused before
        return;
    }
  }

  storage::Digest finish() {
    flush();
    return digest_.finish();
  }

 private:
  static constexpr std::size_t kBufferSize = 4096;
  static constexpr std::uint64_t kBytesPerStep = 4;

  struct Named {
    std::string_view name;
    Value value;
    const Shape* shape;
  };
  using Members = absl::InlinedVector<Named, 8>;

  void structure(Value structure, std::span<const MemberShape> shapes) {
    Members members;
    for (const json::Member member : structure.object()) {
      const auto known = std::ranges::find(shapes, member.name, &MemberShape::name);
      if (known != shapes.end()) members.push_back({member.name, member.value, known->shape});
    }
    append(members);
  }

  // Here too, a null does not replace an earlier value.
  void map(Value map, const Shape& element) {
    Members members;
    for (const json::Member member : map.object()) {
      if (!member.value.is_null()) members.push_back({member.name, member.value, &element});
    }
    append(members);
  }
  void attribute_value(Value value) {
    Members members;
    for (const json::Member member : value.object()) {
      const auto type = std::ranges::find(kTypes, member.name, &MemberShape::name);
      if (type == std::end(kTypes) || member.value.is_null()) continue;
      members.push_back({member.name, member.value, type->shape});
    }
    append(members);
  }

  void append(Members& members) {
    effort_.spend(members.size() * static_cast<std::uint64_t>(std::bit_width(members.size())));
    if (!std::ranges::is_sorted(members, {}, &Named::name)) {
      std::ranges::stable_sort(members, {}, &Named::name);
    }
    letter('{');
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Named& member = members[i];
      if (i + 1 < members.size() && members[i + 1].name == member.name) continue;
      if (member.value.is_null() || is_default(member)) continue;
      text('k', member.name);
      value(member.value, *member.shape);
    }
    letter('}');
  }

  // NONE is as good as no ReturnValuesOnConditionCheckFailure (captured facts 3, P40).
  static bool is_default(const Named& member) {
    return member.shape == &kConditionFailureShape && member.value.string() == "NONE";
  }

  void letter(char kind) {
    buffer_ += kind;
    if (buffer_.size() > kBufferSize) flush();
  }

  void number(char kind, std::uint64_t bits) {
    buffer_ += kind;
    storage::append_uint64(buffer_, bits);
  }

  void text(char kind, std::string_view text) {
    number(kind, text.size());
    if (text.size() > kBufferSize) {
      flush();
      effort_.spend(text.size() / kBytesPerStep);
      digest_.add(text);
    } else {
      buffer_ += text;
      if (buffer_.size() > kBufferSize) flush();
    }
  }

  void flush() {
    effort_.spend(buffer_.size() / kBytesPerStep);
    digest_.add(buffer_);
    buffer_.clear();
  }

  storage::Effort& effort_;
  storage::DigestBuilder digest_;
  std::string buffer_;
};

}  // namespace

storage::Digest digest_request(Value value, const Shape& shape, storage::Effort& effort) {
  Walk walk(effort);
  walk.value(value, shape);
  return walk.finish();
}

}  // namespace magneto::api
