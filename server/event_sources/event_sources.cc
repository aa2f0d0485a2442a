#include "server/event_sources/event_sources.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/event_sources/mapping_file.h"
#include "server/event_sources/messages.h"

namespace magneto::server {
namespace {

// How soon records are seen, that a call may be tried again, and that the namespace is another one.
constexpr std::chrono::milliseconds kLookTime{100};
// How soon streams and shards are seen, unless looking for them takes long: then it is done for a
// twentieth of the time.
constexpr std::chrono::milliseconds kWalkTime{500};
constexpr int kWalkPart = 20;

}  // namespace

EventSources::EventSources(EventSourcesOptions options)
    : options_(std::move(options)),
      positions_(options_.data_directory.empty() ? "" : options_.data_directory + "/event-sources",
                 options_.warn) {
  if (options_.file.empty()) return;
  const auto is_over = [this] { return is_over_.load(std::memory_order_relaxed); };
  for (EventSourceMapping& mapping : read_mapping_file(options_.file)) {
    if (!mapping.is_enabled) continue;
    auto work = std::make_unique<MappingWork>(std::move(mapping), is_over, options_.warn);
    if (const auto why = work->failures.try_file()) {
      throw std::runtime_error(messages::unwritable_failures(work->failures.name(), *why));
    }
    mappings_.push_back({std::move(work), {}, false});
  }
}

EventSources::~EventSources() { stop(); }

void EventSources::start(api::Namespaces& namespaces) {
  if (mappings_.empty()) return;
  namespaces_ = &namespaces;
  try {
    follow_namespace();
  } catch (const std::exception& error) {  // it goes on as the first walk
    options_.warn(messages::walk_failed(error.what()));
  }
  thread_ = std::thread([this] { run(); });
}

void EventSources::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    is_over_ = true;
  }
  wake_.notify_all();
  offered_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  for (Mapping& mapping : mappings_) mapping.followers.clear();
  main_.reset();
}

void EventSources::run() {
  while (true) {
    try {
      follow_namespace();
      offer();
    } catch (const std::exception& error) {
      options_.warn(messages::walk_failed(error.what()));
    }
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kLookTime, [this] { return stopping_; });
    if (stopping_) return;
  }
}

void EventSources::follow_namespace() {
  std::shared_ptr<api::Namespace> main = namespaces_->main();
  if (main != main_) {
    drain();
    for (Mapping& mapping : mappings_) mapping.followers.clear();
    main_ = std::move(main);
    is_first_walk_ = true;
    next_walk_ = {};
  }
  const auto begin = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_ended_lane_, false)) next_walk_ = std::min(next_walk_, begin + kLookTime);
  }
  if (begin < next_walk_) return;
  walk();
  const auto end = Clock::now();
  next_walk_ = end + std::max<Clock::duration>(kWalkTime, kWalkPart * (end - begin));
}

// No step is under way when it returns.
void EventSources::drain() {
  std::unique_lock lock(mutex_);
  is_over_ = true;
  for (LaneSlot* const slot : std::exchange(queue_, {})) slot->is_busy = false;
  drained_.wait(lock, [this] { return running_ == 0; });
  is_over_ = stopping_;
}

void EventSources::walk() {
  for (Mapping& mapping : mappings_) {
    if (is_over_) return;
    walk(mapping);
  }
  is_first_walk_ = false;
}

void EventSources::walk(Mapping& mapping) {
  const EventSourceMapping& about = mapping.work->mapping;
  const auto found = about.table_name.empty()
                         ? api::SourceStream::of_arn(main_->databases(), about.stream_arn)
                         : api::SourceStream::of_tables(main_->databases(), about.table_name);
  const auto is_of = [](const std::string& id) {
    return [&id](const auto& other) { return other->id() == id; };
  };
  auto& followers = mapping.followers;
  for (const api::SourceStream::Ptr& stream : found) {
    if (std::ranges::any_of(followers, is_of(stream->id()))) continue;
    followers.push_back(
        std::make_unique<StreamFollower>(*mapping.work, positions_, stream, is_first_walk_));
  }
  double age = 0;
  for (const auto& follower : followers) {
    follower->follow_shards();
    age = std::max(age, follower->age());
  }
  mapping.work->counts.age_seconds = age;
  std::erase_if(followers, [&](const auto& follower) {
    const bool is_gone = std::ranges::none_of(found, is_of(follower->id()));
    if (!is_gone || !follower->has_ended()) return false;
    follower->forget();
    return true;
  });
  if (followers.empty() && !std::exchange(mapping.has_told, true)) {
    options_.warn(messages::no_source(about.function_name, about.source()));
  }
}

void EventSources::offer() {
  std::vector<LaneSlot*> due;
  const auto now = Clock::now();
  for (const Mapping& mapping : mappings_) {
    for (const auto& follower : mapping.followers) follower->take_due(now, due);
  }
  if (due.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    queue_.insert(queue_.end(), due.begin(), due.end());
    add_workers(queue_.size());
  }
  offered_.notify_all();
}

// Requires mutex_.
void EventSources::add_workers(std::size_t wanted) {
  while (!stopping_ && workers_.size() < kMostCalls && idle_workers_ < wanted) {
    try {
      workers_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      if (workers_.empty()) options_.warn(messages::walk_failed(error.what()));
      return;
    }
    --wanted;
  }
}

void EventSources::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_workers_;
    offered_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    --idle_workers_;
    if (queue_.empty()) return;
    LaneSlot* const slot = queue_.front();
    queue_.pop_front();
    ++running_;
    lock.unlock();
    const Clock::time_point due = is_over_ ? Clock::time_point() : slot->lane.step();
    const bool goes_on = !is_over_ && due <= Clock::now();
    lock.lock();
    --running_;
    if (goes_on && !slot->lane.has_ended()) {
      queue_.push_back(slot);
    } else {
      has_ended_lane_ = has_ended_lane_ || slot->lane.has_ended();
      slot->due = due;
      slot->is_busy.store(false, std::memory_order_release);
    }
    if (running_ == 0) drained_.notify_all();
  }
}

std::vector<EventSourceStatistics> EventSources::statistics() const {
  std::vector<EventSourceStatistics> all;
  for (const Mapping& mapping : mappings_) {
    const MappingCounts& counts = mapping.work->counts;
    all.push_back({.function = mapping.work->mapping.function_name,
                   .source = mapping.work->mapping.source(),
                   .invocations = counts.invocations,
                   .failures = counts.failures,
                   .delivered = counts.delivered,
                   .filtered = counts.filtered,
                   .dropped = counts.dropped,
                   .age_seconds = counts.age_seconds});
  }
  return all;
}

}  // namespace magneto::server
