#include "server/formats/ion/ion_text.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "api/json/base64.h"
#include "server/formats/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::formats {
namespace {

constexpr std::string_view kVersionMarker = "$ion_1_0";
constexpr std::string_view kIonBlanks = " \t\r\n\v\f";
constexpr std::string_view kLongQuote = "'''";

bool is_symbol_start(char c) { return absl::ascii_isalpha(c) || c == '_' || c == '$'; }
bool is_symbol_part(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '$'; }
bool is_symbol_number(std::string_view name) {
  return name.size() > 1 && name.front() == '$' &&
         std::ranges::all_of(name.substr(1), absl::ascii_isdigit);
}

// A decimal number as JSON would have it: "1_000." is 1000, "1.5d3" is 1.5E3. nullopt: none.
std::optional<std::string> text_decimal_digits(std::string_view token) {
  std::string digits;
  std::size_t at = 0;
  const auto take_digits = [&] {
    // One underline may stand between two digits.
    char before = '_';
    for (; at < token.size() && (absl::ascii_isdigit(token[at]) || token[at] == '_'); ++at) {
      if (token[at] != '_') digits += token[at];
      if (token[at] == '_' && before == '_') return false;
      before = token[at];
    }
    return before != '_';
  };
  if (token.starts_with('-')) digits += token[at++];
  const bool starts_with_zero = token.substr(at).starts_with('0');
  const std::size_t start = at;
  if (!take_digits() || (starts_with_zero && at - start > 1)) return std::nullopt;
  if (at < token.size() && token[at] == '.') {
    digits += token[at++];
    if (at == token.size() || !absl::ascii_isdigit(token[at])) {
      digits.pop_back();
    } else if (!take_digits()) {
      return std::nullopt;
    }
  }
  if (at < token.size() && std::string_view("dDeE").find(token[at]) != std::string_view::npos) {
    digits += 'E';
    ++at;
    if (at < token.size() && (token[at] == '-' || token[at] == '+')) digits += token[at++];
    if (!take_digits()) return std::nullopt;
  }
  if (at != token.size()) return std::nullopt;
  return digits;
}

// Walks a text once. Each take_...() begins at its first character. It returns false, with status_
// set, where it cannot continue.
class TextReader {
 public:
  TextReader(std::string_view text, bool is_last, IonItem& item)
      : text_(text), is_last_(is_last), item_(item) {}

  IonTextStep step() {
    item_.clear();
    IonTextStep step;
    while (true) {
      if (!skip_blanks()) break;
      step.begin = at_;
      if (at_ == text_.size()) return {.kind = Kind::kEnd, .end = at_};
      if (!takes_version_marker()) {
        if (status_ != Kind::kRecord || !take_value()) break;
        step.kind = Kind::kRecord;
        step.end = at_;
        return step;
      }
      step.is_marked = true;
    }
    step.kind = status_;
    if (status_ == Kind::kBroken) item_.refuse(messages::kNoIon);
    return step;
  }

 private:
  using Kind = IonTextStep::Kind;

  bool stop(Kind status) {
    status_ = status;
    return false;
  }
  bool broken() { return stop(Kind::kBroken); }
  // More is needed than the text has.
  bool ended() { return stop(is_last_ ? Kind::kBroken : Kind::kMore); }

  char front() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  // Spaces and comments.
  bool skip_blanks() {
    while (true) {
      at_ = std::min(text_.find_first_not_of(kIonBlanks, at_), text_.size());
      if (front() != '/') return true;
      if (at_ + 1 == text_.size()) return ended();
      const bool is_line = text_[at_ + 1] == '/';
      if (!is_line && text_[at_ + 1] != '*') return broken();
      const std::size_t end = text_.find(is_line ? "\n" : "*/", at_ + 2);
      if (end == std::string_view::npos) {
        if (!is_line || !is_last_) return ended();
        at_ = text_.size();
        return true;
      }
      at_ = end + (is_line ? 1 : 2);
    }
  }

  // Only at the top, where it is not a symbol.
  bool takes_version_marker() {
    if (!starts_with(kVersionMarker)) return false;
    const std::size_t end = at_ + kVersionMarker.size();
    if (end == text_.size() && !is_last_) return ended();
    if (end < text_.size() && is_symbol_part(text_[end])) return false;
    at_ = end;
    return true;
  }

  // Reads a value with the annotations before it.
  bool take_value() {
    IonItem::Set set = IonItem::Set::kNone;
    while (true) {
      const char first = front();
      if (at_ == text_.size()) return ended();
      const bool is_quoted = first == '\'' && !starts_with(kLongQuote);
      if (is_quoted ? text_.size() - at_ < kLongQuote.size() : false) return ended();
      if (!is_quoted && !is_symbol_start(first)) return take_plain_value(set);
      if (!take_symbol()) return false;
      const bool is_word = !is_quoted;
      std::string name = std::move(symbol_);
      if (!skip_blanks()) return false;
      if (!starts_with("::")) return take_word(is_word, name);
      at_ += 2;
      if (set == IonItem::Set::kNone) set = IonItem::set_of(name);
      if (!skip_blanks()) return false;
    }
  }

  bool take_plain_value(IonItem::Set set) {
    switch (front()) {
      case '"':
        return take_string() && (item_.string(scratch_), true);
      case '\'':
        return take_long_string() && (item_.string(scratch_), true);
      case '[':
        return take_list(set);
      case '{':
        if (at_ + 1 == text_.size()) return ended();
        return text_[at_ + 1] == '{' ? take_blob() : take_struct();
      default:
        return take_number();
    }
  }

  bool take_word(bool is_word, const std::string& name) {
    if (is_word && name == "null") {
      if (front() == '.') {
        ++at_;
        while (absl::ascii_isalpha(front())) ++at_;
        if (at_ == text_.size()) return ended();
      }
      item_.null();
    } else if (is_word && (name == "true" || name == "false")) {
      item_.boolean(name == "true");
    } else {
      item_.refuse(messages::kNoDynamoDbType);
    }
    return true;
  }

  bool take_number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_symbol_part(text_[at_]) || text_[at_] == '.' ||
                                  text_[at_] == '-' || text_[at_] == '+' || text_[at_] == ':')) {
      ++at_;
    }
    if (at_ == text_.size() && !is_last_) return ended();
    if (at_ == start) return broken();
    if (const auto digits = text_decimal_digits(text_.substr(start, at_ - start))) {
      item_.number(*digits);
    } else {
      item_.refuse(messages::kNoDynamoDbType);
    }
    return true;
  }

  bool take_struct() {
    if (item_.is_too_deep()) return too_deep();
    ++at_;
    item_.begin_struct();
    if (!skip_blanks()) return false;
    while (front() != '}') {
      if (!take_field_name() || !skip_blanks()) return false;
      if (at_ == text_.size()) return ended();
      if (front() != ':') return broken();
      ++at_;
      item_.field(symbol_);
      if (!skip_blanks() || !take_value() || !take_comma('}')) return false;
    }
    ++at_;
    item_.end_struct();
    return true;
  }

  bool take_list(IonItem::Set set) {
    if (item_.is_too_deep()) return too_deep();
    ++at_;
    item_.begin_list(set);
    if (!skip_blanks()) return false;
    while (front() != ']') {
      if (!take_value() || !take_comma(']')) return false;
    }
    ++at_;
    item_.end_list();
    return true;
  }

  bool too_deep() {
    item_.refuse(messages::kTooDeep);
    return broken();
  }

  bool take_comma(char end) {
    if (!skip_blanks()) return false;
    if (at_ == text_.size()) return ended();
    if (front() == end) return true;
    if (front() != ',') return broken();
    ++at_;
    return skip_blanks();
  }

  bool take_field_name() {
    if (at_ == text_.size()) return ended();
    if (front() == '"') {
      if (!take_string()) return false;
    } else if (starts_with(kLongQuote)) {
      if (!take_long_string()) return false;
    } else {
      return take_symbol();
    }
    std::swap(symbol_, scratch_);
    return true;
  }

  // Into symbol_.
  bool take_symbol() {
    if (front() == '\'') {
      ++at_;
      if (!take_quoted('\'')) return false;
      std::swap(symbol_, scratch_);
      return true;
    }
    if (!is_symbol_start(front())) return broken();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_symbol_part(text_[at_])) ++at_;
    if (at_ == text_.size() && !is_last_) return ended();
    symbol_ = text_.substr(start, at_ - start);
    if (is_symbol_number(symbol_)) item_.refuse(messages::kIonSymbolNumber);
    return true;
  }

  bool take_string() {
    ++at_;
    return take_quoted('"');
  }

  // Reads after the first quote, on one line, into scratch_.
  bool take_quoted(char quote) {
    scratch_.clear();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote) {
        ++at_;
        return true;
      }
      if (c == '\n' || c == '\r') return broken();
      if (c != '\\') {
        scratch_ += c;
        ++at_;
      } else if (!take_escape()) {
        return false;
      }
    }
    return ended();
  }

  // Several in a row are one.
  bool take_long_string() {
    std::string whole;
    while (starts_with(kLongQuote)) {
      at_ += kLongQuote.size();
      scratch_.clear();
      while (!starts_with(kLongQuote)) {
        if (at_ == text_.size()) return ended();
        if (text_[at_] == '\\') {
          if (!take_escape()) return false;
        } else if (text_[at_] == '\r') {  // any end of line is a line feed
          scratch_ += '\n';
          at_ += starts_with("\r\n") ? 2 : 1;
        } else {
          scratch_ += text_[at_++];
        }
      }
      at_ += kLongQuote.size();
      whole += scratch_;
      if (!skip_blanks()) return false;
      if (text_.size() - at_ < kLongQuote.size() && !is_last_) return ended();
    }
    scratch_ = std::move(whole);
    return true;
  }

  bool take_escape() {
    if (at_ + 1 >= text_.size()) return ended();
    const char c = text_[at_ + 1];
    at_ += 2;
    constexpr std::string_view kFrom = "0abtnfrv\"'?\\/";
    constexpr std::string_view kTo("\0\a\b\t\n\f\r\v\"'?\\/", kFrom.size());
    if (const std::size_t i = kFrom.find(c); i != std::string_view::npos) {
      scratch_ += kTo[i];
      return true;
    }
    switch (c) {
      case '\r':
        if (front() == '\n') ++at_;
        return true;
      case '\n':
        return true;
      case 'x':
        return take_code(2);
      case 'u':
        return take_code(4);
      case 'U':
        return take_code(8);
      default:
        return broken();
    }
  }

  bool take_hex(std::size_t size, std::uint32_t& code) {
    if (text_.size() - at_ < size) return ended();
    const std::string_view digits = text_.substr(at_, size);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + size, code, 16);
    if (error != std::errc() || end != digits.data() + size) return broken();
    at_ += size;
    return true;
  }

  // Two halves of a pair (UTF-16) may stand for one character.
  bool take_code(std::size_t size) {
    std::uint32_t code = 0;
    if (!take_hex(size, code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && starts_with("\\u")) {
      at_ += 2;
      std::uint32_t low = 0;
      if (!take_hex(4, low)) return false;
      if (low < 0xDC00 || low > 0xDFFF) return broken();
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return broken();
    system::append_utf8(code, scratch_);
    return true;
  }

  // {{base64}}; a clob has quotes in the place of that.
  bool take_blob() {
    at_ += 2;
    std::string encoded;
    while (true) {
      at_ = std::min(text_.find_first_not_of(kIonBlanks, at_), text_.size());
      if (at_ == text_.size()) return ended();
      if (front() == '}') break;
      if (front() == '"' || front() == '\'') {
        item_.refuse(messages::kNoDynamoDbType);
        return broken();
      }
      encoded += text_[at_++];
    }
    if (at_ + 1 == text_.size()) return ended();
    if (!starts_with("}}") || !api::json::is_base64(encoded)) return broken();
    at_ += 2;
    scratch_.clear();
    api::json::decode_base64(encoded, scratch_);
    item_.blob(scratch_);
    return true;
  }

  const std::string_view text_;
  const bool is_last_;
  IonItem& item_;
  std::size_t at_ = 0;
  Kind status_ = Kind::kRecord;  // until something stops it
  std::string scratch_;
  std::string symbol_;
};

}  // namespace

IonTextStep read_ion_text(std::string_view text, bool is_last, IonItem& item) {
  return TextReader(text, is_last, item).step();
}

}  // namespace magneto::server::formats
