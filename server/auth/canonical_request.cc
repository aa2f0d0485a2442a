#include "server/auth/canonical_request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "server/auth/authorization.h"

namespace magneto::server {
namespace {

constexpr bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

constexpr char to_small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_named(std::string_view name, std::string_view small) {
  return name.size() == small.size() &&
         std::ranges::equal(name, small, [](char a, char b) { return to_small(a) == b; });
}

// A proxy is sent the whole URL (RFC 9112, 3.2.2), of which the path begins behind the host.
std::string_view without_authority(std::string_view uri) {
  const std::size_t scheme_end = uri.find("://");
  if (uri.starts_with('/') || scheme_end == std::string_view::npos) return uri;
  uri.remove_prefix(scheme_end + 3);
  uri.remove_prefix(std::min(uri.find_first_of("/?"), uri.size()));
  return uri;
}

// The path with "." and ".." resolved and without empty segments, each segment escaped once more
// than it came: only S3 does neither.
void append_path(std::string_view path, std::string& text) {
  std::vector<std::string_view> segments;
  const bool is_folder = path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (!segments.empty()) {
      segments.pop_back();
    }
  }
  for (const std::string_view segment : segments) {
    text += '/';
    append_escaped(segment, text);
  }
  if (segments.empty() || is_folder) text += '/';
}

// The parameters in the order of their escaped names and values.
void append_query(std::string_view query, std::string& text) {
  using Parameter = std::pair<std::string, std::string>;
  std::vector<Parameter> parameters;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    Parameter& parameter = parameters.emplace_back();
    append_escaped(unescape(part.substr(0, equals)), parameter.first);
    if (parameter.first == "X-Amz-Signature") {
      parameters.pop_back();
      continue;
    }
    append_escaped(unescape(part.substr(std::min(equals + 1, part.size()))), parameter.second);
  }
  std::ranges::sort(parameters);
  for (const Parameter& parameter : parameters) {
    if (&parameter != &parameters.front()) text += '&';
    text.append(parameter.first).append("=").append(parameter.second);
  }
}

// Without blanks around it, and with one where there are several.
void append_value(std::string_view value, std::string& text) {
  while (!value.empty() && is_blank(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
  if (value.find("  ") == std::string_view::npos && value.find('\t') == std::string_view::npos) {
    text.append(value);
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool blank = is_blank(value[i]);
    if (!blank || !is_blank(value[i - 1])) text += blank ? ' ' : value[i];
  }
}

// "name:value", with the values of a repeated field set apart by commas.
void append_field(std::span<const HeaderField> fields, std::string_view name, std::string& text) {
  text.append(name);
  char separator = ':';
  for (const HeaderField& field : fields) {
    if (!is_named(field.name, name)) continue;
    text += separator;
    append_value(field.value, text);
    separator = ',';
  }
  if (separator == ':') text += separator;
  text += '\n';
}

std::size_t bytes_of(std::span<const HeaderField> fields) {
  std::size_t bytes = 0;
  for (const HeaderField& field : fields) bytes += field.name.size() + field.value.size() + 2;
  return bytes;
}

}  // namespace

void append_escaped(std::string_view bytes, std::string& text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    if (is_unreserved(c)) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += '%';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0x0F];
  }
}

std::vector<std::string_view> split_signed_headers(std::string& list) {
  std::vector<std::string_view> names;
  names.reserve(8);
  std::ranges::transform(list, list.begin(), to_small);
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (name.empty()) continue;
    if (names.size() == kMaxSignedHeaders) return {};
    names.push_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void append_list(std::span<const std::string_view> signed_headers, std::string& text) {
  for (std::size_t i = 0; i < signed_headers.size(); ++i) {
    text.append(i == 0 ? "" : ";").append(signed_headers[i]);
  }
}

std::string canonical_request(const SignableRequest& request,
                              std::span<const std::string_view> signed_headers) {
  std::string text;
  text.reserve(request.uri.size() + bytes_of(request.fields) + 256);
  text.append(request.method).append("\n");
  const std::string_view uri = without_authority(request.uri);
  const std::size_t path_end = std::min(uri.find('?'), uri.size());
  append_path(uri.substr(0, path_end), text);
  text += '\n';
  append_query(uri.substr(std::min(path_end + 1, uri.size())), text);
  text += '\n';
  for (const std::string_view name : signed_headers) append_field(request.fields, name, text);
  text += '\n';
  append_list(signed_headers, text);
  text.append("\n").append(request.body_hash);
  return text;
}

}  // namespace magneto::server
