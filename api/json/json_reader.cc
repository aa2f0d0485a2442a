#include "api/json/json_reader.h"

#include <absl/strings/match.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <new>

#include "api/json/json_writer.h"

namespace magneto::api::json {
namespace {

// In Debian's build, Abseil's string_view is a separate type.
absl::string_view absl_view(std::string_view text) { return {text.data(), text.size()}; }

bool is_one_of(std::string_view text, std::initializer_list<absl::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](absl::string_view word) {
    return absl::EqualsIgnoreCase(absl_view(text), word);
  });
}

bool is_true_text(std::string_view text) { return is_one_of(text, {"true", "t", "yes", "y", "1"}); }

}  // namespace

bool is_boolean_text(std::string_view text) {
  return is_true_text(text) || is_one_of(text, {"false", "f", "no", "n", "0"});
}

Type Value::type() const {
  switch (tape_->kind(index_)) {
    case '"':
      return Type::kString;
    case '{':
      return Type::kObject;
    case '[':
      return Type::kArray;
    case 't':
    case 'f':
      return Type::kBoolean;
    case 'l':
    case 'u':
    case 'd':
      return Type::kNumber;
    default:
      return Type::kNull;
  }
}

bool Value::boolean() const {
  const char kind = tape_->kind(index_);
  return kind == 't' || (kind == '"' && is_true_text(string()));
}

namespace {

std::optional<std::int64_t> integer_of(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;
  std::int64_t number = 0;
  const std::size_t digits = text.size() - (text.starts_with('-') ? 1 : 0);
  if (digits > kMostDigits) return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool is_integer_text(std::string_view text) { return integer_of(text).has_value(); }

std::optional<std::int64_t> Value::integer() const {
  if (tape_->kind(index_) != 'l') return std::nullopt;
  return std::bit_cast<std::int64_t>(tape_->words[index_ + 1]);
}

std::int64_t Value::truncated() const {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  switch (tape_->kind(index_)) {
    case 'l':
      return std::bit_cast<std::int64_t>(tape_->words[index_ + 1]);
    case 'u':
      return kMax;
    case '"':
      return integer_of(string()).value_or(0);
    default: {
      const double value = std::trunc(number());
      if (value >= 0x1p63) return kMax;
      if (value < -0x1p63) return kMin;
      return static_cast<std::int64_t>(value);
    }
  }
}

double Value::number() const {
  switch (tape_->kind(index_)) {
    case 'l':
      return static_cast<double>(std::bit_cast<std::int64_t>(tape_->words[index_ + 1]));
    case 'u':
      return static_cast<double>(tape_->words[index_ + 1]);
    case 'd':
      return std::bit_cast<double>(tape_->words[index_ + 1]);
    default:
      return 0;
  }
}

std::size_t Object::size() const {
  if (const std::size_t count = value_.tape_->count(value_.index_); count < Tape::kCountLimit) {
    return count;
  }
  std::size_t count = 0;
  for (Iterator it = begin(), stop = end(); it != stop; ++it) ++count;
  return count;
}

Value Object::find(std::string_view name) const {
  const Tape tape = *value_.tape_;
  const std::size_t stop = tape.after(value_.index_) - 1;
  std::size_t found = 0;
  for (std::size_t at = value_.index_ + 1; at != stop; at = tape.after(at + 1)) {
    const std::string_view text = tape.text(at);
    if (text.size() == name.size() && std::memcmp(text.data(), name.data(), name.size()) == 0) {
      found = at + 1;
    }
  }
  return found == 0 ? Value() : Value(value_.tape_, found);
}

std::size_t Array::size() const {
  if (const std::size_t count = value_.tape_->count(value_.index_); count < Tape::kCountLimit) {
    return count;
  }
  std::size_t count = 0;
  for (Iterator it = begin(), stop = end(); it != stop; ++it) ++count;
  return count;
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a number has only a sign and digits, and more of them than 64 bits hold.
bool is_beyond_64_bits(std::string_view number, std::string_view limit) {
  if (number.size() < limit.size()) return false;
  if (!std::all_of(number.begin() + 1, number.end(), is_digit)) return false;
  return number.size() > limit.size() || number > limit;
}

// Replaces whole numbers beyond 64 bits by the nearest ones within, followed by blanks; all other
// bytes keep their places. False if there are none. simdjson refuses such numbers.
bool cut_whole_numbers(std::string& text) {
  bool cut = false;
  const auto end = text.end();
  for (auto at = text.begin(); at != end;) {
    if (*at == '"') {
      for (++at; at != end && *at != '"'; ++at) {
        if (*at == '\\' && at + 1 != end) ++at;
      }
      if (at != end) ++at;
    } else if (is_digit(*at) || *at == '-') {
      const auto stop = std::find_if_not(at + 1, end, [](char c) {
        return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
      });
      const std::string_view limit = *at == '-' ? "-9223372036854775808" : "18446744073709551615";
      if (is_beyond_64_bits({&*at, static_cast<std::size_t>(stop - at)}, limit)) {
        std::fill(std::copy(limit.begin(), limit.end(), at), stop, ' ');
        cut = true;
      }
      at = stop;
    } else {
      ++at;
    }
  }
  return cut;
}

}  // namespace

struct Document::State {
  simdjson::dom::parser parser;
  Tape tape{};
};

Document::Document() : state_(std::make_unique<State>()) {}
Document::~Document() = default;

std::optional<Value> Document::parse(std::string& text) {
  const std::size_t size = text.size();
  if (size > state_->parser.capacity()) {
    const std::size_t capacity =
        size <= kRetainedCapacity ? std::bit_ceil(std::max<std::size_t>(size, 4096)) : size;
    if (state_->parser.allocate(capacity, kMaxDepth) != simdjson::SUCCESS) throw std::bad_alloc();
  }
  text.reserve(size + simdjson::SIMDJSON_PADDING);
  simdjson::dom::element root;
  const auto parse = [&] { return state_->parser.parse(text.data(), size, false).get(root); };
  if (parse() != simdjson::SUCCESS && !(cut_whole_numbers(text) && parse() == simdjson::SUCCESS)) {
    return std::nullopt;
  }
  state_->tape.words = state_->parser.doc.tape.get();
  state_->tape.strings = reinterpret_cast<char*>(state_->parser.doc.string_buf.get());
  return Value(&state_->tape, 1);
}

void Document::release_large_buffers() {
  if (capacity() > kRetainedCapacity) state_->parser = simdjson::dom::parser();
}

std::size_t Document::capacity() const { return state_->parser.capacity(); }

std::size_t container_levels(Value value) {
  const Tape& tape = *value.tape_;
  std::size_t open = 0;
  std::size_t most = 0;
  for (std::size_t at = value.index_, end = tape.after(at); at < end;) {
    switch (tape.kind(at)) {
      case '{':
      case '[':
        most = std::max(most, ++open);
        ++at;
        break;
      case '}':
      case ']':
        --open;
        ++at;
        break;
      default:
        at = tape.after(at);
    }
  }
  return most;
}

void append_compact(Value value, std::string& out) {
  switch (value.type()) {
    case Type::kNull:
      out += "null";
      break;
    case Type::kBoolean:
      out += value.boolean() ? "true" : "false";
      break;
    case Type::kNumber:
      if (const auto integer = value.integer()) {
        append_integer(out, *integer);
      } else {
        append_double(out, value.number());
      }
      break;
    case Type::kString:
      append_string(out, value.string());
      break;
    case Type::kArray: {
      out += '[';
      bool first = true;
      for (const Value element : value.array()) {
        if (!first) out += ',';
        first = false;
        append_compact(element, out);
      }
      out += ']';
      break;
    }
    case Type::kObject: {
      out += '{';
      bool first = true;
      const Object members = value.object();
      for (Object::Iterator it = members.begin(), stop = members.end(); it != stop; ++it) {
        if (it.is_dropped()) continue;
        if (!first) out += ',';
        first = false;
        append_string(out, (*it).name);
        out += ':';
        append_compact((*it).value, out);
      }
      out += '}';
      break;
    }
  }
}

}  // namespace magneto::api::json
