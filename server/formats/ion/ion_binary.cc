#include "server/formats/ion/ion_binary.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

// The upper half of a value's first byte.
enum Type : std::uint8_t {
  kNull = 0,
  kBool = 1,
  kPositive = 2,
  kNegative = 3,
  kFloat = 4,
  kDecimal = 5,
  kSymbol = 7,
  kString = 8,
  kBlob = 10,
  kList = 11,
  kStruct = 13,
  kAnnotated = 14,
  kReserved = 15
};

constexpr std::uint8_t kLongLength = 14;
constexpr std::uint8_t kNullLength = 15;
constexpr std::size_t kMaxNumberBytes = 64;  // 38 digits take 16
constexpr std::uint64_t kSymbolTable = 3;    // $ion_symbol_table
constexpr std::uint64_t kImports = 6;
constexpr std::uint64_t kSymbols = 7;

[[noreturn]] void refuse_ion(std::string_view why) { throw IonDamage(std::string(why)); }

std::uint8_t byte_of(char c) { return static_cast<std::uint8_t>(c); }

// Removes a VarUInt from the text: seven bits per byte, with the highest bit set in the last byte.
// nullopt if the text ends earlier.
std::optional<std::uint64_t> take_var_uint(std::string_view& text) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (value >> 56 != 0) refuse_ion(messages::kNoIon);
    const std::uint8_t byte = byte_of(text[i]);
    value = value << 7 | (byte & 0x7F);
    if ((byte & 0x80) == 0) continue;
    text.remove_prefix(i + 1);
    return value;
  }
  if (text.size() > 10) refuse_ion(messages::kNoIon);
  return std::nullopt;
}

std::uint64_t need_var_uint(std::string_view& text) {
  const auto value = take_var_uint(text);
  if (!value) refuse_ion(messages::kNoIon);
  return *value;
}

// A VarInt has its sign in the second bit.
std::int64_t need_var_int(std::string_view& text) {
  if (text.empty()) refuse_ion(messages::kNoIon);
  const std::uint8_t first = byte_of(text.front());
  std::string whole(text.substr(0, 10));
  whole.front() = static_cast<char>(first & ~0x40);
  std::string_view rest = whole;
  const std::uint64_t size = need_var_uint(rest);
  text.remove_prefix(whole.size() - rest.size());
  if (size > std::numeric_limits<std::int32_t>::max()) refuse_ion(messages::kNoIon);
  const auto value = static_cast<std::int64_t>(size);
  return (first & 0x40) != 0 ? -value : value;
}

// The decimal digits of a number in base 256, the highest byte first.
std::string digits_of(std::string_view magnitude) {
  std::string number(magnitude);
  std::string digits;
  while (true) {
    unsigned rest = 0;
    bool is_zero = true;
    for (char& c : number) {
      const unsigned value = rest << 8 | byte_of(c);
      c = static_cast<char>(value / 10);
      rest = value % 10;
      is_zero = is_zero && value < 10;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + rest));
    if (is_zero) return digits;
  }
}

// The first byte of a value, with the facts that it gives about the rest.
struct Head {
  Type type = kNull;
  std::uint8_t length_bits = 0;
  std::uint64_t size = 0;  // bytes after the head
  bool is_null = false;
};

// Removes the head, with the length, from the text. nullopt if the text ends earlier.
std::optional<Head> take_head(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::uint8_t first = byte_of(text.front());
  Head head{.type = static_cast<Type>(first >> 4),
            .length_bits = static_cast<std::uint8_t>(first & 0x0F)};
  if (head.type == kReserved) refuse_ion(messages::kNoIon);
  text.remove_prefix(1);
  head.is_null = head.length_bits == kNullLength;
  if (head.is_null || head.type == kBool) return head;
  const bool is_sorted = head.type == kStruct && head.length_bits == 1;
  if (head.length_bits != kLongLength && !is_sorted) {
    head.size = head.length_bits;
    return head;
  }
  const auto size = take_var_uint(text);
  if (!size) return std::nullopt;
  head.size = *size;
  return head;
}

}  // namespace

class IonBinary::Value {
 public:
  // Removes one value from the text.
  static Value take(std::string_view& text) {
    const auto head = take_head(text);
    if (!head || head->size > text.size()) refuse_ion(messages::kNoIon);
    Value value(*head, text.substr(0, head->size));
    text.remove_prefix(head->size);
    return value;
  }

  Type type() const { return head_.type; }
  bool is_null() const { return head_.is_null; }
  // Padding may stand in the place of a value.
  bool is_padding() const { return head_.type == kNull && !head_.is_null; }
  bool is_true() const { return head_.length_bits == 1; }
  std::string_view bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  Value(const Head& head, std::string_view bytes) : head_(head), bytes_(bytes) {}

  Head head_;
  std::string_view bytes_;
};

namespace {

// A number in JSON's form; nullopt if DynamoDB has no such number.
std::optional<std::string> float_digits(std::string_view bytes) {
  double number = 0;
  std::uint64_t bits = 0;
  for (const char c : bytes) bits = bits << 8 | byte_of(c);
  if (bytes.size() == sizeof(double)) {
    number = std::bit_cast<double>(bits);
  } else if (bytes.size() == sizeof(float)) {
    number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else if (!bytes.empty()) {
    refuse_ion(messages::kNoIon);
  }
  if (!std::isfinite(number)) return std::nullopt;
  char text[64];
  const auto [end, error] =
      bytes.size() == sizeof(float)
          ? std::to_chars(text, text + sizeof(text), static_cast<float>(number))
          : std::to_chars(text, text + sizeof(text), number);
  return std::string(text, end);
}

// A decimal has an exponent, and a coefficient with its sign in the first bit. Each may be missing
// if it is 0.
std::optional<std::string> decimal_digits(std::string_view bytes) {
  if (bytes.empty()) return "0";
  const std::int64_t exponent = need_var_int(bytes);
  if (bytes.size() > kMaxNumberBytes) return std::nullopt;
  std::string magnitude(bytes);
  bool is_negative = false;
  if (!magnitude.empty()) {
    is_negative = (byte_of(magnitude.front()) & 0x80) != 0;
    magnitude.front() = static_cast<char>(byte_of(magnitude.front()) & 0x7F);
  }
  std::string digits = (is_negative ? "-" : "") + digits_of(magnitude);
  if (exponent != 0) digits += "E" + std::to_string(exponent);
  return digits;
}

std::optional<std::string> integer_digits(bool is_negative, std::string_view bytes) {
  if (bytes.size() > kMaxNumberBytes) return std::nullopt;
  return (is_negative ? "-" : "") + digits_of(bytes);
}

}  // namespace

std::optional<std::size_t> IonBinary::value_size(std::string_view text) {
  if (text.size() < kVersionMarker.size() && kVersionMarker.starts_with(text)) return std::nullopt;
  if (text.starts_with(kVersionMarker)) return kVersionMarker.size();
  std::string_view rest = text;
  const auto head = take_head(rest);
  if (!head) return std::nullopt;
  if (head->size > std::numeric_limits<std::uint32_t>::max()) refuse_ion(messages::kRecordTooLong);
  return text.size() - rest.size() + head->size;
}

bool IonBinary::read(std::string_view text, IonItem& item) {
  item.clear();
  if (text == kVersionMarker) {
    reset();
    return false;
  }
  const Value value = Value::take(text);
  if (value.is_padding()) return false;
  if (value.type() == kAnnotated && !value.is_null()) {
    std::string_view rest = value.bytes();
    std::string_view annotations = rest.substr(0, 0);
    const std::uint64_t size = need_var_uint(rest);
    if (size > rest.size()) refuse_ion(messages::kNoIon);
    annotations = rest.substr(0, size);
    rest.remove_prefix(size);
    if (need_var_uint(annotations) == kSymbolTable) {
      read_symbols(Value::take(rest));
      return false;
    }
  }
  read_value(value, IonItem::Set::kNone, item);
  return true;
}

void IonBinary::reset() {
  symbols_.clear();
  symbol_bytes_ = 0;
  for (const std::string_view name :
       {"", "$ion", "$ion_1_0", "$ion_symbol_table", "name", "version", "imports", "symbols",
        "max_id", "$ion_shared_symbol_table"}) {
    add_symbol(name);
  }
}

// A symbol table replaces the previous symbols, unless it imports the current table; then it
// extends them.
void IonBinary::read_symbols(const Value& table) {
  if (table.type() != kStruct) refuse_ion(messages::kNoIon);
  std::vector<std::string> added;
  bool goes_on = false;
  for (std::string_view fields = table.bytes(); !fields.empty();) {
    const std::uint64_t name = need_var_uint(fields);
    const Value value = Value::take(fields);
    if (name == kImports && value.type() == kSymbol) {
      goes_on = true;
    } else if (name == kImports && !value.is_null() && value.size() != 0) {
      refuse_ion(messages::kIonSharedSymbols);
    } else if (name == kSymbols && value.type() == kList) {
      for (std::string_view rest = value.bytes(); !rest.empty();) {
        const Value text = Value::take(rest);
        if (text.is_padding()) continue;
        added.emplace_back(text.type() == kString ? text.bytes() : std::string_view());
        if (added.size() > kMaxSymbols) refuse_ion(messages::kIonManySymbols);
      }
    }
  }
  if (!goes_on) reset();
  for (const std::string& text : added) add_symbol(text);
}

void IonBinary::add_symbol(std::string_view text) {
  symbol_bytes_ += text.size();
  if (symbols_.size() >= kMaxSymbols || symbol_bytes_ > kMaxSymbolBytes) {
    refuse_ion(messages::kIonManySymbols);
  }
  symbols_.emplace_back(text);
}

std::optional<std::string_view> IonBinary::symbol(std::uint64_t number) const {
  if (number == 0 || number >= symbols_.size()) return std::nullopt;
  return symbols_[number];
}

// The read functions return false for padding and the like in the place of a value.
bool IonBinary::read_value(const Value& value, IonItem::Set set, IonItem& item) const {
  if (value.is_padding()) return false;
  const auto number = [&](const std::optional<std::string>& digits) {
    if (digits) return item.number(*digits);
    item.refuse(messages::kNoDynamoDbType);
  };
  if (value.is_null()) {
    item.null();
    return true;
  }
  switch (value.type()) {
    case kBool:
      item.boolean(value.is_true());
      return true;
    case kPositive:
    case kNegative:
      number(integer_digits(value.type() == kNegative, value.bytes()));
      return true;
    case kFloat:
      number(float_digits(value.bytes()));
      return true;
    case kDecimal:
      number(decimal_digits(value.bytes()));
      return true;
    case kString:
      item.string(value.bytes());
      return true;
    case kBlob:
      item.blob(value.bytes());
      return true;
    case kList:
      return read_list(value, set, item);
    case kStruct:
      return read_struct(value, item);
    case kAnnotated:
      return read_annotated(value, item);
    default:
      item.refuse(messages::kNoDynamoDbType);
      return true;
  }
}

bool IonBinary::read_annotated(const Value& value, IonItem& item) const {
  std::string_view rest = value.bytes();
  const std::uint64_t size = need_var_uint(rest);
  if (size > rest.size()) refuse_ion(messages::kNoIon);
  std::string_view annotations = rest.substr(0, size);
  rest.remove_prefix(size);
  IonItem::Set set = IonItem::Set::kNone;
  while (!annotations.empty()) {
    const auto name = symbol(need_var_uint(annotations));
    if (name && set == IonItem::Set::kNone) set = IonItem::set_of(*name);
  }
  const Value inner = Value::take(rest);
  // Refuse nested annotations: each would need a level of recursion for only three bytes.
  if (inner.type() == kAnnotated || !rest.empty()) refuse_ion(messages::kNoIon);
  return read_value(inner, set, item);
}

bool IonBinary::read_struct(const Value& value, IonItem& item) const {
  if (item.is_too_deep()) {
    item.refuse(messages::kTooDeep);
    return true;
  }
  item.begin_struct();
  for (std::string_view fields = value.bytes(); !fields.empty();) {
    const std::uint64_t number = need_var_uint(fields);
    const Value field = Value::take(fields);
    if (field.is_padding()) continue;
    const auto name = symbol(number);
    if (!name) item.refuse(messages::kIonSymbolNumber);
    item.field(name.value_or(""));
    read_value(field, IonItem::Set::kNone, item);
  }
  item.end_struct();
  return true;
}

bool IonBinary::read_list(const Value& value, IonItem::Set set, IonItem& item) const {
  if (item.is_too_deep()) {
    item.refuse(messages::kTooDeep);
    return true;
  }
  item.begin_list(set);
  for (std::string_view rest = value.bytes(); !rest.empty();) {
    read_value(Value::take(rest), IonItem::Set::kNone, item);
  }
  item.end_list();
  return true;
}

}  // namespace magneto::server::formats
