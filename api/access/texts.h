#pragma once

#include <string>
#include <string_view>

// Functions on texts in policies. Only ASCII letters are compared without case.
namespace magneto::api::access {

std::string lower_case(std::string_view text);
bool is_equal_but_for_case(std::string_view a, std::string_view b);
// Without surrounding blanks.
std::string_view stripped(std::string_view text);
// Whether the text is twelve digits.
bool is_account(std::string_view text);

// Removes `beginning` from `text` if it is there, and returns whether it was.
inline bool take_beginning(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}
inline bool take_ending(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

// "a" "b" -> "ab".
template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  (text.append(std::string_view(parts)), ...);
  return text;
}

}  // namespace magneto::api::access
