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

// What a namespace was made from.
struct NamespaceOrigin {
  enum class Kind : std::uint8_t { kEmpty, kNamespace, kSnapshot };
  Kind kind = Kind::kEmpty;
  std::string name;  // of the namespace or snapshot
};

// What a store was at one moment, and how its clock stood.
struct NamespaceSnapshot {
  storage::StoreSnapshotPtr store;  // nullptr: nothing was in it
  storage::Clock::Duration clock_offset{0};
  std::optional<storage::Clock::TimePoint> frozen_at = std::nullopt;  // the clock: where it stood
};

struct NamespaceDescription {
  static constexpr std::uint64_t kMainNumber = 0;

  std::string name;
  std::uint64_t number = kMainNumber;  // that of no other ever made; stays over a reset
  NamespaceOrigin origin = {};
  std::chrono::system_clock::time_point created = {};  // in real time
  // So long without a request it is removed; nullopt: never.
  std::optional<std::chrono::milliseconds> expires_after = std::nullopt;
};

// How the dials of a namespace are turned. They stay over a reset, which makes its data anew, but
// for those of consistency, which are the store's.
struct Dials {
  // `name`: the namespace's.
  explicit Dials(std::string_view name) : journal(std::string(name)) {}

  storage::Clock clock;
  Faults faults;
  Journal journal;
};

// A world of its own: databases, a clock, and the service that answers from them. A request that
// holds it keeps all of it alive; what is held of a namespace that was reset or removed meanwhile
// is its former data. Thread-safe.
class Namespace {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // Over databases that go by the clock of `dials`. `beginning`: what it is by a reset; of the main
  // one nothing.
  Namespace(NamespaceDescription about, NamespaceSnapshot beginning, std::shared_ptr<Dials> dials,
            std::unique_ptr<storage::Databases> databases, ServiceOptions options)
      : about_(std::move(about)),
        beginning_(std::move(beginning)),
        dials_(std::move(dials)),
        databases_(std::move(databases)),
        service_(*databases_, with(*dials_, about_, std::move(options))) {}
  Namespace(const Namespace&) = delete;
  Namespace& operator=(const Namespace&) = delete;

  const NamespaceDescription& about() const { return about_; }
  const NamespaceSnapshot& beginning() const { return beginning_; }
  const std::string& name() const { return about_.name; }
  bool is_main() const { return about_.number == NamespaceDescription::kMainNumber; }

  storage::Databases& databases() { return *databases_; }
  storage::Clock& clock() { return dials_->clock; }
  Service& service() { return service_; }
  const std::shared_ptr<Dials>& dials() const { return dials_; }

  // Puts the end of its time off.
  void note_use() {
    if (about_.expires_after) last_use_.store(SteadyClock::now().time_since_epoch().count());
  }
  // When it is to be removed unless it is used before; nullopt: never.
  std::optional<SteadyClock::time_point> expiry() const {
    if (!about_.expires_after) return std::nullopt;
    return SteadyClock::time_point(SteadyClock::duration(last_use_.load())) + *about_.expires_after;
  }

 private:
  friend class RemovedNamespaces;

  static ServiceOptions with(Dials& dials, const NamespaceDescription& about,
                             ServiceOptions options) {
    static std::atomic<std::uint64_t> lives{NamespaceDescription::kMainNumber};
    options.faults = &dials.faults;
    options.journal = &dials.journal;
    options.job_context.name_space = about.name;
    // That of the main one is the same after a restart.
    const bool is_main = about.number == NamespaceDescription::kMainNumber;
    options.job_context.life = is_main ? NamespaceDescription::kMainNumber : ++lives;
    if (!is_main) options.deliveries = nullptr;
    return options;
  }

  const NamespaceDescription about_;
  const NamespaceSnapshot beginning_;
  const std::shared_ptr<Dials> dials_;
  const std::unique_ptr<storage::Databases> databases_;
  Service service_;
  std::atomic<SteadyClock::rep> last_use_{SteadyClock::now().time_since_epoch().count()};
  Namespace* next_removed_ = nullptr;  // see RemovedNamespaces
};

}  // namespace magneto::api
