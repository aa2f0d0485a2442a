#pragma once

#include <string>
#include <string_view>

// What the server says while it starts.
namespace magneto::server::main::messages {

inline constexpr const char* kNoThread = "cannot start a thread";
std::string reachable(std::string_view address);
std::string reachable_metrics(std::string_view address);
// The line that says it is ready; `address` is a URL; empty `directory`: in memory; `tables`: what
// there is to say of --schema.
std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables);

}  // namespace magneto::server::main::messages
