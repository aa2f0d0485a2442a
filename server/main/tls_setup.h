#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "server/http/tls/tls_credentials.h"
#include "server/main/config.h"

namespace magneto::server::main {

// Makes or reads the certificate of HTTPS; nullptr for plain HTTP. `warn` gets later problems with
// its files. Throws StartError.
std::unique_ptr<http::TlsCredentials> make_credentials(
    const Config& config, const std::function<void(std::string_view)>& warn);

// Prints the settings that make AWS SDKs, the AWS CLI and Node.js trust the certificate.
void print_trust(const Config& config);

}  // namespace magneto::server::main
