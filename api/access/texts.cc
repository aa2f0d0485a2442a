#include "api/access/texts.h"

#include <absl/strings/ascii.h>

#include <algorithm>

namespace magneto::api::access {
namespace {

char lower(char c) { return absl::ascii_tolower(static_cast<unsigned char>(c)); }

bool is_blank(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }

}  // namespace

std::string lower_case(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), lower);
  return made;
}

bool is_equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_account(std::string_view text) {
  constexpr std::size_t kDigits = 12;
  return text.size() == kDigits && std::ranges::all_of(text, [](char c) {
           return absl::ascii_isdigit(static_cast<unsigned char>(c));
         });
}

}  // namespace magneto::api::access
