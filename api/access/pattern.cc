#include "api/access/pattern.h"

#include <absl/strings/ascii.h>

#include <span>
#include <utility>

#include "api/access/texts.h"

namespace magneto::api::access {
namespace {

constexpr std::uint16_t kAnyText = 0x100;
constexpr std::uint16_t kAnyCharacter = 0x101;
constexpr std::size_t kArnParts = 6;

// The size of the UTF-8 character that begins at `at`.
std::size_t character_size(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return end - at;
}

std::uint16_t code_of(char byte, bool ignores_case) {
  const auto code = static_cast<unsigned char>(byte);
  return ignores_case ? static_cast<unsigned char>(absl::ascii_tolower(code)) : code;
}

// Backtracks only to the last star, which is sufficient.
bool matches_code(std::span<const std::uint16_t> code, std::string_view text, bool ignores_case,
                  Meter& meter) {
  constexpr std::size_t kNone = ~std::size_t{0};
  constexpr std::uint64_t kStepsAtOnce = 4096;
  std::size_t at = 0;
  std::size_t next = 0;
  std::size_t star = kNone;
  std::size_t from_star = 0;
  std::uint64_t steps = 0;
  bool matches = true;
  while (at < text.size() && matches) {
    if (++steps == kStepsAtOnce) {
      meter.spend(std::exchange(steps, 0));
      if (meter.is_over()) return false;
    }
    if (next < code.size() && code[next] == kAnyText) {
      star = next++;
      from_star = at;
    } else if (next < code.size() && code[next] == kAnyCharacter) {
      at += character_size(text, at);
      ++next;
    } else if (next < code.size() && code[next] == code_of(text[at], ignores_case)) {
      ++at;
      ++next;
    } else if (star != kNone) {
      from_star += character_size(text, from_star);
      at = from_star;
      next = star + 1;
    } else {
      matches = false;
    }
  }
  meter.spend(steps);
  while (next < code.size() && code[next] == kAnyText) ++next;
  return matches && at == text.size() && next == code.size();
}

// Takes the text up to the next colon outside variables.
std::string_view take_part(std::string_view& rest) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest.substr(i, 2) == "${") ++depth;
    if (rest[i] == '}' && depth > 0) --depth;
    if (rest[i] != ':' || depth > 0) continue;
    const std::string_view part = rest.substr(0, i);
    rest.remove_prefix(i + 1);
    return part;
  }
  return std::exchange(rest, {});
}

}  // namespace

Pattern::Pattern(std::string_view text, PatternSyntax syntax) : syntax_(syntax) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char byte = text[at];
    if (syntax.wildcards && (byte == '*' || byte == '?')) {
      is_plain_ = false;
      const bool repeats = byte == '*' && !code_.empty() && code_.back() == kAnyText &&
                           (variables_.empty() || variables_.back().place != code_.size());
      if (!repeats) code_.push_back(byte == '*' ? kAnyText : kAnyCharacter);
      ++at;
    } else if (syntax.variables && text.substr(at, 2) == "${") {
      at += read_variable(text.substr(at));
    } else {
      append(text.substr(at, 1));
      ++at;
    }
  }
  if (!is_plain_) return;
  text_.reserve(code_.size());
  for (const std::uint16_t code : code_) text_ += static_cast<char>(code);
  code_ = Code();
}

void Pattern::append(std::string_view text) {
  for (const char byte : text) code_.push_back(code_of(byte, syntax_.ignores_case));
}

// Returns the length of the variable. A variable without an end counts as plain text.
std::size_t Pattern::read_variable(std::string_view text) {
  constexpr std::size_t kMark = 2;
  const std::size_t end = text.find('}');
  if (end == std::string_view::npos) {
    append(text.substr(0, kMark));
    return kMark;
  }
  std::string_view name = text.substr(kMark, end - kMark);
  if (name == "*" || name == "?" || name == "$") {
    append(name);
    return end + 1;
  }
  is_plain_ = false;
  Variable variable{.place = code_.size(), .name = {}, .otherwise = std::nullopt};
  if (const std::size_t comma = name.find(','); comma != std::string_view::npos) {
    std::string_view otherwise = stripped(name.substr(comma + 1));
    name = name.substr(0, comma);
    if (otherwise.size() >= 2 && otherwise.front() == '\'' && otherwise.back() == '\'') {
      otherwise = otherwise.substr(1, otherwise.size() - 2);
    }
    variable.otherwise = std::string(otherwise);
  }
  variable.name = lower_case(stripped(name));
  variables_.push_back(std::move(variable));
  return end + 1;
}

std::optional<Pattern::Code> Pattern::resolve(const Context& context) const {
  Code resolved;
  std::size_t at = 0;
  const auto copy_to = [&](std::size_t end) {
    resolved.insert(resolved.end(), code_.begin() + static_cast<std::ptrdiff_t>(at),
                    code_.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
  };
  for (const Variable& variable : variables_) {
    copy_to(variable.place);
    const Context::Values* const values = context.find(variable.name);
    const bool has_one = values != nullptr && values->size() == 1;
    if (!has_one && !variable.otherwise) return std::nullopt;
    for (const char byte : has_one ? values->front() : *variable.otherwise) {
      resolved.push_back(code_of(byte, syntax_.ignores_case));
    }
  }
  copy_to(code_.size());
  return resolved;
}

std::optional<bool> Pattern::matches(std::string_view text, const Context& context,
                                     Meter& meter) const {
  if (meter.is_over()) return std::nullopt;
  meter.spend(1);
  if (is_plain_) {
    if (text.size() != text_.size()) return false;
    meter.spend(text.size());
    return syntax_.ignores_case ? is_equal_but_for_case(text, text_) : text == text_;
  }
  if (variables_.empty()) return matches_code(code_, text, syntax_.ignores_case, meter);
  meter.spend(code_.size());
  const std::optional<Code> resolved = resolve(context);
  if (!resolved) return std::nullopt;
  return matches_code(*resolved, text, syntax_.ignores_case, meter);
}

ArnPattern::ArnPattern(std::string_view text, bool variables) : is_any_(text == "*") {
  const PatternSyntax syntax{.wildcards = true, .variables = variables};
  while (parts_.size() + 1 < kArnParts && !text.empty()) {
    parts_.emplace_back(take_part(text), syntax);
  }
  parts_.emplace_back(text, syntax);
}

std::optional<bool> ArnPattern::matches(std::string_view arn, const Context& context,
                                        Meter& meter) const {
  if (is_any_) return true;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool is_last = i + 1 == kArnParts;
    const std::size_t colon = is_last ? std::string_view::npos : arn.find(':');
    const std::string_view part = arn.substr(0, colon);
    arn.remove_prefix(colon == std::string_view::npos ? arn.size() : colon + 1);
    const std::optional<bool> matches = parts_[i].matches(part, context, meter);
    if (!matches || !*matches) return matches;
  }
  return arn.empty();
}

}  // namespace magneto::api::access
