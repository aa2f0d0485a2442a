#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/key_locks.h"

namespace magneto::storage {

// An engine whose scopes lock their keys. If only this process uses the engine, conflicts never
// occur.
class LockingEngine : public Engine {
 public:
  // `stripes`: as in KeyLocks.
  explicit LockingEngine(std::size_t stripes = KeyLocks::kStripes) : locks_(stripes) {}
  WriteScopePtr begin(std::span<const std::string_view> keys) override;
  using Engine::begin;
  void wait_for_open_scopes() override { locks_.wait_for_holders(); }
  ScopePausePtr pause_scopes() override;

 protected:
  KeyLocks& locks() { return locks_; }

 private:
  KeyLocks locks_;
};

}  // namespace magneto::storage
