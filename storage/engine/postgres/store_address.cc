#include "storage/engine/postgres/store_address.h"

#include <algorithm>
#include <memory>

#include "storage/engine/engine.h"
#include "storage/engine/postgres/libpq.h"
#include "storage/messages/postgres_messages.h"

namespace magneto::storage {

StoreAddress::StoreAddress(std::string_view url, std::string password)
    : text_(url.substr(0, url.find('?'))) {
  const Libpq& libpq = Libpq::load();
  char* problem = nullptr;
  const std::string whole(url);
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      libpq.conninfo_parse(whole.c_str(), &problem), libpq.conninfo_free);
  if (options == nullptr) {
    const std::unique_ptr<char, decltype(&PQfreemem)> owned(problem, libpq.free_memory);
    throw EngineError(
        messages::bad_store_url(problem == nullptr ? messages::kOutOfMemory : problem));
  }
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    if (std::string_view(option->keyword) == "password") {
      throw EngineError(messages::kPasswordInStoreUrl);
    }
    settings_.emplace_back(option->keyword, option->val);
  }
  if (!password.empty()) set("password", std::move(password));
  // Settings that the URL does not give. A connection must notice within seconds that the other
  // side is gone, and must reach the server that takes writes.
  const std::string seconds = std::to_string(kConnectTime.count());
  set("connect_timeout", seconds);
  set("keepalives_idle", "1");
  set("keepalives_interval", "1");
  set("keepalives_count", seconds);
  set("tcp_user_timeout", seconds + "000");
  set("target_session_attrs", "read-write");
  set("application_name", "magneto");
  set("client_encoding", "UTF8");
}

void StoreAddress::set(std::string keyword, std::string value) {
  const auto is_same = [&](const auto& setting) { return setting.first == keyword; };
  if (std::ranges::none_of(settings_, is_same)) {
    settings_.emplace_back(std::move(keyword), std::move(value));
  }
}

std::vector<const char*> StoreAddress::keywords() const {
  std::vector<const char*> all;
  for (const auto& [keyword, value] : settings_) all.push_back(keyword.c_str());
  all.push_back(nullptr);
  return all;
}

std::vector<const char*> StoreAddress::values() const {
  std::vector<const char*> all;
  for (const auto& [keyword, value] : settings_) all.push_back(value.c_str());
  all.push_back(nullptr);
  return all;
}

}  // namespace magneto::storage
