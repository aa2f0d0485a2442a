#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"

namespace magneto::storage {

// Small records of the server, each under a name: its jobs, the positions of its feeds. They belong to
// the store as a whole. Databases, lists of tables, statistics and backups do not contain them. A fork
// begins without notes, so it does not repeat the work of the main store. A restored store takes the
// notes of the store that it replaces (Databases::replace). Notes of an engine in memory end with it.
// Thread-safe. All functions may wait for the disk and throw EngineError.
class Notes {
 public:
  static constexpr std::size_t kMaxNameSize = 512;               // bytes, at least one
  static constexpr std::size_t kMaxSize = std::size_t{8} << 20;  // bytes
  static constexpr std::size_t kMaxCount = 100'000;

  // The failures that a change survives once its function has returned.
  enum class Durability : std::uint8_t {
    kProcess,  // a killed process
    kPower,    // also loss of power; so do all earlier commits to the store
  };

  // Counts the notes of the store.
  explicit Notes(std::shared_ptr<Engine> engine);
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  bool is_durable() const;  // whether notes outlive the process

  // nullopt if no note has that name.
  std::optional<std::string> get(std::string_view name) const;
  // The names that begin with `prefix`, in order.
  std::vector<std::string> names(std::string_view prefix) const;

  // Creates or replaces a note. Throws if the note, or the number of notes, exceeds the limits above.
  void put(std::string_view name, std::string bytes, Durability durability);
  // Does nothing if no note has that name.
  void remove(std::string_view name, Durability durability);

  // Copies all notes to another engine, and removes the other notes there. Uses that engine once
  // `make_current` has returned. If anything throws, the notes stay in the present engine. Other
  // calls wait meanwhile.
  void move_to(std::shared_ptr<Engine> engine, const std::function<void()>& make_current);

 private:
  struct Home {
    std::shared_ptr<Engine> engine;
    TreePtr tree;

    std::vector<std::string> names(std::string_view prefix) const;
    std::optional<std::string> get(std::string_view name) const;
    void put(std::string_view name, std::string bytes, Durability durability) const;
    void commit(WriteBatch& batch, Durability durability) const;
  };

  static Home home_in(std::shared_ptr<Engine> engine);
  void raise_format() const;
  bool replace(std::string_view name, std::string& bytes, Durability durability) const;

  // Guards the next members. Shared by readers and by replacements of notes; exclusive for changes of
  // the names and of the engine.
  mutable std::shared_mutex mutex_;
  Home home_;
  std::size_t count_;
  mutable std::atomic<bool> has_format_{false};  // the engine's format allows notes
};

}  // namespace magneto::storage
