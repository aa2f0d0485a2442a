#include "server/client/signing/authorization.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace magneto::server::client {

namespace {

constexpr std::size_t kMaxRegionLength = 32;

// Cuts off the last slash and the text after it. Returns false if there is no slash.
bool cut_last(std::string_view& text, bool escaped, std::string_view& element) {
  constexpr std::string_view kEscape = "%2F";
  if (text.empty()) return false;
  const void* const found = ::memrchr(text.data(), '/', text.size());
  std::size_t slash = found == nullptr
                          ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  std::size_t size = 1;
  if (escaped) {
    for (std::size_t i = text.size(); i-- > 0;) {
      if (slash != std::string_view::npos && i <= slash) break;
      const std::string_view escape = text.substr(i, kEscape.size());
      if (escape != kEscape && escape != "%2f") continue;
      slash = i;
      size = kEscape.size();
      break;
    }
  }
  if (slash == std::string_view::npos) return false;
  element = text.substr(slash + size);
  text = text.substr(0, slash);
  return true;
}

// The blanks and commas of a text, one after the other.
class Separators {
 public:
  explicit Separators(std::string_view text)
      : text_(text), blank_(find(' ', 0)), comma_(find(',', 0)) {}

  // Returns the first separator at or after `from`, or the text's size. `from` must not decrease.
  std::size_t next(std::size_t from) {
    if (blank_ < from) blank_ = find(' ', from);
    if (comma_ < from) comma_ = find(',', from);
    return std::min(blank_, comma_);
  }

 private:
  std::size_t find(char c, std::size_t from) const {
    return std::min(text_.find(c, from), text_.size());
  }

  const std::string_view text_;
  std::size_t blank_;
  std::size_t comma_;
};

}  // namespace

AuthorizationParameters parse_authorization(std::string_view header) {
  AuthorizationParameters parameters;
  // The algorithm ends at the first blank or comma; both separate parameters.
  Separators separators(header);
  std::size_t offset = separators.next(0);
  parameters.algorithm = header.substr(0, offset);
  while (offset < header.size()) {
    const std::size_t end = separators.next(offset);
    const std::string_view part = header.substr(offset, end - offset);
    offset = end + 1;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    if (name == "Credential") parameters.credential = value;
    if (name == "Signature") parameters.signature = value;
    if (name == "SignedHeaders") parameters.signed_headers = value;
  }
  return parameters;
}

std::optional<CredentialScope> parse_credential(std::string_view credential) {
  while (credential.ends_with('/')) credential.remove_suffix(1);
  std::array<std::string_view, 5> parts;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::size_t slash = credential.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    parts[i] = credential.substr(0, slash);
    credential.remove_prefix(slash + 1);
  }
  if (credential.find('/') != std::string_view::npos) return std::nullopt;
  parts.back() = credential;
  return CredentialScope{parts[0], parts[1], parts[2], parts[3], parts[4]};
}

ClaimedScope read_scope(std::string_view credential, bool has_region, bool escaped) {
  while (credential.ends_with('/')) credential.remove_suffix(1);
  std::array<std::string_view, 4> parts;  // terminator, service, region, date
  const std::size_t count = has_region ? parts.size() : parts.size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (!cut_last(credential, escaped, parts[i])) return {credential, {}};
  }
  return {credential, has_region ? parts[2] : std::string_view()};
}

bool is_region(std::string_view text) {
  return !text.empty() && text.size() <= kMaxRegionLength && std::ranges::all_of(text, [](char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '_';
  });
}

bool is_account(std::string_view access_key) {
  return access_key.size() == 12 &&
         std::ranges::all_of(access_key, [](char c) { return absl::ascii_isdigit(c); });
}

std::string unescape(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    unsigned char byte = 0;
    const char* const first = text.data() + 1;
    const bool is_escape = text.size() >= 3 && text.front() == '%' &&
                           std::from_chars(first, first + 2, byte, 16).ptr == first + 2;
    plain += is_escape ? static_cast<char>(byte) : text.front();
    text.remove_prefix(is_escape ? 3 : 1);
  }
  return plain;
}

std::string_view without_authority(std::string_view uri) {
  constexpr std::string_view kSchemeEnd = "://";
  // After a slash or question mark it is part of the path or query.
  const std::size_t scheme_end = uri.find_first_of(":/?#");
  if (scheme_end == 0 || scheme_end == std::string_view::npos) return uri;
  if (!uri.substr(scheme_end).starts_with(kSchemeEnd)) return uri;
  uri.remove_prefix(scheme_end + kSchemeEnd.size());
  uri.remove_prefix(std::min(uri.find_first_of("/?"), uri.size()));
  return uri;
}

bool QueryParameter::is_named(std::string_view plain) const {
  constexpr std::size_t kEscapeBytes = 3;
  if (name.size() == plain.size()) return name == plain;
  return name.size() > plain.size() && name.size() <= kEscapeBytes * plain.size() &&
         unescape(name) == plain;
}

QueryReader::QueryReader(std::string_view uri)
    : rest_(uri.substr(std::min(uri.find('?'), uri.size()))) {
  if (!rest_.empty()) rest_.remove_prefix(1);
}

std::optional<QueryParameter> QueryReader::next() {
  while (!rest_.empty()) {
    const std::string_view part = rest_.substr(0, rest_.find('&'));
    rest_.remove_prefix(std::min(rest_.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    return QueryParameter{part.substr(0, equals), part.substr(std::min(equals + 1, part.size()))};
  }
  return std::nullopt;
}

std::optional<std::string_view> find_query_parameter(std::string_view uri, std::string_view name) {
  QueryReader query(uri);
  while (const std::optional<QueryParameter> parameter = query.next()) {
    if (parameter->is_named(name)) return parameter->value;
  }
  return std::nullopt;
}

}  // namespace magneto::server::client
