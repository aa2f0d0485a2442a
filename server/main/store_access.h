#pragma once

#include <optional>
#include <string>

#include "server/http/listen_socket.h"
#include "server/main/config.h"
#include "storage/engine/postgres/postgres_options.h"

// The process around a store of --store.
namespace magneto::server::main {

// The exit code of a process whose store another server has taken over: a supervisor should start
// it again (EX_TEMPFAIL of sysexits.h).
inline constexpr int kExitStoreLost = 75;

// The first line of the file; empty for an empty path. Throws std::runtime_error with a sentence
// for the user if the file cannot be read, is empty, or other users can read it.
std::string read_password(const std::string& file);

// A URL of --store as logs and messages show it.
std::string without_parameters(const std::string& url);

// The directory or store, for the start line; empty: data is in memory.
std::string place_of_data(const Config& config);

// The address of this server for the others of its store: that of --advertise-address, else the one
// that it listens on, with the machine's name instead of a wildcard.
std::string advertised_address(const Config& config, const http::ListenSocket& socket);

// nullopt without --store. `address`: of this server, for the others. Throws as read_password() does.
std::optional<storage::PostgresOptions> store_options(const Config& config,
                                                      const std::string& address);

// Called when the server begins to end. A commit that waits for the store's database would keep the
// process from ending: a few seconds later it is ended at once, with kExitStoreLost.
void note_end_of_server();

// Logs that the store is lost, and ends the process at once with kExitStoreLost: no later answer
// could be right.
[[noreturn]] void end_without_store();

}  // namespace magneto::server::main
