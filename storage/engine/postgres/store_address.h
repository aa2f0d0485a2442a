#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace magneto::storage {

// Where the database of a store is, as `--store` gives it: a URL that libpq reads, without a
// password.
class StoreAddress {
 public:
  static constexpr std::chrono::seconds kConnectTime{3};

  // `url`: "postgres://user@host1,host2:5433/database?sslmode=verify-full". `password`: empty: libpq
  // finds one by itself (PGPASSFILE), or none is needed. Throws EngineError with a sentence for the
  // user.
  explicit StoreAddress(std::string_view url, std::string password = {});

  // For messages: the URL without its parameters.
  const std::string& text() const { return text_; }
  // The keywords and values of PQconnectdbParams(), each ended by a null pointer. The pointers live
  // as long as this object.
  std::vector<const char*> keywords() const;
  std::vector<const char*> values() const;

 private:
  void set(std::string keyword, std::string value);

  std::vector<std::pair<std::string, std::string>> settings_;
  std::string text_;
};

}  // namespace magneto::storage
