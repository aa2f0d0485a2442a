#include "server/main/store_access.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "server/client/endpoint/endpoint_url.h"
#include "server/main/start_messages.h"
#include "server/system/log.h"

namespace magneto::server::main {
namespace {

std::int64_t steady_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::atomic<std::int64_t> ending_since{0};  // of steady_seconds(); 0: the server is not ending

// Nothing acknowledged is lost then: the outcome of the waiting commits is unknown to their clients.
void end_if_late() {
  constexpr std::int64_t kPatience = 3;
  const std::int64_t since = ending_since;
  if (since == 0 || steady_seconds() - since < kPatience) return;
  system::log(system::LogLevel::kError, messages::kEndedWithoutStore);
  system::write_held_lines(true);
  std::_Exit(kExitStoreLost);
}

}  // namespace

std::string read_password(const std::string& file) {
  if (file.empty()) return {};
  struct stat status {};
  std::ifstream input(file);
  std::string password;
  if (::stat(file.c_str(), &status) != 0 || !std::getline(input, password) || password.empty()) {
    throw std::runtime_error(messages::no_store_password(file));
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw std::runtime_error(messages::open_store_password(file));
  }
  return password;
}

std::string without_parameters(const std::string& url) { return url.substr(0, url.find('?')); }

void end_without_store() {
  system::log(system::LogLevel::kError, messages::kStoreLost);
  system::write_held_lines(true);
  std::_Exit(kExitStoreLost);
}

std::string place_of_data(const Config& config) {
  return config.store.empty() ? config.data_directory : without_parameters(config.store);
}

std::string advertised_address(const Config& config, const http::ListenSocket& socket) {
  const std::string& given = config.advertise_address;
  const std::string port = ":" + std::to_string(socket.port());
  if (!given.empty()) {
    const auto parts = client::parse_endpoint_url("http://" + given);
    return parts && given.ends_with(":" + parts->port) ? given : given + port;
  }
  if (config.host != "::" && config.host != "0.0.0.0") return socket.address();
  std::array<char, 256> machine{};
  if (::gethostname(machine.data(), machine.size() - 1) != 0) return socket.address();
  return machine.data() + port;
}

std::optional<storage::PostgresOptions> store_options(const Config& config,
                                                      const std::string& address) {
  if (config.store.empty()) return std::nullopt;
  return storage::PostgresOptions{
      .url = config.store,
      .password = read_password(config.store_password_file),
      .connections = config.store_connections,
      .lease = config.lease,
      .own_address = address,
      .on_lost = end_without_store,
      .on_warning = [](std::string_view what) { system::log(system::LogLevel::kWarning, what); },
      .on_unreachable = end_if_late,
      .shared = config.shares_store};
}

void note_end_of_server() { ending_since = steady_seconds(); }

}  // namespace magneto::server::main
