#include "api/jobs/job_request.h"

#include <algorithm>

#include "api/error.h"
#include "api/messages/job_messages.h"

namespace magneto::api {
namespace {

constexpr std::size_t kLongestPart = 200;  // of a path; file names, with additions, may have 255
constexpr std::size_t kTokenDigits = 112;
constexpr std::string_view kDigits = "0123456789abcdef";

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

bool is_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part.size() <= kLongestPart &&
         std::ranges::none_of(part, is_control);
}

}  // namespace

bool is_client_token(std::string_view text) {
  return !text.empty() && text.find('$') == std::string_view::npos;
}

bool is_bucket_name(std::string_view text) {
  return text.size() >= 2 && is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) &&
         std::ranges::all_of(text, [](char c) {
           return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_';
         });
}

bool is_account(std::string_view text) {
  return text.size() == 12 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_key_id(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

void check_key_prefix(std::string_view prefix, std::string_view member) {
  // The last part may be empty, as in "exports/".
  while (!prefix.empty()) {
    const std::string_view part = prefix.substr(0, prefix.find('/'));
    if (!is_part(part)) fail_validation(messages::unusable_key(member));
    prefix.remove_prefix(std::min(prefix.size(), part.size() + 1));
  }
}

void copy_member(json::Writer& writer, json::Value from, std::string_view name) {
  const json::Value value = Parameters(from).value(name);
  if (!value) return;
  writer.key(name);
  json::append_compact(value, writer.raw());
}

std::string next_token_of(std::string_view name) {
  std::string token;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    token += kDigits[byte >> 4];
    token += kDigits[byte & 0x0F];
  }
  token.resize(std::max(token.size(), kTokenDigits), '0');
  return token;
}

std::string name_of_token(std::string_view token) {
  std::string name;
  for (std::size_t at = 0; at + 1 < token.size() && token.size() == kTokenDigits; at += 2) {
    const std::size_t high = kDigits.find(token[at]);
    const std::size_t low = kDigits.find(token[at + 1]);
    const bool is_byte = high != std::string_view::npos && low != std::string_view::npos;
    const char c = is_byte ? static_cast<char>(high * 16 + low) : '\0';
    // Only zeros follow the name.
    if (!is_letter_or_digit(c) && c != '-') break;
    name += c;
  }
  if (name.empty() || next_token_of(name) != token) {
    fail_validation(messages::foreign_job_token(token));
  }
  return name;
}

}  // namespace magneto::api
