#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/faults/faults.h"
#include "api/journal/journal.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"

namespace magneto::api {

class Namespace;

// The source of a namespace.
struct NamespaceOrigin {
  enum class Kind : std::uint8_t { kEmpty, kNamespace, kSnapshot };
  Kind kind = Kind::kEmpty;
  std::string name;  // of the namespace or snapshot
};

// The contents of a store at one moment, and the state of its clock.
struct NamespaceSnapshot {
  storage::StoreSnapshotPtr store;  // nullptr: the store was empty
  storage::Clock::Duration clock_offset{0};
  std::optional<storage::Clock::TimePoint> frozen_at = std::nullopt;  // set if the clock was frozen
};

struct NamespaceDescription {
  static constexpr std::uint64_t kMainNumber = 0;

  std::string name;
  std::uint64_t number = kMainNumber;  // never reused; unchanged by a reset
  NamespaceOrigin origin = {};
  std::chrono::system_clock::time_point created = {};  // in real time
  // Removed after this time without a request; nullopt: never.
  std::optional<std::chrono::milliseconds> expires_after = std::nullopt;
};

// The control settings of a namespace. They survive a reset, which replaces the data. The control
// settings for consistency do not, because they belong to the store.
struct ControlSettings {
  // `name`: the name of the namespace.
  explicit ControlSettings(std::string_view name) : journal(std::string(name)) {}

  storage::Clock clock;
  Faults faults;
  Journal journal;
};

// An isolated world: databases, a clock, and the service that answers from them. A request that
// holds a namespace keeps all of it alive. After a reset or removal, holders still see the former
// data. Thread-safe.
class Namespace {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // Uses databases that run by the clock of `settings`. `beginning`: the state that a reset returns
  // to; empty for the main namespace.
  Namespace(NamespaceDescription about, NamespaceSnapshot beginning,
            std::shared_ptr<ControlSettings> settings,
            std::unique_ptr<storage::Databases> databases, ServiceOptions options)
      : about_(std::move(about)),
        beginning_(std::move(beginning)),
        settings_(std::move(settings)),
        databases_(std::move(databases)),
        service_(*databases_, with(*settings_, about_, std::move(options))) {}
  Namespace(const Namespace&) = delete;
  Namespace& operator=(const Namespace&) = delete;

  const NamespaceDescription& about() const { return about_; }
  const NamespaceSnapshot& beginning() const { return beginning_; }
  const std::string& name() const { return about_.name; }
  bool is_main() const { return about_.number == NamespaceDescription::kMainNumber; }

  storage::Databases& databases() { return *databases_; }
  storage::Clock& clock() { return settings_->clock; }
  Service& service() { return service_; }
  const std::shared_ptr<ControlSettings>& settings() const { return settings_; }

  // Postpones the expiry.
  void record_use() {
    if (about_.expires_after) last_use_.store(SteadyClock::now().time_since_epoch().count());
  }
  // The time of its removal if it is not used before; nullopt: never.
  std::optional<SteadyClock::time_point> expiry() const {
    if (!about_.expires_after) return std::nullopt;
    return SteadyClock::time_point(SteadyClock::duration(last_use_.load())) + *about_.expires_after;
  }

 private:
  friend class RemovedNamespaces;

  static ServiceOptions with(ControlSettings& settings, const NamespaceDescription& about,
                             ServiceOptions options) {
    static std::atomic<std::uint64_t> lives{NamespaceDescription::kMainNumber};
    options.faults = &settings.faults;
    options.journal = &settings.journal;
    options.job_context.name_space = about.name;
    // The main namespace has the same value after a restart.
    const bool is_main = about.number == NamespaceDescription::kMainNumber;
    options.job_context.life = is_main ? NamespaceDescription::kMainNumber : ++lives;
    if (!is_main) options.deliveries = nullptr;
    return options;
  }

  const NamespaceDescription about_;
  const NamespaceSnapshot beginning_;
  const std::shared_ptr<ControlSettings> settings_;
  const std::unique_ptr<storage::Databases> databases_;
  Service service_;
  std::atomic<SteadyClock::rep> last_use_{SteadyClock::now().time_since_epoch().count()};
  Namespace* next_removed_ = nullptr;  // see RemovedNamespaces
};

}  // namespace magneto::api
