#include "server/main/tls_setup.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "server/http/tls/messages.h"
#include "server/http/tls/self_signed.h"

namespace magneto::server::main {
namespace {

// The names and addresses by which clients may call the server.
std::vector<std::string> names_of_server(const Config& config) {
  std::vector<std::string> names = config.allowed_hosts.value_or(std::vector<std::string>());
  std::erase(names, "*");
  for (std::string& name : names) {
    if (name.starts_with('[')) name = name.substr(1, name.size() - 2);
  }
  if (config.host != "::" && config.host != "0.0.0.0") names.push_back(config.host);
  std::array<char, 256> machine{};
  if (::gethostname(machine.data(), machine.size() - 1) == 0) names.emplace_back(machine.data());
  return names;
}

}  // namespace

std::unique_ptr<http::TlsCredentials> make_credentials(
    const Config& config, const std::function<void(std::string_view)>& warn) {
  if (!config.speaks_tls()) return nullptr;
  if (!config.tls_self_signed) {
    return std::make_unique<http::TlsCredentials>(
        http::TlsFiles{config.tls_certificate, config.tls_key}, warn);
  }
  http::SelfSigned made = http::make_self_signed(names_of_server(config));
  if (!config.tls_certificate.empty())
    http::write_authority(config.tls_certificate, made.authority);
  return std::make_unique<http::TlsCredentials>(std::move(made.identity));
}

void print_trust(const Config& config) {
  if (!config.tls_self_signed) return;
  const std::string& file = config.tls_certificate;
  std::fputs(
      (file.empty() ? std::string(http::messages::kNoTrust) : http::messages::kTrust(file)).c_str(),
      stdout);
}

}  // namespace magneto::server::main
