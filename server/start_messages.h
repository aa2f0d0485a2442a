#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What the server says while it starts. `why`: what the system or the failed call says.
namespace magneto::server::messages {

// `port` on `host` is the address.
std::string port_in_use(std::uint16_t port, std::string_view host);
std::string port_denied(std::uint16_t port, std::string_view host);
std::string not_an_address(std::string_view host);
std::string cannot_listen(std::uint16_t port, std::string_view host, std::string_view why);
std::string unknown_host(std::string_view host, std::string_view why);
std::string access_log_failed(std::string_view path, std::string_view why);
std::string port_file_failed(std::string_view path, std::string_view why);
inline constexpr const char* kNoThread = "cannot start a thread";
inline constexpr const char* kNoRandomBytes = "cannot get random bytes";
std::string reachable(std::string_view address);
std::string reachable_metrics(std::string_view address);
// The line that says it is ready; `address` is a URL; empty `directory`: in memory; `tables`: what
// there is to say of --schema.
std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables);

}  // namespace magneto::server::messages
