#include "server/http/access_rules.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "server/http/answer_messages.h"
#include "server/system/ignoring_case.h"

namespace magneto::server::http {
namespace {

constexpr std::string_view kAny = "*";
constexpr std::string_view kFilePages = "null";

bool ends_ignoring_case(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         system::equals_ignoring_case(text.substr(text.size() - end.size()), end);
}

bool is_port(std::string_view text) {
  return text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The characters of names and addresses. A text with other characters is neither, and could not be
// quoted in JSON.
constexpr std::array<bool, 256> name_characters() {
  std::array<bool, 256> known{};
  for (std::size_t c = '!'; c <= '~'; ++c) known[c] = true;
  for (const unsigned char c : {'"', '#', ',', '/', '<', '>', '?', '@', '\\', '`', '{', '|', '}'}) {
    known[c] = false;
  }
  return known;
}

bool is_name_character(char c) {
  static constexpr std::array<bool, 256> kKnown = name_characters();
  return kKnown[static_cast<unsigned char>(c)];
}

// The name without the port in "name", "name:80" or "[::1]:80"; empty if the text has another form.
std::string_view name_of(std::string_view host) {
  std::size_t end = host.find(host.starts_with('[') ? ']' : ':');
  if (host.starts_with('[')) {
    if (end == std::string_view::npos) return {};
    ++end;
  }
  const std::string_view name = host.substr(0, end);
  const std::string_view rest = host.substr(name.size());
  if (!rest.empty() && !(rest.front() == ':' && is_port(rest.substr(1)))) return {};
  if (!std::all_of(name.begin(), name.end(), is_name_character)) return {};
  return name;
}

// Copies the text of the address, since inet_pton needs a NUL at its end.
bool read_address(int family, std::string_view text, void* address) {
  std::array<char, INET6_ADDRSTRLEN> copy{};
  if (text.size() >= copy.size()) return false;
  std::memcpy(copy.data(), text.data(), text.size());
  return ::inet_pton(family, copy.data(), address) == 1;
}

bool is_loopback_v6(std::string_view text) {
  in6_addr address{};
  if (!read_address(AF_INET6, text, &address)) return false;
  return IN6_IS_ADDR_LOOPBACK(&address) ||
         (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == 127);
}

bool is_loopback_v4(std::string_view text) {
  in_addr address{};
  return read_address(AF_INET, text, &address) && (ntohl(address.s_addr) >> 24) == 127;
}

// RFC 6761, 6.3: localhost and all names below it resolve to this machine.
bool is_loopback_name(std::string_view name) {
  if (name == "127.0.0.1" || name == "localhost") return true;
  if (name.starts_with('[')) return is_loopback_v6(name.substr(1, name.size() - 2));
  if (name.starts_with("127.")) return is_loopback_v4(name);
  if (name.ends_with('.')) name.remove_suffix(1);
  return system::equals_ignoring_case(name, "localhost") || ends_ignoring_case(name, ".localhost");
}

struct OriginParts {
  std::string_view scheme;
  std::string_view host;  // with the port
  std::string_view name;
};

std::optional<OriginParts> split_origin(std::string_view origin) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = origin.find(kMark);
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  const std::string_view host = origin.substr(mark + kMark.size());
  const std::string_view name = name_of(host);
  if (name.empty()) return std::nullopt;
  return OriginParts{origin.substr(0, mark), host, name};
}

bool is_loopback_origin(std::string_view origin) {
  const std::optional<OriginParts> parts = split_origin(origin);
  return parts &&
         (system::equals_ignoring_case(parts->scheme, "http") ||
          system::equals_ignoring_case(parts->scheme, "https")) &&
         is_loopback_name(parts->name);
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& element) {
    return system::equals_ignoring_case(element, text);
  });
}

bool contains_any(const std::vector<std::string>& list) {
  return std::find(list.begin(), list.end(), kAny) != list.end();
}

}  // namespace

std::optional<std::string> canonical_origin(std::string_view text) {
  if (text == kAny || text == kFilePages) return std::string(text);
  const std::optional<OriginParts> parts = split_origin(text);
  if (!parts) return std::nullopt;
  std::string_view port = parts->host.substr(parts->name.size());
  const bool implied = (port == ":80" && system::equals_ignoring_case(parts->scheme, "http")) ||
                       (port == ":443" && system::equals_ignoring_case(parts->scheme, "https"));
  if (implied) text.remove_suffix(port.size());
  return std::string(text);
}

std::optional<std::string> canonical_host(std::string_view text) {
  in6_addr ignored{};
  if (read_address(AF_INET6, text, &ignored)) return "[" + std::string(text) + "]";
  if (text.empty() || name_of(text) != text) return std::nullopt;
  return std::string(text);
}

AccessRules::AccessRules(AccessOptions options)
    : options_(std::move(options)), any_origin_(contains_any(options_.origins)) {
  any_host_ = options_.hosts ? contains_any(*options_.hosts) : !options_.on_loopback;
  options_.host = canonical_host(options_.host).value_or(options_.host);
  const std::string port = options_.address.substr(options_.address.rfind(':') + 1);
  usual_hosts_ = {"localhost:" + port, "127.0.0.1:" + port};
}

std::string_view AccessRules::refuse_origin(const HttpRequest& request) const {
  if (!request.has(Field::kOrigin) || admits_origin(request.get(Field::kOrigin))) return {};
  return messages::kForeignOrigin;
}

std::string_view AccessRules::refuse_host(const HttpRequest& request) const {
  const std::string_view host = request.get(Field::kHost);
  if (host.empty()) {
    if (any_host_ || (!request.http11 && !request.has(Field::kHost))) return {};
  } else if (admits_host(host)) {
    return {};
  }
  return messages::kForeignHost;
}

bool AccessRules::admits_origin(std::string_view origin) const {
  return any_origin_ || is_loopback_origin(origin) || contains(options_.origins, origin);
}

bool AccessRules::admits_host(std::string_view host) const {
  if (host == usual_hosts_[0] || host == usual_hosts_[1]) return true;
  const std::string_view name = name_of(host);
  if (name.empty()) return false;
  return any_host_ || is_loopback_name(name) || system::equals_ignoring_case(name, options_.host) ||
         (options_.hosts && contains(*options_.hosts, name));
}

bool AccessRules::has_certain_host(const HttpRequest& request) const {
  const std::string_view name = name_of(request.get(Field::kHost));
  if (name.empty()) return false;
  in_addr ignored{};
  return is_loopback_name(name) || name.starts_with('[') || read_address(AF_INET, name, &ignored) ||
         system::equals_ignoring_case(name, options_.host) ||
         (options_.hosts && contains(*options_.hosts, name));
}

std::string_view AccessRules::allowed_origin(const HttpRequest& request) const {
  return any_origin_ ? kAny : request.get(Field::kOrigin);
}

std::string_view AccessRules::address_for(const HttpRequest& request) const {
  const std::string_view host = request.get(Field::kHost);
  return host.empty() ? std::string_view(options_.address) : host;
}

}  // namespace magneto::server::http
