#include "api/namespaces/namespaces.h"

#include <algorithm>
#include <array>
#include <random>
#include <system_error>
#include <utility>

#include "api/messages/namespace_messages.h"

namespace magneto::api {
namespace {

using Refusal = NamespaceError::Kind;
using MakingClock = Namespace::SteadyClock;

// The shortest time between searches for expired namespaces. A search visits each namespace: 10,000
// take a millisecond.
constexpr std::chrono::milliseconds kShortestPause{20};
// Removed namespaces keep their memory until they are destroyed, so creators wait for that.
constexpr std::size_t kMostEnding = 100;
constexpr std::size_t kMostFormer = 4;  // when main is restored
constexpr std::chrono::milliseconds kMakingPatience{2'000};
constexpr std::chrono::milliseconds kLongPatience{30'000};

// In Debian's build, Abseil's string_view is a separate type.
absl::string_view absl_view(std::string_view text) { return {text.data(), text.size()}; }

std::string make_up_name() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
  constexpr int kRandomLetters = 12;
  std::random_device random;
  std::string name = "ns-";
  for (int i = 0; i < kRandomLetters; ++i) name += kLetters[random() % kLetters.size()];
  return name;
}

// The state of its clock, without a store.
NamespaceSnapshot clock_of(Namespace& space) {
  const storage::Clock& clock = space.clock();
  NamespaceSnapshot contents;
  if (clock.is_frozen()) {
    contents.frozen_at = clock.now();
  } else {
    // Rounds, because real time advances between the two clock reads.
    contents.clock_offset = std::chrono::round<std::chrono::milliseconds>(clock.offset());
  }
  return contents;
}

}  // namespace

Namespaces::Namespaces(std::unique_ptr<storage::Databases> main,
                       std::shared_ptr<ControlSettings> settings, NamespacesOptions options)
    : options_(std::move(options)),
      kept_(*main, options_.main_database),
      removed_([this] { return remove_expired(); }),
      memory_(options_.database.whole_room, removed_) {
  if (kept_.has_directory()) {
    for (NamedSnapshotPtr& saved : kept_.load()) snapshots_.add(std::move(saved));
  }
  main_ = make({.name = std::string(kMainName), .created = std::chrono::system_clock::now()}, {},
               std::move(settings), std::move(main));
}

Namespaces::~Namespaces() {
  set_removal_listener(nullptr);
  const std::unique_lock lock(mutex_);
  others_.clear();
  main_.reset();
  kept_main_.reset();
}

std::shared_ptr<Namespace> Namespaces::main() const {
  const std::shared_lock lock(mutex_);
  return main_;
}

std::shared_ptr<Namespace> Namespaces::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  if (name == kMainName) return main_;
  const auto found = others_.find(absl_view(name));
  if (found == others_.end()) return nullptr;
  found->second->record_use();
  return found->second;
}

std::shared_ptr<Namespace> Namespaces::get(std::string_view name) const {
  // The message does not repeat an invalid name.
  if (!is_namespace_name(name)) throw NamespaceError(Refusal::kInvalid, messages::kNamespaceName);
  NamespacePtr found = find(name);
  if (found == nullptr) throw NamespaceError(Refusal::kUnknown, messages::unknown_namespace(name));
  return found;
}

std::vector<std::shared_ptr<Namespace>> Namespaces::list() const {
  std::vector<NamespacePtr> all;
  {
    const std::shared_lock lock(mutex_);
    all.push_back(main_);
    for (const auto& [name, other] : others_) all.push_back(other);
  }
  std::sort(all.begin() + 1, all.end(),
            [](const NamespacePtr& a, const NamespacePtr& b) { return a->name() < b->name(); });
  return all;
}

void Namespaces::record_system_step(storage::Clock::Duration by) {
  for (const NamespacePtr& space : list()) space->clock().record_step(by);
}

std::shared_ptr<Namespace> Namespaces::create(const NewNamespace& wanted) {
  if (!wanted.name.empty() && !is_namespace_name(wanted.name)) {
    throw NamespaceError(Refusal::kInvalid, messages::kNamespaceName);
  }
  NamespaceDescription about{.name = wanted.name.empty() ? make_up_name() : wanted.name,
                             .number = ++last_number_,
                             .origin = wanted.origin,
                             .created = std::chrono::system_clock::now(),
                             .expires_after = wanted.expires_after};
  if (find(about.name) != nullptr) {
    throw NamespaceError(Refusal::kTaken, messages::namespace_taken(about.name));
  }
  if (count() >= kMost) throw NamespaceError(Refusal::kFull, messages::too_many_namespaces(kMost));
  wait_for_ends();
  const NamespaceSnapshot beginning = snapshot_of(about.origin);
  const NamespaceMemory::Turn turn = memory_.begin(beginning);
  auto settings = std::make_shared<ControlSettings>(about.name);
  if (beginning.frozen_at) {
    settings->clock.set(*beginning.frozen_at, true);
  } else {
    settings->clock.advance(beginning.clock_offset);
  }
  NamespacePtr made = make(std::move(about), beginning, beginning, std::move(settings));
  memory_.check_made();
  insert(made);
  if (made->about().expires_after) removed_.look();
  return made;
}

void Namespaces::wait_for_ends() {
  if (!removed_.wait_for_few(kMostEnding, kMakingPatience)) {
    throw NamespaceError(Refusal::kBusy, messages::kNamespacesEnding);
  }
}

std::shared_ptr<Namespace> Namespaces::make(NamespaceDescription about,
                                            const NamespaceSnapshot& beginning,
                                            const NamespaceSnapshot& data,
                                            std::shared_ptr<ControlSettings> settings) {
  try {
    removed_.start();
    const storage::Clock& clock = settings->clock;
    auto databases = data.store == nullptr
                         ? storage::Databases::open(options_.database, clock)
                         : storage::Databases::fork(data.store, options_.database, clock);
    return make(std::move(about), beginning, std::move(settings), std::move(databases));
  } catch (const std::system_error& error) {
    throw NamespaceError(Refusal::kFull, messages::namespace_failed(error.what()));
  }
}

std::shared_ptr<Namespace> Namespaces::make(NamespaceDescription about,
                                            const NamespaceSnapshot& beginning,
                                            std::shared_ptr<ControlSettings> settings,
                                            std::unique_ptr<storage::Databases> databases) {
  auto made = std::make_unique<Namespace>(std::move(about), beginning, std::move(settings),
                                          std::move(databases), options_.service);
  return {made.release(), [this](Namespace* unused) { removed_.take(unused); }};
}

// Tries several times, because the snapshot may be removed and saved again under its name in the
// meantime.
NamespaceSnapshot Namespaces::snapshot_named(std::string_view name) {
  constexpr int kTries = 8;
  for (int tries = 1;; ++tries) {
    const NamedSnapshotPtr snapshot = snapshots_.get(name);
    if (!snapshot->is_saved) return snapshot->contents;
    try {
      NamespaceSnapshot contents = kept_.open(*snapshot);
      if (snapshots_.get(name) == snapshot || tries == kTries) return contents;
    } catch (const NamespaceError&) {
      const auto saving = begin_saving();  // waits for a running removal
      if (snapshots_.get(name) == snapshot || tries == kTries) throw;
    }
  }
}

NamespaceSnapshot Namespaces::snapshot_of(const NamespaceOrigin& origin) {
  switch (origin.kind) {
    case NamespaceOrigin::Kind::kEmpty:
      break;
    case NamespaceOrigin::Kind::kNamespace: {
      const NamespacePtr space = get(origin.name);
      NamespaceSnapshot contents = clock_of(*space);
      contents.store = space->databases().snapshot();
      return contents;
    }
    case NamespaceOrigin::Kind::kSnapshot:
      return snapshot_named(origin.name);
  }
  return {};
}

void Namespaces::insert(const NamespacePtr& made) {
  const std::unique_lock lock(mutex_);
  if (others_.size() >= kMost) {
    throw NamespaceError(Refusal::kFull, messages::too_many_namespaces(kMost));
  }
  if (!others_.try_emplace(made->name(), made).second) {
    throw NamespaceError(Refusal::kTaken, messages::namespace_taken(made->name()));
  }
  record_change();
}

void Namespaces::record_change() {
  count_.store(others_.size(), std::memory_order_relaxed);
  is_plain_.store(others_.empty() && !is_main_replaced_, std::memory_order_relaxed);
}

void Namespaces::remove(std::string_view name) {
  if (name == kMainName) throw NamespaceError(Refusal::kTaken, messages::kMainStays);
  get(name);
  NamespacePtr removed;
  {
    const std::unique_lock lock(mutex_);
    const auto found = others_.find(absl_view(name));
    if (found == others_.end()) {
      throw NamespaceError(Refusal::kUnknown, messages::unknown_namespace(name));
    }
    removed = std::move(found->second);
    others_.erase(found);
    record_change();
  }
  tell_of(*removed);
}

void Namespaces::remove_exactly(const NamespaceDescription& made) {
  NamespacePtr removed;
  {
    const std::unique_lock lock(mutex_);
    const auto found = others_.find(absl_view(made.name));
    if (found == others_.end() || found->second->about().number != made.number) return;
    removed = std::move(found->second);
    others_.erase(found);
    record_change();
  }
  tell_of(*removed);
}

std::shared_ptr<Namespace> Namespaces::renew(std::string_view name) {
  const NamespacePtr former = get(name);
  return former->is_main() ? former : replace(former, former->beginning());
}

std::shared_ptr<Namespace> Namespaces::restore(std::string_view name, std::string_view snapshot) {
  if (name == kMainName) return restore_main(snapshot);
  const NamespacePtr former = get(name);
  return replace(former, snapshot_named(snapshot));
}

std::unique_lock<std::timed_mutex> Namespaces::begin_saving() {
  std::unique_lock lock(saving_, kLongPatience);
  if (!lock) throw NamespaceError(Refusal::kBusy, messages::kStateBusy);
  return lock;
}

std::shared_ptr<Namespace> Namespaces::restore_main(std::string_view name) {
  const auto saving = begin_saving();
  const NamedSnapshotPtr snapshot = snapshots_.get(name);
  if (options_.main_database.store) {
    throw NamespaceError(Refusal::kInvalid, messages::kNoRestoreOfStore);
  }
  if (kept_.has_directory() && !snapshot->is_saved) {
    throw NamespaceError(Refusal::kInvalid, messages::kSnapshotInMemory);
  }
  NamespacePtr former = main();
  NamespacePtr made;
  try {
    removed_.start();
    // Former main namespaces keep their own memory until they are destroyed.
    if (!removed_.wait_for_few(kMostFormer, kMakingPatience)) {
      throw NamespaceError(Refusal::kBusy, messages::kNamespacesEnding);
    }
    const storage::Clock& clock = former->clock();
    auto restored = snapshot->is_saved ? kept_.restore(*snapshot, clock)
                                       : storage::Databases::fork(snapshot->contents.store,
                                                                  options_.main_database, clock);
    made = make(former->about(), {}, former->settings(), std::move(restored));
    made->databases().replace(former->databases());
  } catch (const std::system_error& error) {
    throw NamespaceError(Refusal::kFull, messages::namespace_failed(error.what()));
  } catch (const storage::EngineError& error) {
    throw NamespaceError(Refusal::kFailed, error.what());
  }
  {
    const std::unique_lock lock(mutex_);
    if (!std::exchange(is_main_replaced_, true)) kept_main_ = former;
    main_ = made;
    record_change();
  }
  former.reset();
  if (kept_main_ != nullptr && wait_for_threads_ && wait_for_threads_()) {
    const std::unique_lock lock(mutex_);
    former.swap(kept_main_);
  }
  return made;
}

void Namespaces::set_wait_for_threads(WaitForThreads wait) {
  const std::lock_guard saving(saving_);
  wait_for_threads_ = std::move(wait);
}

std::shared_ptr<Namespace> Namespaces::replace(const NamespacePtr& former,
                                               const NamespaceSnapshot& data) {
  wait_for_ends();
  const NamespaceMemory::Turn turn = memory_.begin_replacing(data);
  NamespacePtr made = make(former->about(), former->beginning(), data, former->settings());
  NamespacePtr replaced = made;
  {
    const std::unique_lock lock(mutex_);
    const auto found = others_.find(absl_view(former->name()));
    if (found == others_.end() || found->second->about().number != former->about().number) {
      throw NamespaceError(Refusal::kUnknown, messages::unknown_namespace(former->name()));
    }
    found->second.swap(replaced);
  }
  return made;
}

std::shared_ptr<Namespace> Namespaces::copy_aside(std::string_view name) {
  const NamespaceOrigin origin{NamespaceOrigin::Kind::kNamespace, std::string(name)};
  NamespaceDescription about{.name = std::string(name),
                             .number = ++last_number_,
                             .origin = origin,
                             .created = std::chrono::system_clock::now()};
  wait_for_ends();
  const NamespaceSnapshot data = snapshot_of(origin);
  const NamespaceMemory::Turn turn = memory_.begin(data);
  auto settings = std::make_shared<ControlSettings>(about.name);
  settings->clock.set(data.frozen_at.value_or(storage::Clock::real_now() + data.clock_offset),
                      true);
  NamespacePtr made = make(std::move(about), {}, data, std::move(settings));
  memory_.check_made();
  return made;
}

NamedSnapshotPtr Namespaces::take_snapshot(std::string_view name, std::string_view of) {
  if (!is_namespace_name(name)) throw NamespaceError(Refusal::kInvalid, messages::kSnapshotName);
  const NamespaceOrigin origin{NamespaceOrigin::Kind::kNamespace, std::string(of)};
  NamedSnapshot snapshot{.name = std::string(name),
                         .of = std::string(of),
                         .created = std::chrono::system_clock::now(),
                         .contents = {},
                         .is_saved = kept_.has_directory() && of == kMainName};
  if (!snapshot.is_saved) {
    snapshot.contents = snapshot_of(origin);
    memory_.check_snapshot(snapshot.contents);
    auto taken = std::make_shared<const NamedSnapshot>(std::move(snapshot));
    snapshots_.add(taken);
    return taken;
  }
  const auto saving = begin_saving();
  snapshots_.check_can_add(name);
  const NamespacePtr space = main();
  snapshot.contents = clock_of(*space);
  kept_.save(space->databases(), snapshot);
  auto taken = std::make_shared<const NamedSnapshot>(std::move(snapshot));
  try {
    snapshots_.add(taken);
  } catch (...) {
    kept_.remove(*taken);
    throw;
  }
  return taken;
}

void Namespaces::remove_snapshot(std::string_view name) {
  if (!snapshots_.get(name)->is_saved) {
    snapshots_.remove(name);
    return;
  }
  const auto saving = begin_saving();
  const NamedSnapshotPtr removed = snapshots_.get(name);
  if (removed->is_saved) kept_.remove(*removed);
  snapshots_.remove(name);
}

void Namespaces::set_removal_listener(RemovalListener listener) {
  const std::lock_guard lock(listener_mutex_);
  listener_ = std::move(listener);
}

void Namespaces::tell_of(const Namespace& removed) {
  const std::lock_guard lock(listener_mutex_);
  if (listener_) listener_(removed.about());
}

// A namespace that a request holds counts as used.
std::optional<RemovedNamespaces::TimePoint> Namespaces::remove_expired() {
  std::vector<NamespacePtr> expired;
  std::optional<MakingClock::time_point> next;
  const MakingClock::time_point now = MakingClock::now();
  {
    const std::unique_lock lock(mutex_);
    for (auto at = others_.begin(); at != others_.end();) {
      const auto here = at++;
      if (!here->second->about().expires_after) continue;
      if (here->second.use_count() > 1) here->second->record_use();
      const MakingClock::time_point expiry = *here->second->expiry();
      if (expiry <= now) {
        expired.push_back(std::move(here->second));
        others_.erase(here);
      } else if (!next || expiry < *next) {
        next = expiry;
      }
    }
    record_change();
  }
  for (const NamespacePtr& one : expired) tell_of(*one);
  if (next) next = std::max(*next, now + kShortestPause);
  return next;
}

}  // namespace magneto::api
