#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "server/client/signing/sha256.h"

namespace magneto::server::client {

// Keeps derived signing keys, some 20 KB of them at most: a new one takes the place of another.
// Thread-safe.
class SigningKeyCache {
 public:
  // `name` says what the key was derived from: access key, date and region.
  std::optional<HmacKey> find(const std::string& name) const;
  // Only for keys that have verified a signature, so that none without a secret drives others out.
  void keep(const std::string& name, const HmacKey& key);

 private:
  static constexpr std::size_t kSlots = 128;

  struct Slot {
    mutable std::mutex mutex;  // guards the rest
    std::string name;
    std::optional<HmacKey> key;
  };

  std::array<Slot, kSlots> slots_;
};

}  // namespace magneto::server::client
