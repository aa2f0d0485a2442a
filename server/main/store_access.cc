#include "server/main/store_access.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "server/main/start_messages.h"
#include "server/system/log.h"

namespace magneto::server::main {

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

std::optional<storage::PostgresOptions> store_options(const Config& config,
                                                      const std::string& address) {
  if (config.store.empty()) return std::nullopt;
  return storage::PostgresOptions{.url = config.store,
                                  .password = read_password(config.store_password_file),
                                  .connections = config.store_connections,
                                  .lease = config.lease,
                                  .own_address = address,
                                  .on_lost = end_without_store,
                                  .on_wait = [](std::string_view holder) {
                                    system::log(system::LogLevel::kWarning,
                                                messages::waits_for_store(holder));
                                  }};
}

}  // namespace magneto::server::main
