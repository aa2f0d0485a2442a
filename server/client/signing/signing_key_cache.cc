#include "server/client/signing/signing_key_cache.h"

#include <functional>

namespace magneto::server::client {
namespace {

std::size_t hash(const std::string& name) { return std::hash<std::string>()(name); }

}  // namespace

std::optional<HmacKey> SigningKeyCache::find(const std::string& name) const {
  const Slot& slot = slots_[hash(name) % kSlots];
  const std::lock_guard lock(slot.mutex);
  if (!slot.key || slot.name != name) return std::nullopt;
  return slot.key;
}

void SigningKeyCache::keep(const std::string& name, const HmacKey& key) {
  Slot& slot = slots_[hash(name) % kSlots];
  const std::lock_guard lock(slot.mutex);
  slot.name = name;
  slot.key = key;
}

}  // namespace magneto::server::client
