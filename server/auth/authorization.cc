#include "server/auth/authorization.h"

namespace magneto::server {

namespace {

// The first blank or comma at or after `from`, or the text's size.
std::size_t find_separator(std::string_view text, std::size_t from) {
  while (from < text.size() && text[from] != ' ' && text[from] != ',') ++from;
  return from;
}

}  // namespace

AuthorizationParameters parse_authorization(std::string_view header) {
  AuthorizationParameters parameters;
  // The algorithm ends at the first blank or comma; parameters are set apart by either.
  std::size_t position = find_separator(header, 0);
  while (position < header.size()) {
    const std::size_t end = find_separator(header, position);
    const std::string_view part = header.substr(position, end - position);
    position = end + 1;
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

std::optional<std::string_view> find_query_parameter(std::string_view uri, std::string_view name) {
  std::size_t position = uri.find('?');
  while (position != std::string_view::npos && position < uri.size()) {
    ++position;
    const std::size_t end = uri.find('&', position);
    const std::string_view part = uri.substr(position, end - position);
    position = end;
    if (!part.starts_with(name)) continue;
    if (part.size() == name.size()) return std::string_view();
    if (part[name.size()] == '=') return part.substr(name.size() + 1);
  }
  return std::nullopt;
}

}  // namespace magneto::server
