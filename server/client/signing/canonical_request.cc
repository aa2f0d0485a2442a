#include "server/client/signing/canonical_request.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "server/client/signing/authorization.h"
#include "server/system/ignoring_case.h"

namespace magneto::server::client {
namespace {

bool is_unreserved(char c) {
  return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Appends the path with "." and ".." resolved, without empty segments, and with each segment
// escaped once more. Only S3 does none of this.
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

// Appends the parameters of the query in the order of their escaped names and values.
void append_query(std::string_view uri, std::string& text) {
  std::vector<std::pair<std::string, std::string>> parameters;
  QueryReader query(uri);
  while (const std::optional<QueryParameter> parameter = query.next()) {
    if (parameter->is_named("X-Amz-Signature")) continue;
    auto& [name, value] = parameters.emplace_back();
    append_escaped(unescape(parameter->name), name);
    append_escaped(unescape(parameter->value), value);
  }
  std::ranges::sort(parameters);
  for (const auto& parameter : parameters) {
    if (&parameter != &parameters.front()) text += '&';
    text.append(parameter.first).append("=").append(parameter.second);
  }
}

// Appends the value without surrounding blanks, and with one blank in place of several.
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

// Appends "name:value". Commas separate the values of a repeated field.
void append_field(std::span<const HeaderField> fields, std::string_view name, std::string& text) {
  text.append(name);
  char separator = ':';
  for (const HeaderField& field : fields) {
    if (!system::equals_ignoring_case(field.name, name)) continue;
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
  std::ranges::transform(list, list.begin(), [](char c) { return absl::ascii_tolower(c); });
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
  const std::string_view path = request.uri.substr(0, request.uri.find('?'));
  if (request.is_of_s3) {
    text.append(path);
  } else {
    append_path(path, text);
  }
  text += '\n';
  append_query(request.uri, text);
  text += '\n';
  for (const std::string_view name : signed_headers) append_field(request.fields, name, text);
  text += '\n';
  append_list(signed_headers, text);
  text.append("\n").append(request.body_hash);
  return text;
}

}  // namespace magneto::server::client
