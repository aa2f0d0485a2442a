#include "storage/engine/postgres/postgres_front.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/store_format.h"
#include "storage/messages/postgres_messages.h"

namespace magneto::storage {

PostgresFront::PostgresFront(const StoreAddress& address, const SharedStatements& statements,
                             Settings settings, const std::stop_token& stop)
    : address_(address),
      statements_(statements),
      settings_(std::move(settings)),
      watch_(settings_.lease) {
  join(stop);
}

PostgresFront::~PostgresFront() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  versions_->close();
  if (is_lost()) return;
  try {
    PostgresConnection connection(address_);
    remove_front(connection, statements_, {.number = number_, .epoch = epoch_}, true);
  } catch (const EngineError&) {
    // Another server removes the front when its lease has ended.
  }
}

// ---- joining -------------------------------------------------------------------------------------

void PostgresFront::join(const std::stop_token& stop) {
  struct Seen {
    std::int64_t epoch;
    std::int64_t beat;
    Time since;
  };
  std::optional<Seen> seen;
  PostgresConnection connection(address_);
  check_clock(connection);
  for (;;) {
    if (try_to_join(connection)) return;
    const QueryResult lease = connection.run(statements_.read_lease(), {});
    const std::int64_t epoch = lease.number(0, 0);
    const std::int64_t beat = lease.number(0, 1);
    const Time time = PostgresLease::now();
    if (seen && seen->epoch == epoch && seen->beat != beat && beat != PostgresLease::kReleased) {
      throw EngineError(messages::store_in_use_by_one(lease.bytes(0, 2)));
    }
    if (!seen || seen->epoch != epoch) seen = Seen{epoch, beat, time};
    if (time - seen->since >= std::chrono::nanoseconds(settings_.lease).count()) {
      const QueryResult ended = connection.run(statements_.end_lease(), {epoch, beat});
      if (ended.rows() != 0) {
        connection.run(statements_.remove_other_fences(), {ended.number(0, 0)});
      }
    }
    pause_.rest(settings_.lease / 10, stop);
    if (stop.stop_requested()) throw EngineError(messages::kWaitForLeaseEnded);
  }
}

// A front has a row before it knows how far the versions of others have come, and begins above them.
bool PostgresFront::try_to_join(PostgresConnection& connection) {
  connection.execute(kEndIdleTransactions);
  connection.execute("BEGIN");
  connection.run(statements_.lock_store(), {});
  const QueryResult lease = connection.run(statements_.read_lease(), {});
  if (lease.rows() != 0 && lease.number(0, 1) != PostgresLease::kReleased) {
    connection.execute("ROLLBACK");
    return false;
  }
  epoch_ = connection.run(statements_.draw_epoch(), {}).number(0, 0);
  const std::int64_t number = choose_number(connection);
  number_ = static_cast<std::uint32_t>(number);
  Arguments row = {number, epoch_};
  row.add_bytes(settings_.address);
  connection.run(statements_.add_front(), row);
  connection.run(statements_.keep_server(), {number});
  connection.run(statements_.begin_group(), {});
  connection.run(statements_.raise_format(), {StoreFormat::kOfGroups});
  connection.execute("COMMIT");

  versions_.emplace(number_, settings_.now);
  const QueryResult start = connection.run(statements_.read_start(), {});
  versions_->advance(static_cast<Version>(start.number(0, 0)));
  first_version_ = static_cast<Version>(start.number(0, 1));
  for (const Front& front : read_fronts(connection, statements_)) {
    if (front.epoch == epoch_) newest_ = known_ = acked_ = front.acked;
  }
  beat(connection);
  if (is_lost()) throw StoreTaken(messages::kStoreTaken);
  return true;
}

// The number of a server that has ended a moment ago is the last one to be used again.
std::int64_t PostgresFront::choose_number(PostgresConnection& connection) const {
  std::array<bool, kMaxServers> is_used{};
  for (const Front& front : read_fronts(connection, statements_)) {
    is_used[static_cast<std::size_t>(front.number) % kMaxServers] = true;
  }
  const std::int64_t last = connection.run(statements_.read_server(), {}).number(0, 0);
  for (std::int64_t step = 1; step < static_cast<std::int64_t>(kMaxServers); ++step) {
    const auto number = static_cast<std::size_t>(last + step) % kMaxServers;
    if (!is_used[number]) return static_cast<std::int64_t>(number);
  }
  throw EngineError(messages::too_many_servers(kMaxServers - 1));
}

void PostgresFront::check_clock(PostgresConnection& connection) const {
  constexpr std::chrono::seconds kRefused(60);
  constexpr std::chrono::seconds kWarned(1);
  const Clock::TimePoint before = settings_.now();
  const Clock::TimePoint time{
      Clock::Duration(connection.run(statements_.read_time(), {}).number(0, 0))};
  const Clock::TimePoint after = settings_.now();
  const Clock::Duration difference =
      time < before ? before - time : std::max(time - after, Clock::Duration(0));
  const double seconds = std::chrono::duration<double>(difference).count();
  if (difference > kRefused) throw EngineError(messages::clock_refused(seconds, kRefused.count()));
  if (difference > kWarned && settings_.on_warning) {
    settings_.on_warning(messages::clock_differs(seconds));
  }
}

// ---- beats ---------------------------------------------------------------------------------------

void PostgresFront::start(std::function<void()> on_beat) {
  on_beat_ = std::move(on_beat);
  thread_ = std::jthread([this](const std::stop_token& end) { keep(end); });
}

void PostgresFront::ignore_beats() {
  const std::lock_guard calls(call_mutex_);
  on_beat_ = nullptr;
}

std::chrono::milliseconds PostgresFront::interval() const {
  return std::clamp(settings_.lease / 10, std::chrono::milliseconds(1),
                    std::chrono::milliseconds(50));
}

void PostgresFront::keep(const std::stop_token& stop) {
  std::unique_ptr<PostgresConnection> connection;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, interval(), [this] { return is_beat_wanted_; });
      is_beat_wanted_ = false;
    }
    if (stop.stop_requested() || is_lost()) return;
    try {
      if (connection == nullptr) connection = std::make_unique<PostgresConnection>(address_);
      beat(*connection);
    } catch (const EngineError&) {
      connection.reset();  // is_valid() becomes false soon, unless a later attempt succeeds
      pause_.rest(interval(), stop);
    }
    if (is_lost()) return;
    {
      const std::lock_guard calls(call_mutex_);
      if (on_beat_) on_beat_();
    }
    tell_of_changes();
  }
}

void PostgresFront::beat(PostgresConnection& connection) {
  const Time sent = PostgresLease::now();
  const Version low = versions_->low();
  std::int64_t acked = 0;
  Version high = 0;
  {
    const std::lock_guard lock(mutex_);
    high = high_ = next_high(low);
    acked = acked_;
  }
  const QueryResult fronts = connection.run(
      statements_.beat(),
      {number_, epoch_, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), acked});
  if (fronts.rows() == 0) return lose();
  look_at(fronts, high, sent);
  valid_until_.store(sent + PostgresLease::valid_time(settings_.lease), std::memory_order_relaxed);
}

Version PostgresFront::span(int tenths) const {
  const auto time = std::chrono::duration_cast<Clock::Duration>(settings_.lease) * tenths / 10;
  return static_cast<Version>(time.count()) << kServerBits;
}

// As long as the lease is valid there are versions to draw, by this server's clock. If its clock is
// behind those of others, or a server has joined above all of them, their versions lead.
Version PostgresFront::next_high(Version low) const {
  return std::max(
      {high_, version_at(settings_.now()) + span(8), std::max(low, greatest_) + span(2)});
}

void PostgresFront::look_at(const QueryResult& fronts, Version high, Time sent) {
  std::vector<Front> seen;
  Version lowest = 0;
  for (std::size_t row = 0; row < fronts.rows(); ++row) {
    seen.push_back({.number = fronts.number(row, 0),
                    .epoch = fronts.number(row, 1),
                    .beat = fronts.number(row, 2),
                    .low = fronts.number(row, 3),
                    .high = fronts.number(row, 4),
                    .acked = fronts.number(row, 5)});
    const auto low = static_cast<Version>(seen.back().low);
    lowest = row == 0 ? low : std::min(lowest, low);
  }
  const auto first = std::ranges::min(seen, {}, &Front::epoch).epoch;
  const auto greatest = static_cast<Version>(std::ranges::max(seen, {}, &Front::low).low);
  settled_ = std::max(settled_.load(), lowest);
  size_ = seen.size();
  is_first_ = first == epoch_;
  {
    const std::lock_guard lock(mutex_);
    ended_ = watch_.look(seen, sent);
    std::erase_if(ended_, [this](const Front& front) { return front.epoch == epoch_; });
    fronts_ = std::move(seen);
    greatest_ = std::max(greatest_, greatest);
    newest_ = std::max(newest_, fronts.number(0, 6));
    if (permissions_.empty() || permissions_.back().announcement != newest_) {
      permissions_.push_back({newest_, high});
    } else {
      permissions_.back().high = high;
    }
    raise_limit();
  }
  versions_->advance(greatest);
  changed_.notify_all();
}

void PostgresFront::raise_limit() {
  while (!permissions_.empty() && permissions_.front().announcement <= known_) {
    versions_->raise_limit(permissions_.front().high);
    permissions_.pop_front();
  }
}

void PostgresFront::lose() {
  is_lost_ = true;
  valid_until_ = 0;
  versions_->close();
  {
    const std::lock_guard lock(mutex_);  // nobody begins to wait now
  }
  changed_.notify_all();
  if (settings_.on_lost) settings_.on_lost();
}

void PostgresFront::tell_of_changes() {
  if (is_lost() || is_known_invalid_ != is_valid()) return;
  is_known_invalid_ = !is_known_invalid_;
  if (!settings_.on_warning) return;
  settings_.on_warning(is_known_invalid_ ? messages::kLeaseUnrenewed : messages::kLeaseRenewed);
}

std::chrono::nanoseconds PostgresFront::age() const {
  return std::chrono::nanoseconds(PostgresLease::now() +
                                  PostgresLease::valid_time(settings_.lease) -
                                  valid_until_.load(std::memory_order_relaxed));
}

bool PostgresFront::has_left(std::int64_t epoch) const {
  if (!is_valid()) return false;
  const std::lock_guard lock(mutex_);
  if (fronts_.empty() || epoch > std::ranges::max(fronts_, {}, &Front::epoch).epoch) return false;
  return std::ranges::find(fronts_, epoch, &Front::epoch) == fronts_.end();
}

std::vector<Front> PostgresFront::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::int64_t PostgresFront::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

std::int64_t PostgresFront::acked() const {
  const std::lock_guard lock(mutex_);
  return acked_;
}

// ---- announcements -------------------------------------------------------------------------------

void PostgresFront::set_known(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  known_ = std::max(known_, number);
  raise_limit();
}

void PostgresFront::set_acked(std::int64_t number) {
  {
    const std::lock_guard lock(mutex_);
    acked_ = std::max(acked_, number);
  }
  beat_soon();
}

void PostgresFront::beat_soon() {
  {
    const std::lock_guard lock(mutex_);
    is_beat_wanted_ = true;
  }
  changed_.notify_all();
}

// A beat that shows the announcement shows all fronts that joined before it. A front that joined
// later has read what was announced.
void PostgresFront::wait_for_acks(std::int64_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    const auto has_acked = [&](const Front& front) {
      return (front.epoch == epoch_ ? acked_ : front.acked) >= number;
    };
    return is_lost() || (newest_ >= number && std::ranges::all_of(fronts_, has_acked));
  });
  if (is_lost()) throw StoreTaken(messages::kStoreTaken);
}

}  // namespace magneto::storage
