#include "api/journal/journal.h"

#include <algorithm>
#include <utility>

#include "api/control_error.h"
#include "api/messages/control_messages.h"
#include "api/side_memory.h"

namespace magneto::api {
namespace {

std::size_t bytes_of(const std::string& text) {
  return text.capacity() > sizeof(std::string) ? text.capacity() : 0;
}

}  // namespace

std::size_t JournalRecord::bytes() const {
  std::size_t sum = sizeof(JournalRecord) + 2 * sizeof(void*) + bytes_of(index) +
                    bytes_of(access_key) + bytes_of(region) + bytes_of(address) +
                    bytes_of(request_id) + bytes_of(request) + bytes_of(response);
  for (const std::string& table : tables) sum += sizeof(std::string) + bytes_of(table);
  for (const Key& key : keys) sum += sizeof(key) + bytes_of(key.table) + bytes_of(key.key);
  for (const Access& access : accesses) {
    sum += sizeof(access) + bytes_of(access.index) + bytes_of(access.form);
  }
  sum += uses.capacity() * sizeof(Use);
  for (const access::Decision& decision : decisions) {
    sum += sizeof(decision) + bytes_of(decision.principal) + bytes_of(decision.resource) +
           bytes_of(decision.policy) + bytes_of(decision.statement);
  }
  for (const std::string& fault : faults) sum += sizeof(std::string) + bytes_of(fault);
  return sum;
}

bool JournalFilter::matches(const JournalRecord& record) const {
  if (!operation.empty() && operation != record.operation) return false;
  if (!error.empty() && error != record.error) return false;
  if (!table.empty() && std::ranges::find(record.tables, table) == record.tables.end()) {
    return false;
  }
  if (!status) return true;
  return *status < 10 ? record.status / 100 == *status : record.status == *status;
}

Journal::Journal(std::string name_space, Settings settings) : name_space_(std::move(name_space)) {
  change(settings);
}

Journal::~Journal() { SideMemory::of_process().give_back(bytes_); }

Journal& Journal::none() {
  static Journal journal{std::string()};
  return journal;
}

Journal::Settings Journal::settings() const {
  const std::lock_guard lock(mutex_);
  return {is_on(), keeps_bodies(), limit_};
}

void Journal::change(const Settings& settings) {
  const std::lock_guard lock(mutex_);
  limit_ = std::clamp(settings.bytes, kLeastBytes, kMostBytes);
  bodies_.store(settings.bodies, std::memory_order_relaxed);
  on_.store(settings.on, std::memory_order_relaxed);
  while (is_over()) drop_oldest();
}

bool Journal::is_over() const {
  return bytes_ > limit_ || (bytes_ > kKeptBytes && SideMemory::of_process().is_over());
}

void Journal::clear() {
  std::deque<Record> cleared;
  const std::lock_guard lock(mutex_);
  first_ += ring_.size();
  cleared_ = first_ - 1;
  SideMemory::of_process().give_back(std::exchange(bytes_, 0));
  ring_.swap(cleared);
}

void Journal::drop_oldest() {
  const std::size_t bytes = ring_.front()->bytes();
  bytes_ -= bytes;
  SideMemory::of_process().give_back(bytes);
  ring_.pop_front();
  ++first_;
}

void Journal::append(JournalRecord record) {
  std::map<std::uint64_t, std::function<void()>> woken;
  {
    auto made = std::make_shared<JournalRecord>(std::move(record));
    const std::lock_guard lock(mutex_);
    // A record that would fill the whole ring is stored without its large parts.
    if (made->bytes() > limit_) {
      made->request = std::string();
      made->response = std::string();
    }
    if (made->bytes() > limit_) {
      made->keys = {};
      made->accesses = {};
    }
    const std::size_t bytes = made->bytes();
    made->number = first_ + ring_.size();
    bytes_ += bytes;
    SideMemory::of_process().add(bytes);
    ring_.push_back(std::move(made));
    while (is_over()) drop_oldest();
    woken.swap(waiters_);
  }
  for (const auto& [ticket, wake] : woken) wake();
}

std::uint64_t Journal::last_number() const {
  const std::lock_guard lock(mutex_);
  return first_ + ring_.size() - 1;
}

Journal::Page Journal::read(const JournalFilter& filter, std::size_t limit) const {
  // Limits the time for which the lock is held, so that appending threads do not wait long.
  constexpr std::size_t kAtOnce = 1'024;
  Page page;
  page.next = filter.after;
  std::vector<Record> taken;
  while (page.records.size() < limit) {
    taken.clear();
    {
      const std::lock_guard lock(mutex_);
      const std::uint64_t known = std::max(page.next, cleared_);
      if (first_ > known + 1) {
        page.dropped += first_ - 1 - known;
        page.next = first_ - 1;
      } else {
        page.next = known;
      }
      const std::uint64_t end = first_ + ring_.size();
      for (std::uint64_t at = page.next + 1; at < end && taken.size() < kAtOnce; ++at) {
        taken.push_back(ring_[at - first_]);
      }
    }
    if (taken.empty()) break;
    for (Record& record : taken) {
      if (page.records.size() == limit) break;
      page.next = record->number;
      if (filter.matches(*record)) page.records.push_back(std::move(record));
    }
  }
  return page;
}

std::uint64_t Journal::wait(std::uint64_t after, std::function<void()> wake) {
  {
    const std::lock_guard lock(mutex_);
    if (first_ + ring_.size() <= after + 1) {
      if (waiters_.size() >= kMaxWaiters) {
        throw ControlError(messages::too_many_waiters(kMaxWaiters), 429);
      }
      waiters_.emplace(++last_ticket_, std::move(wake));
      return last_ticket_;
    }
  }
  wake();
  return 0;
}

void Journal::stop_waiting(std::uint64_t ticket) {
  const std::lock_guard lock(mutex_);
  waiters_.erase(ticket);
}

}  // namespace magneto::api
