#pragma once

#include <string>
#include <string_view>

// Texts of policies, whose letters are those of ASCII wherever case does not count.
namespace magneto::api::access {

std::string lower_case(std::string_view text);
bool is_equal_but_for_case(std::string_view a, std::string_view b);
// Without blanks around it.
std::string_view stripped(std::string_view text);
// Twelve digits.
bool is_account(std::string_view text);

// Takes it off `text`, if it is there.
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
