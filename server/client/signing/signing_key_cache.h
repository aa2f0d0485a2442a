#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "server/client/signing/sha256.h"

namespace magneto::server::client {

// Caches derived signing keys, at most about 20 KB; a new one replaces another. Thread-safe.
class SigningKeyCache {
 public:
  // `name` contains the sources of the key: access key, date and region.
  std::optional<HmacKey> find(const std::string& name) const;
  // Only for keys that have verified a signature. So a client without a secret cannot evict others.
  void keep(const std::string& name, const HmacKey& key);

 private:
  static constexpr std::size_t kSlots = 128;

  struct Slot {
    mutable std::mutex mutex;  // guards the other members
    std::string name;
    std::optional<HmacKey> key;
  };

  std::array<Slot, kSlots> slots_;
};

}  // namespace magneto::server::client
