#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/key_locks.h"

namespace magneto::storage {

// An engine that only this process uses. Its scopes lock their keys, so conflicts never occur.
class LockingEngine : public Engine {
 public:
  // `stripes`: as in KeyLocks.
  explicit LockingEngine(std::size_t stripes = KeyLocks::kStripes) : locks_(stripes) {}
  WriteScopePtr begin(std::span<const std::string_view> keys) override;
  using Engine::begin;
  void wait_for_open_scopes() final { locks_.wait_for_holders(); }
  ScopePausePtr pause_scopes() final;

 private:
  KeyLocks locks_;
};

}  // namespace magneto::storage
