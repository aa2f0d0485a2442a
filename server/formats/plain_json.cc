#include "server/formats/plain_json.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <utility>

#include "api/json/json_writer.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

using api::json::Value;

constexpr std::string_view kJsonBlanks = " \t\r\n";

// Reads a JSON text once and writes its typed form. Each take_...() starts at the first character
// of its part.
class PlainReader {
 public:
  PlainReader(std::string_view text, std::string& out) : rest_(text), out_(out) {}

  bool take_item() {
    skip_blanks();
    if (!take_object(0)) return false;
    skip_blanks();
    return rest_.empty();
  }

  bool is_too_deep() const { return too_deep_; }

 private:
  bool take_value(std::size_t level) {
    skip_blanks();
    if (level > kMaxPlainLevels) {
      too_deep_ = true;
      return false;
    }
    switch (front()) {
      case '"':
        return wrap("S", [&] { return take_string(); });
      case '{':
        return wrap("M", [&] { return take_object(level); });
      case '[':
        return wrap("L", [&] { return take_array(level); });
      case 't':
        return take_word("true", R"({"BOOL":true})");
      case 'f':
        return take_word("false", R"({"BOOL":false})");
      case 'n':
        return take_word("null", R"({"NULL":true})");
      default:
        return wrap("N", [&] { return take_number(); });
    }
  }

  template <typename Take>
  bool wrap(std::string_view type, Take take) {
    out_.append("{\"").append(type).append("\":");
    if (!take()) return false;
    out_ += '}';
    return true;
  }

  bool take_object(std::size_t level) {
    if (!copy('{')) return false;
    skip_blanks();
    if (copy('}')) return true;
    do {
      skip_blanks();
      if (!take_string()) return false;
      skip_blanks();
      if (!copy(':') || !take_value(level + 1)) return false;
      skip_blanks();
    } while (copy(','));
    return copy('}');
  }

  bool take_array(std::size_t level) {
    if (!copy('[')) return false;
    skip_blanks();
    if (copy(']')) return true;
    do {
      if (!take_value(level + 1)) return false;
      skip_blanks();
    } while (copy(','));
    return copy(']');
  }

  // Reads up to the closing quote.
  bool take_string() {
    if (front() != '"') return false;
    for (std::size_t at = 1; at < rest_.size(); ++at) {
      at = rest_.find_first_of("\"\\", at);
      if (at == std::string_view::npos) return false;
      if (rest_[at] == '"') {
        move(at + 1);
        return true;
      }
      ++at;  // skip the escaped character
    }
    return false;
  }

  // RFC 8259, 6.
  bool take_number() {
    std::size_t at = 0;
    const auto digits = [&] {
      const std::size_t start = at;
      while (at < rest_.size() && absl::ascii_isdigit(rest_[at])) ++at;
      return at > start;
    };
    const auto is = [&](char c) { return at < rest_.size() && rest_[at] == c; };
    if (is('-')) ++at;
    if (is('0')) {
      ++at;
    } else if (!digits()) {
      return false;
    }
    if (is('.')) {
      ++at;
      if (!digits()) return false;
    }
    if (is('e') || is('E')) {
      ++at;
      if (is('+') || is('-')) ++at;
      if (!digits()) return false;
    }
    out_ += '"';
    move(at);
    out_ += '"';
    return true;
  }

  bool take_word(std::string_view word, std::string_view typed) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    out_.append(typed);
    return true;
  }

  char front() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool copy(char c) {
    if (front() != c) return false;
    move(1);
    return true;
  }
  void move(std::size_t size) {
    out_.append(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kJsonBlanks), rest_.size()));
  }

  std::string_view rest_;
  std::string& out_;
  bool too_deep_ = false;
};

// JSON allows no leading plus, no leading zeros and no bare point; an endpoint may write any form
// that DynamoDB allows.
bool is_json_number(std::string_view text) {
  std::string typed;
  return !read_plain_item("{\"n\":" + std::string(text) + "}", typed).has_value() &&
         typed.ends_with(R"("}})") && typed.starts_with(R"({"n":{"N":")");
}

std::string_view append_plain(Value typed, std::string& out);

std::string_view append_members(Value object, std::string& out) {
  out += '{';
  bool first = true;
  for (const auto [name, value] : object.object()) {
    if (!std::exchange(first, false)) out += ',';
    api::json::append_string(out, name);
    out += ':';
    const std::string_view problem = append_plain(value, out);
    if (!problem.empty()) return problem;
  }
  out += '}';
  return {};
}

std::string_view append_elements(Value array, std::string& out) {
  out += '[';
  bool first = true;
  for (const Value value : array.array()) {
    if (!std::exchange(first, false)) out += ',';
    const std::string_view problem = append_plain(value, out);
    if (!problem.empty()) return problem;
  }
  out += ']';
  return {};
}

std::string_view append_plain(Value typed, std::string& out) {
  for (const auto [type, value] : typed.object()) {
    if (type == "S") {
      api::json::append_string(out, value.string());
    } else if (type == "N" && is_json_number(value.string())) {
      out.append(value.string());
    } else if (type == "BOOL") {
      out.append(value.boolean() ? "true" : "false");
    } else if (type == "NULL") {
      out.append("null");
    } else if (type == "M") {
      return append_members(value, out);
    } else if (type == "L") {
      return append_elements(value, out);
    } else {
      return type;
    }
    return {};
  }
  return "?";
}

}  // namespace

std::optional<std::string_view> read_plain_item(std::string_view text, std::string& item) {
  item.clear();
  PlainReader reader(text, item);
  if (reader.take_item()) return std::nullopt;
  return reader.is_too_deep() ? messages::kTooDeep : messages::kNoJsonObject;
}

std::string_view append_plain_item(Value item, std::string& out) {
  return append_members(item, out);
}

}  // namespace magneto::server::formats
