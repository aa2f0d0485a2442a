#include "server/client/signing/ini_file.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <optional>

namespace magneto::server::client {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kCommentMarks = "#;";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (kCommentMarks.find(text[i]) == std::string_view::npos) continue;
    if (kBlanks.find(text[i - 1]) != std::string_view::npos) return text.substr(0, i);
  }
  return text;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) { return absl::ascii_tolower(c); });
  return small;
}

class IniReader {
 public:
  // Returns the fault of the line; nullopt if there is none.
  std::optional<std::string_view> take(std::string_view line, std::size_t number) {
    const std::string_view text = trim(line);
    if (text.empty() || kCommentMarks.find(text.front()) != std::string_view::npos) return {};
    if (text.find('\0') != std::string_view::npos) return "a zero byte";
    const std::size_t indentation = line.find_first_not_of(kBlanks);
    const bool continues = has_property() && indentation > indentation_;
    if (!continues && text.front() == '[') return begin_section(text, number);
    if (sections_.empty()) return "a property before the first [section]";
    std::vector<IniProperty>& properties = sections_.back().properties;
    if (continues) {
      properties.back().value.append("\n").append(trim(without_comment(text)));
      return {};
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return "neither a [section] nor a property with '='";
    const std::string_view name = trim(text.substr(0, equals));
    if (name.empty()) return "no name before '='";
    indentation_ = indentation;
    properties.push_back({.name = in_small_letters(name),
                          .value = std::string(trim(without_comment(text.substr(equals + 1)))),
                          .line = number});
    return {};
  }

  std::vector<IniSection> finish() { return std::move(sections_); }

 private:
  bool has_property() const { return !sections_.empty() && !sections_.back().properties.empty(); }

  std::optional<std::string_view> begin_section(std::string_view text, std::size_t number) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return "a [section] without its end";
    const std::string_view rest = trim(text.substr(end + 1));
    if (!rest.empty() && kCommentMarks.find(rest.front()) == std::string_view::npos) {
      return "text behind a [section]";
    }
    const std::string_view name = trim(text.substr(1, end - 1));
    if (name.empty()) return "a [section] without a name";
    sections_.push_back({.name = std::string(name), .line = number, .properties = {}});
    return {};
  }

  std::vector<IniSection> sections_;
  std::size_t indentation_ = 0;  // of the last property
};

}  // namespace

std::variant<std::vector<IniSection>, IniFault> read_ini(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  IniReader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (const auto problem = reader.take(line, number)) return IniFault{number, *problem};
  }
  return reader.finish();
}

}  // namespace magneto::server::client
