#include "storage/engine/postgres/postgres_group.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "storage/model/effort.h"

namespace magneto::storage {

PostgresGroup::PostgresGroup(const StoreAddress& address, const SharedStatements& statements,
                             PostgresFront& front, ConnectionPool& connections,
                             ScopeCommit& commits, PostgresCounters& counters, Settings settings)
    : address_(address),
      statements_(statements),
      front_(front),
      connections_(connections),
      commits_(commits),
      counters_(counters),
      settings_(std::move(settings)),
      known_(front.acked()),
      acked_(known_) {
  taking_over_ = std::jthread([this](const std::stop_token& stop) { take_over(stop); });
  acknowledging_ = std::jthread([this](const std::stop_token& stop) { acknowledge(stop); });
  tidying_ = std::jthread([this](const std::stop_token& stop) { keep_tidy(stop); });
}

PostgresGroup::~PostgresGroup() = default;

void PostgresGroup::look() {
  {
    const std::lock_guard lock(mutex_);  // nobody begins to wait now
  }
  changed_.notify_all();
}

Version PostgresGroup::beyond() {
  Effort::before_waiting();
  const QueryResult high = connections_.read(
      [&](PostgresConnection& connection) { return connection.run(statements_.read_high(), {}); });
  return static_cast<Version>(high.number(0, 0));
}

// ---- announcements -------------------------------------------------------------------------------

void PostgresGroup::announce(std::vector<std::string> keys) {
  Effort::before_waiting();
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  Arguments arguments = {front_.epoch()};
  arguments.add_array(views);
  const QueryResult added = connections_.read([&](PostgresConnection& connection) {
    return connection.run(statements_.add_news(), arguments);
  });
  front_.beat_soon();
  front_.wait_for_acks(added.number(0, 0));
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
  counters_.barriers.fetch_add(1, std::memory_order_relaxed);
  counters_.barrier_nanoseconds.fetch_add(static_cast<std::uint64_t>(time.count()),
                                          std::memory_order_relaxed);
}

void PostgresGroup::on_announced(TakeOver take_over) {
  {
    const std::lock_guard calls(call_mutex_);
    take_over_ = std::move(take_over);
    const std::lock_guard lock(mutex_);
    is_anything_due_ = std::exchange(has_missed_, false);
  }
  changed_.notify_all();
}

void PostgresGroup::ignore_announcements() {
  const std::lock_guard calls(call_mutex_);
  take_over_ = nullptr;
}

void PostgresGroup::on_leading(std::function<void()> call) {
  {
    const std::lock_guard calls(call_mutex_);
    on_leading_ = std::move(call);
    const std::lock_guard lock(mutex_);
    is_leading_due_ = on_leading_ != nullptr;
  }
  changed_.notify_all();
}

void PostgresGroup::take_over(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPause(50);
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] {
        return is_anything_due_ || known_ < front_.newest() ||
               (is_leading_due_ && front_.is_first());
      });
    }
    if (stop.stop_requested()) return;
    try {
      take_over_news();
      tell_of_leading();
    } catch (const std::exception&) {
      pause_.rest(kPause, stop);
    }
  }
}

void PostgresGroup::take_over_news() {
  std::int64_t last = 0;
  bool is_anything = false;
  {
    const std::lock_guard lock(mutex_);
    last = known_;
    is_anything = is_anything_due_;
  }
  const QueryResult news = connections_.read([&](PostgresConnection& connection) {
    return connection.run(statements_.read_news(), {last});
  });
  std::vector<std::string> keys;
  for (std::size_t row = 0; row < news.rows(); ++row) {
    last = news.number(row, 0);
    if (news.number(row, 1) == front_.epoch()) continue;
    if (news.is_null(row, 2)) {
      is_anything = true;
      continue;
    }
    for (const std::string_view key : news.byte_arrays(row, 2)) keys.emplace_back(key);
  }
  if (is_anything) keys.clear();
  if (is_anything || !keys.empty()) {
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const std::lock_guard calls(call_mutex_);
    if (take_over_ == nullptr) {
      has_missed_ = true;
    } else {
      take_over_(keys);
      const std::lock_guard lock(mutex_);
      if (is_anything) is_anything_due_ = false;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    known_ = std::max(known_, last);
  }
  front_.set_known(last);
  changed_.notify_all();
}

void PostgresGroup::tell_of_leading() {
  const std::lock_guard calls(call_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (!is_leading_due_ || !front_.is_first()) return;
  }
  on_leading_();
  const std::lock_guard lock(mutex_);
  is_leading_due_ = false;
}

// Scopes wait for versions, and these for take-overs. So a thread of its own waits for the scopes.
void PostgresGroup::acknowledge(const std::stop_token& stop) {
  for (;;) {
    std::int64_t number = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return acked_ < known_; });
      if (stop.stop_requested()) return;
      number = acked_ = known_;
    }
    settings_.wait_for_scopes();
    front_.set_acked(number);
  }
}

// ---- what is left behind -------------------------------------------------------------------------

void PostgresGroup::keep_tidy(const std::stop_token& stop) {
  const auto interval = std::max(settings_.lease / 10, std::chrono::milliseconds(1));
  const auto long_interval =
      std::min<std::chrono::nanoseconds>(settings_.remembered / 10, std::chrono::seconds(5));
  auto last = std::chrono::steady_clock::now();
  for (;;) {
    tidy_pause_.rest(interval, stop);
    if (stop.stop_requested() || front_.is_lost()) return;
    try {
      remove_ended();
      const auto now = std::chrono::steady_clock::now();
      if (!is_leader() || now - last < long_interval) continue;
      last = now;
      commits_.run(statements_.forget_news(), {});
      bury();
    } catch (const std::exception&) {
      // It is tried again.
    }
  }
}

void PostgresGroup::remove_ended() {
  std::unique_ptr<PostgresConnection> connection;
  for (const Front& front : front_.ended()) {
    if (!front_.is_valid()) return;
    if (connection == nullptr) connection = std::make_unique<PostgresConnection>(address_);
    remove_front(*connection, statements_, front, false);
  }
}

// A key that was removed a while before `settled()` can be treated as one that never was: a commit
// in progress has a greater version, and versions in streams stay in order.
void PostgresGroup::bury() {
  constexpr std::int64_t kRowsAtOnce = 1'000;
  const auto age = static_cast<Version>(Clock::Duration(settings_.remembered).count())
                   << kServerBits;
  if (settled() <= age) return;
  const auto limit = static_cast<std::int64_t>(settled() - age);
  for (;;) {
    const QueryResult gone = connections_.read([&](PostgresConnection& connection) {
      return connection.run(statements_.read_gone(), {limit, kRowsAtOnce});
    });
    if (gone.rows() == 0) return;
    const bool is_last = gone.rows() < static_cast<std::size_t>(kRowsAtOnce);
    // The keys of one version may go on behind the last row.
    const std::int64_t end = gone.number(gone.rows() - 1, 0);
    for (const ColumnFamily family : SharedStatements::kGuarded) {
      std::vector<std::string_view> keys;
      for (std::size_t row = 0; row < gone.rows(); ++row) {
        if (gone.number(row, 1) == static_cast<std::int64_t>(family)) {
          keys.push_back(gone.bytes(row, 2));
        }
      }
      if (keys.empty()) continue;
      Arguments arguments;
      arguments.add_array(keys);
      arguments.add_number(limit);
      commits_.run(statements_.bury(family), arguments);
    }
    commits_.run(statements_.forget_gone(), {is_last || end == gone.number(0, 0) ? end : end - 1});
    if (is_last) return;
  }
}

}  // namespace magneto::storage
