#include "server/feeds/event_sources/json_scanner.h"

#include <optional>

namespace magneto::server::feeds {
namespace {

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_json_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<unsigned> hex_value(char c) {
  if (is_json_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

}  // namespace

void JsonScanner::take(std::string_view bytes) {
  for (const char c : bytes) step(c);
}

bool JsonScanner::finish() {
  if (state_ == State::kNumber && is_whole_number()) end_value();
  return state_ == State::kBehindValue && depth_ == 0;
}

void JsonScanner::step(char c) {
  switch (state_) {
    case State::kString:
      return read_string(c);
    case State::kEscape:
      return read_escape(c);
    case State::kHexDigits:
      return read_hex(c);
    case State::kNumber:
      return read_number(c);
    case State::kLiteral:
      return read_literal(c);
    case State::kWrong:
      return;
    default:
      break;
  }
  if (is_json_space(c)) return;
  const bool is_end = c == (is_in_object() ? '}' : ']');
  switch (state_) {
    case State::kFirstElement:
      return is_end ? close() : begin_value(c);
    case State::kValue:
      return begin_value(c);
    case State::kFirstName:
    case State::kName:
      if (is_end && state_ == State::kFirstName) return close();
      state_ = c == '"' ? State::kString : State::kWrong;
      is_name_ = true;
      return;
    case State::kColon:
      state_ = c == ':' ? State::kValue : State::kWrong;
      return;
    default:
      if (depth_ > 0 && c == ',') {
        state_ = is_in_object() ? State::kName : State::kValue;
      } else if (depth_ > 0 && is_end) {
        close();
      } else {
        state_ = State::kWrong;
      }
  }
}

void JsonScanner::begin_value(char c) {
  if (c == '{' || c == '[') return open(c == '{');
  if (c == '"') {
    state_ = State::kString;
    is_name_ = false;
  } else if (c == '-' || is_json_digit(c)) {
    state_ = State::kNumber;
    number_ = c == '-' ? Number::kMinus : c == '0' ? Number::kZero : Number::kDigits;
  } else if (c == 't' || c == 'f' || c == 'n') {
    state_ = State::kLiteral;
    literal_ = c == 't' ? "rue" : c == 'f' ? "alse" : "ull";
    is_null_ = c == 'n';
  } else {
    state_ = State::kWrong;
  }
}

void JsonScanner::open(bool is_object) {
  if (depth_ == kMaxDepth) {
    state_ = State::kWrong;
    return;
  }
  listener_.value(is_object ? Kind::kObject : Kind::kArray, {});
  is_object_[depth_++] = is_object;
  state_ = is_object ? State::kFirstName : State::kFirstElement;
}

void JsonScanner::close() {
  --depth_;
  listener_.end();
  state_ = State::kBehindValue;
}

void JsonScanner::end_value() {
  listener_.value(Kind::kOther, {});
  state_ = State::kBehindValue;
}

void JsonScanner::keep(char c) {
  if (text_.size() < kMaxText) text_ += c;
}

void JsonScanner::read_string(char c) {
  if (c == '"') return end_string();
  if (c == '\\') {
    state_ = State::kEscape;
  } else if (static_cast<unsigned char>(c) < ' ') {
    state_ = State::kWrong;
  } else {
    keep(c);
  }
}

void JsonScanner::read_escape(char c) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (c == 'u') {
    state_ = State::kHexDigits;
    hex_digits_ = 0;
    code_ = 0;
    return;
  }
  const std::size_t place = kEscapes.find(c);
  if (place == std::string_view::npos) {
    state_ = State::kWrong;
    return;
  }
  keep(kMeant[place]);
  state_ = State::kString;
}

// No listener needs non-ASCII characters: each becomes a byte that occurs in no text.
void JsonScanner::read_hex(char c) {
  constexpr char kNoText = '\xFF';
  const std::optional<unsigned> digit = hex_value(c);
  if (!digit) {
    state_ = State::kWrong;
    return;
  }
  code_ = code_ * 16 + *digit;
  if (++hex_digits_ < 4) return;
  keep(code_ < 0x80 ? static_cast<char>(code_) : kNoText);
  state_ = State::kString;
}

void JsonScanner::end_string() {
  if (is_name_) {
    listener_.name(text_);
    state_ = State::kColon;
  } else {
    listener_.value(Kind::kString, text_);
    state_ = State::kBehindValue;
  }
  text_.clear();
}

bool JsonScanner::is_whole_number() const {
  return number_ == Number::kZero || number_ == Number::kDigits || number_ == Number::kFraction ||
         number_ == Number::kExponent;
}

void JsonScanner::read_number(char c) {
  const bool is_digit = is_json_digit(c);
  const bool is_e = c == 'e' || c == 'E';
  switch (number_) {
    case Number::kMinus:
      if (is_digit) number_ = c == '0' ? Number::kZero : Number::kDigits;
      if (!is_digit) state_ = State::kWrong;
      return;
    case Number::kPoint:
      if (is_digit) number_ = Number::kFraction;
      if (!is_digit) state_ = State::kWrong;
      return;
    case Number::kE:
      if (c == '+' || c == '-') {
        number_ = Number::kSign;
        return;
      }
      [[fallthrough]];
    case Number::kSign:
      if (is_digit) number_ = Number::kExponent;
      if (!is_digit) state_ = State::kWrong;
      return;
    default:
      break;
  }
  const bool has_fraction = number_ == Number::kFraction || number_ == Number::kExponent;
  if (is_digit && number_ != Number::kZero) return;
  if (c == '.' && !has_fraction) {
    number_ = Number::kPoint;
  } else if (is_e && number_ != Number::kExponent) {
    number_ = Number::kE;
  } else {
    end_value();
    step(c);
  }
}

void JsonScanner::read_literal(char c) {
  if (c != literal_.front()) {
    state_ = State::kWrong;
    return;
  }
  literal_.remove_prefix(1);
  if (!literal_.empty()) return;
  listener_.value(is_null_ ? Kind::kNull : Kind::kOther, {});
  state_ = State::kBehindValue;
}

}  // namespace magneto::server::feeds
