#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "api/messages/value_messages.h"
#include "storage/model/limits.h"
#include "storage/model/number.h"

namespace magneto::api::json {
namespace {

using storage::AttributeType;
using storage::Number;
using storage::NumberError;
using storage::ValueWriter;

constexpr std::size_t kMaxNameSize = 65'535;

[[noreturn]] void refuse(const ErrorDialect& dialect, std::string_view message) {
  if (dialect.counts_errors) fail_one_validation_error(message);
  fail_validation(message);
}

[[noreturn]] void fail_number(const ErrorDialect& dialect, std::string_view text,
                              NumberError error) {
  if (!dialect.current && error == NumberError::kOverflow &&
      storage::java_exponent(text) == storage::JavaExponent::kWraps) {
    error = NumberError::kUnderflow;
  }
  switch (error) {
    case NumberError::kOverflow:
      refuse(dialect, messages::kNumberOverflow);
    case NumberError::kUnderflow:
      refuse(dialect, messages::kNumberUnderflow);
    case NumberError::kTooManyDigits:
      refuse(dialect, messages::kTooManyDigits);
    case NumberError::kNotANumber:
    case NumberError::kExponentTooLarge:
      break;
  }
  if (!dialect.current && text.empty()) refuse(dialect, messages::kNoNumber);
  refuse(dialect, messages::not_a_number(text));
}

Number number_of(std::string_view text, const ErrorDialect& dialect) {
  NumberError error{};
  if (dialect.narrow_exponents &&
      storage::java_exponent(text) == storage::JavaExponent::kUnreadable) {
    fail_number(dialect, text, NumberError::kNotANumber);
  }
  const std::optional<Number> number = Number::parse(text, error);
  if (!number) fail_number(dialect, text, error);
  return *number;
}

// The number of set members that are examined. More distinct members are together larger than an
// item, because all but one have at least a byte.
constexpr std::size_t kMaxMembers = storage::kMaxItemSize + 2;

// The number of bytes of a set that a message repeats.
constexpr std::size_t kMaxListBytes = 64 * 1024;

// Sorts `members`.
bool has_duplicates(std::vector<std::string_view>& members) {
  if (!std::is_sorted(members.begin(), members.end())) std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

// Orders a set's members as the current dialect lists them in the message about duplicates: in byte
// order up to the first repeat, then the repeat, then the rest as sent. Sorts only as many members
// as the message can show.
void sort_up_to_repeat(std::vector<std::string_view>& members) {
  constexpr std::ptrdiff_t kMostShown = kMaxListBytes / 2;
  absl::flat_hash_set<std::string_view> seen;
  const auto repeat =
      std::find_if(members.begin(), members.end(),
                   [&seen](std::string_view member) { return !seen.insert(member).second; });
  const auto shown = members.begin() + std::min(repeat - members.begin(), kMostShown);
  std::partial_sort(members.begin(), shown, repeat);
}

// The members as a message lists them, cut off between two characters if the list is too long.
template <typename Append>
std::string list_text(const ErrorDialect& dialect, std::vector<std::string_view> sent,
                      std::string_view separator, Append append) {
  if (dialect.current) sort_up_to_repeat(sent);
  std::string list;
  bool first = true;
  for (const std::string_view member : sent) {
    if (!first) list += separator;
    first = false;
    append(member, list);
    if (list.size() > kMaxListBytes) break;
  }
  if (list.size() <= kMaxListBytes) return list;
  std::size_t end = kMaxListBytes;
  while ((static_cast<unsigned char>(list[end]) & 0xC0) == 0x80) --end;
  list.resize(end);
  return list;
}

[[noreturn]] void fail_duplicate_texts(const ErrorDialect& dialect,
                                       std::vector<std::string_view> sent) {
  const std::string list = list_text(dialect, std::move(sent), ", ",
                                     [&dialect](std::string_view member, std::string& out) {
                                       if (dialect.current) {
                                         append_string(out, member);
                                       } else {
                                         out += member;
                                       }
                                     });
  refuse(dialect, messages::duplicate_members(list));
}

[[noreturn]] void fail_duplicate_binaries(const ErrorDialect& dialect,
                                          std::vector<std::string_view> sent) {
  const std::string list = list_text(dialect, std::move(sent), dialect.current ? "," : ", ",
                                     [&dialect](std::string_view member, std::string& out) {
                                       if (dialect.current) out += '"';
                                       encode_base64(member, out);
                                       if (dialect.current) out += '"';
                                     });
  refuse(dialect, messages::duplicate_binaries(list));
}

[[noreturn]] void fail_duplicate_numbers(const ErrorDialect& dialect) {
  refuse(dialect, dialect.current ? messages::kDuplicateNumbers : messages::kOlderDuplicateNumbers);
}

std::optional<AttributeType> type_of(std::string_view name) {
  switch (name.size()) {
    case 1:
      switch (name[0]) {
        case 'S':
          return AttributeType::kString;
        case 'N':
          return AttributeType::kNumber;
        case 'B':
          return AttributeType::kBinary;
        case 'M':
          return AttributeType::kMap;
        case 'L':
          return AttributeType::kList;
        default:
          return std::nullopt;
      }
    case 2:
      if (name == "SS") return AttributeType::kStringSet;
      if (name == "NS") return AttributeType::kNumberSet;
      if (name == "BS") return AttributeType::kBinarySet;
      return std::nullopt;
    default:
      if (name == "BOOL") return AttributeType::kBoolean;
      if (name == "NULL") return AttributeType::kNull;
      return std::nullopt;
  }
}

class ValueReader {
 public:
  ValueReader(const ErrorDialect& dialect, ValueWriter& out) : dialect_(dialect), out_(out) {}

  void value(Value value, std::size_t level) {
    if (level > storage::kMaxNestingLevels + (dialect_.one_level_more ? 1 : 0)) {
      refuse(dialect_, messages::kNestedTooDeep);
    }
    Value only;
    std::optional<AttributeType> only_type;
    for (const Member member : value.object()) {
      if (member.value.is_null()) continue;
      const std::optional<AttributeType> type = type_of(member.name);
      if (!type) continue;
      if (only_type && only_type != type) fail_several(value, level);
      only_type = type;
      only = member.value;
    }
    if (!only_type) refuse(dialect_, messages::kNoType);
    typed(*only_type, only, level);
  }

  void item(Value map) {
    for (const Member member : map.object()) note_name(member.name);
    finish();
    out_.begin_item();
    for (const Member member : map.object()) {
      out_.name(member.name);
      value(member.value, 1);
    }
    out_.end_item();
    finish();
  }

  // Call this after the last value: a bad name inside a value is reported after all other errors.
  void finish() const {
    if (!name_problem_.empty()) refuse(dialect_, name_problem_);
  }

 private:
  // Errors inside the several values are reported first, by their kinds (captured facts 3, R5).
  [[noreturn]] void fail_several(Value value, std::size_t level) {
    std::vector<Member> members;
    for (const Member member : value.object()) {
      if (!member.value.is_null() && type_of(member.name)) members.push_back(member);
    }
    std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return place_of_errors(a) < place_of_errors(b);
    });
    std::string scratch;
    ValueWriter writer(scratch);
    ValueReader reader(dialect_, writer);
    reader.out_.begin_list();
    for (const Member& member : members) {
      reader.typed(*type_of(member.name), member.value, level);
    }
    refuse(dialect_, messages::kSeveralTypes);
  }

  static int place_of_errors(const Member& member) {
    const AttributeType type = *type_of(member.name);
    if (storage::is_set(type) && member.value.array().empty()) return 0;
    if (type == AttributeType::kNumber) return 1;
    return type == AttributeType::kNull ? 2 : 3;
  }

  void typed(AttributeType type, Value value, std::size_t level) {
    switch (type) {
      case AttributeType::kString:
        out_.string(value.string());
        break;
      case AttributeType::kNumber:
        out_.number(number_of(value.string(), dialect_));
        break;
      case AttributeType::kBinary:
        scratch_.clear();
        decode_base64(value.string(), scratch_);
        out_.binary(scratch_);
        break;
      case AttributeType::kBoolean:
        out_.boolean(value.boolean());
        break;
      case AttributeType::kNull:
        if (!value.boolean()) {
          refuse(dialect_, messages::kFalseNull);
        }
        out_.null();
        break;
      case AttributeType::kStringSet:
        string_set(value.array());
        break;
      case AttributeType::kNumberSet:
        number_set(value.array());
        break;
      case AttributeType::kBinarySet:
        binary_set(value.array());
        break;
      case AttributeType::kList:
        out_.begin_list();
        for (const Value element : value.array()) this->value(element, level + 1);
        out_.end_list();
        break;
      case AttributeType::kMap:
        out_.begin_map();
        for (const Member inner : value.object()) {
          note_name(inner.name);
          out_.name(inner.name);
          this->value(inner.value, level + 1);
        }
        out_.end_map();
        break;
    }
  }

  void note_name(std::string_view name) {
    if (name_problem_.empty()) name_problem_ = attribute_name_problem(name);
  }

  void require_member(Value member, std::string_view what) {
    if (member.is_null()) {
      refuse(dialect_, messages::null_in_set(what));
    }
  }

  void string_set(Array array) {
    if (array.empty()) refuse(dialect_, messages::kEmptyStringSet);
    std::vector<std::string_view> members;
    members.reserve(std::min(array.size(), kMaxMembers));
    for (const Value member : array) {
      require_member(member, "string");
      if (members.size() < kMaxMembers) members.push_back(member.string());
    }
    if (has_duplicates(members)) {
      members.clear();
      for (const Value member : array) {
        if (members.size() < kMaxMembers) members.push_back(member.string());
      }
      fail_duplicate_texts(dialect_, std::move(members));
    }
    out_.set(AttributeType::kStringSet, std::move(members));
  }

  void number_set(Array array) {
    if (array.empty()) refuse(dialect_, messages::kEmptyNumberSet);
    std::vector<Number> numbers;
    numbers.reserve(std::min(array.size(), kMaxMembers));
    for (const Value member : array) {
      require_member(member, "number");
      if (numbers.size() < kMaxMembers) numbers.push_back(number_of(member.string(), dialect_));
    }
    std::vector<std::string_view> members;
    members.reserve(numbers.size());
    for (const Number& number : numbers) members.push_back(number.bytes());
    if (has_duplicates(members)) fail_duplicate_numbers(dialect_);
    out_.set(AttributeType::kNumberSet, std::move(members));
  }

  void binary_set(Array array) {
    if (array.empty()) refuse(dialect_, messages::kEmptyBinarySet);
    std::size_t encoded = 0;
    for (const Value member : array) {
      require_member(member, "binary");
      encoded += member.string().size();
    }
    scratch_.clear();
    scratch_.reserve(encoded);  // so that the views below stay valid
    std::vector<std::string_view> sent;
    sent.reserve(std::min(array.size(), kMaxMembers));
    for (const Value member : array) {
      if (sent.size() == kMaxMembers) break;
      const std::size_t start = scratch_.size();
      decode_base64(member.string(), scratch_);
      sent.emplace_back(scratch_.data() + start, scratch_.size() - start);
    }
    std::vector<std::string_view> members = sent;
    if (has_duplicates(members)) fail_duplicate_binaries(dialect_, std::move(sent));
    out_.set(AttributeType::kBinarySet, std::move(members));
  }

  const ErrorDialect dialect_;
  ValueWriter& out_;
  std::string scratch_;
  std::string_view name_problem_;  // the first problem
};

}  // namespace

std::string_view attribute_name_problem(std::string_view name) {
  if (name.empty()) return messages::kEmptyAttributeName;
  if (name.size() > kMaxNameSize) return messages::kLongAttributeName;
  return {};
}

void read_value(Value value, const ErrorDialect& dialect, ValueWriter& out) {
  ValueReader reader(dialect, out);
  reader.value(value, 1);
  reader.finish();
}

storage::AttributeValue read_value(Value value, const ErrorDialect& dialect) {
  std::string bytes;
  ValueWriter writer(bytes);
  read_value(value, dialect, writer);
  return storage::AttributeValue(std::move(bytes));
}

void read_item(Value map, const ErrorDialect& dialect, std::string& out) {
  ValueWriter writer(out);
  ValueReader(dialect, writer).item(map);
}

storage::Item read_item(Value map, const ErrorDialect& dialect) {
  // Most members are short, and few have this many at the first level.
  constexpr std::size_t kBytesOfAMember = 48;
  constexpr std::size_t kMostMembers = 64;
  std::string bytes;
  bytes.reserve(kBytesOfAMember * std::min(map.object().size(), kMostMembers));
  read_item(map, dialect, bytes);
  return storage::Item(std::move(bytes));
}

}  // namespace magneto::api::json
