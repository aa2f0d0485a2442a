#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Why an address, an access log or a port file cannot be opened. `why`: what the system says.
namespace magneto::server::http::messages {

// `port` on `host` is the address.
std::string port_in_use(std::uint16_t port, std::string_view host);
std::string port_denied(std::uint16_t port, std::string_view host);
std::string not_an_address(std::string_view host);
std::string cannot_listen(std::uint16_t port, std::string_view host, std::string_view why);
std::string unknown_host(std::string_view host, std::string_view why);
std::string access_log_failed(std::string_view path, std::string_view why);
std::string port_file_failed(std::string_view path, std::string_view why);

}  // namespace magneto::server::http::messages
