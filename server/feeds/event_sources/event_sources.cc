#include "server/feeds/event_sources/event_sources.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/feeds/event_sources/mapping_file.h"
#include "server/feeds/event_sources/messages.h"

namespace magneto::server::feeds {
namespace {

// How soon the thread notices records, a retry that is due, and a change of the main namespace.
constexpr std::chrono::milliseconds kLookTime{100};
// How soon the thread notices new streams and shards. If looking for them takes long, it takes at
// most a twentieth of the time.
constexpr std::chrono::milliseconds kWalkTime{500};
constexpr int kWalkPart = 20;
// For one mapping; further closed streams wait until these have ended.
constexpr std::ptrdiff_t kMostClosedStreams = 100;

std::vector<EventSourceMapping> read_enabled(const std::string& file) {
  if (file.empty()) return {};
  std::vector<EventSourceMapping> mappings = read_mapping_file(file);
  std::erase_if(mappings, [](const EventSourceMapping& mapping) { return !mapping.is_enabled; });
  return mappings;
}

}  // namespace

EventSources::EventSources(EventSourcesOptions options)
    : options_(std::move(options)), call_memory_(options_.call_memory), queue_(0) {
  const auto is_over = [this] { return is_over_.load(std::memory_order_relaxed); };
  for (EventSourceMapping& mapping : read_enabled(options_.file)) {
    auto work = std::make_unique<MappingWork>(
        std::move(mapping), MappingWork::Shared{connections_, call_memory_}, is_over,
        MappingWork::Log{options_.warn, options_.warn_left_out});
    if (const auto why = work->failures.try_file()) {
      throw std::runtime_error(messages::kUnwritableFailures(work->failures.name(), *why));
    }
    mappings_.push_back({.work = std::move(work), .followers = {}, .done = {}, .past = {}});
  }
  queue_ = StepQueue(mappings_.size());
}

EventSources::~EventSources() { stop(); }

void EventSources::start(api::Namespaces& namespaces) {
  positions_.emplace(namespaces.main()->databases().notes(), "event-sources", options_.warn);
  if (mappings_.empty()) return;
  namespaces_ = &namespaces;
  try {
    storage::Databases& databases = namespaces.main()->databases();
    if (databases.main().is_shared()) {  // this server may lead much later
      latest_ = api::SourceStream::position_of_now(databases);
      is_first_walk_ = false;
    }
    follow_namespace();
  } catch (const std::exception& error) {  // run() tries again, as its first walk
    options_.warn(messages::kWalkFailed(error.what()));
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
  positions_.reset();
  main_.reset();
}

void EventSources::run() {
  while (true) {
    try {
      follow_namespace();
      offer();
    } catch (const std::exception& error) {
      options_.warn(messages::kWalkFailed(error.what()));
    }
    connections_.drop_old();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kLookTime, [this] { return stopping_; });
    if (stopping_) return;
  }
}

void EventSources::follow_namespace() {
  const Look now = look();
  std::shared_ptr<api::Namespace> main = namespaces_->main();
  if (!main->databases().leads()) return step_down();
  if (main != main_) {
    change_main(std::move(main));
  } else {
    last_look_ = now;
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

EventSources::Look EventSources::look() const {
  const auto time = Clock::now();
  return {main_ ? api::SourceStream::position_of_now(main_->databases()) : 0, time};
}

// Records that are in the streams when main changes are older than it, for LATEST. The time of the
// change is known only roughly, and the clock may have been set in between. So the earlier time of
// both clocks counts.
void EventSources::change_main(std::shared_ptr<api::Namespace> main) {
  drain();
  const Look last = std::exchange(last_look_, {});
  const bool is_other = main_ != nullptr;
  for (Mapping& mapping : mappings_) {
    for (const auto& follower : mapping.followers) mapping.past[follower->id()] = follower->keys();
    mapping.past.merge(std::exchange(mapping.done, {}));
    mapping.followers.clear();
  }
  main_ = std::move(main);
  next_walk_ = {};
  last_look_ = look();
  if (!is_other) return;
  const auto passed = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(last_look_.time - last.time).count());
  latest_ = std::min(last.position, last_look_.position - std::min(last_look_.position, passed));
}

// Another server leads, and continues at the stored positions.
void EventSources::step_down() {
  const bool is_idle = std::ranges::all_of(mappings_, [](const Mapping& mapping) {
    return mapping.followers.empty() && mapping.done.empty();
  });
  if (is_idle) return;
  drain();
  for (Mapping& mapping : mappings_) {
    mapping.followers.clear();
    mapping.done.clear();
    mapping.work->counts.age_seconds = 0;
  }
  next_walk_ = {};
}

// No step is running when it returns.
void EventSources::drain() {
  std::unique_lock lock(mutex_);
  is_over_ = true;
  for (LaneSlot* const slot : queue_.clear()) slot->is_busy = false;
  drained_.wait(lock, [this] { return queue_.running() == 0; });
  is_over_ = stopping_;
}

void EventSources::walk() {
  std::set<std::string> tables;
  for (const Mapping& mapping : mappings_) {
    const std::string& table = mapping.work->mapping.table_name;
    if (!table.empty()) tables.insert(table);
  }
  const auto of_tables = api::SourceStream::of_tables(main_->databases(), tables);
  for (Mapping& mapping : mappings_) {
    if (is_over_) return;
    const EventSourceMapping& about = mapping.work->mapping;
    if (about.table_name.empty()) {
      walk(mapping, api::SourceStream::of_arn(main_->databases(), about.stream_arn));
    } else {
      const auto found = of_tables.find(about.table_name);
      walk(mapping,
           found == of_tables.end() ? std::vector<api::SourceStream::Ptr>() : found->second);
    }
  }
  is_first_walk_ = false;
}

void EventSources::walk(Mapping& mapping, const std::vector<api::SourceStream::Ptr>& found) {
  const EventSourceMapping& about = mapping.work->mapping;
  follow_new(mapping, found);
  double age = 0;
  for (const auto& follower : mapping.followers) {
    follower->follow_shards();
    age = std::max(age, follower->age());
  }
  mapping.work->counts.age_seconds = age;
  std::set<std::string> ids;
  for (const api::SourceStream::Ptr& stream : found) ids.insert(stream->id());
  leave_ended(mapping, ids);
  forget_gone(mapping.done, ids);
  forget_gone(mapping.past, ids);
  mapping.past.clear();
  if (mapping.followers.empty() && !std::exchange(mapping.has_told, true)) {
    options_.warn(messages::kNoSource(about.function_name, about.source()));
  }
}

void EventSources::follow_new(Mapping& mapping, const std::vector<api::SourceStream::Ptr>& found) {
  std::set<std::string> followed;
  for (const auto& follower : mapping.followers) followed.insert(follower->id());
  std::ptrdiff_t closed = std::ranges::count_if(
      mapping.followers, [](const auto& follower) { return follower->is_closed(); });
  for (const api::SourceStream::Ptr& stream : found) {
    if (followed.contains(stream->id()) || mapping.done.contains(stream->id())) continue;
    auto follower = std::make_unique<StreamFollower>(*mapping.work, *positions_, stream,
                                                     is_first_walk_ ? stream->end() : latest_);
    if (!stream->is_closed()) {
      mapping.followers.push_back(std::move(follower));
    } else if (follower->begins_at_end()) {
      follower->keep_done();
      mapping.done[stream->id()] = follower->keys();
    } else if (closed < kMostClosedStreams) {
      ++closed;
      mapping.followers.push_back(std::move(follower));
    }
  }
}

void EventSources::leave_ended(Mapping& mapping, const std::set<std::string>& found) {
  std::erase_if(mapping.followers, [&](const auto& follower) {
    if (!found.contains(follower->id())) {
      if (!follower->has_ended()) return false;
      for (const std::string& key : follower->keys()) positions_->forget(key);
      return true;
    }
    if (!follower->is_done()) return false;
    follower->keep_done();
    mapping.done[follower->id()] = {follower->keys().front()};
    return true;
  });
}

void EventSources::forget_gone(StreamKeys& streams, const std::set<std::string>& found) {
  std::erase_if(streams, [&](const auto& stream) {
    if (found.contains(stream.first)) return false;
    for (const std::string& key : stream.second) positions_->forget(key);
    return true;
  });
}

void EventSources::offer() {
  bool is_any = false;
  std::vector<LaneSlot*> due;
  const auto now = Clock::now();
  for (std::size_t i = 0; i < mappings_.size(); ++i) {
    due.clear();
    for (const auto& follower : mappings_[i].followers) follower->take_due(now, due);
    if (due.empty()) continue;
    is_any = true;
    const std::lock_guard lock(mutex_);
    for (LaneSlot* const slot : due) queue_.add(i, slot);
  }
  if (!is_any) return;
  {
    const std::lock_guard lock(mutex_);
    add_workers(queue_.size());
  }
  offered_.notify_all();
}

// Requires mutex_.
void EventSources::add_workers(std::size_t wanted) {
  while (!stopping_ && workers_.size() < StepQueue::kMost && idle_workers_ < wanted) {
    try {
      workers_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      if (workers_.empty()) options_.warn(messages::kWalkFailed(error.what()));
      return;
    }
    --wanted;
  }
}

void EventSources::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_workers_;
    offered_.wait(lock, [this] { return stopping_ || queue_.has_next(); });
    --idle_workers_;
    const auto [mapping, slot] = queue_.take();
    if (slot == nullptr) return;
    lock.unlock();
    const Clock::time_point due = is_over_ ? Clock::time_point() : slot->lane.step();
    const bool is_due = due <= Clock::now();
    lock.lock();
    queue_.note_end(mapping);
    // otherwise drain() has emptied the queue
    if (is_due && !is_over_ && !slot->lane.has_ended()) {
      queue_.add(mapping, slot);
    } else {
      has_ended_lane_ = has_ended_lane_ || slot->lane.has_ended();
      slot->due = due;
      slot->is_busy.store(false, std::memory_order_release);
    }
    if (queue_.running() == 0) drained_.notify_all();
    if (idle_workers_ > 0 && queue_.has_next()) offered_.notify_one();
  }
}

void EventSources::limit_memory(std::uint64_t left) {
  call_memory_.set_limit(
      static_cast<std::size_t>(std::min<std::uint64_t>(options_.call_memory, left)));
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

}  // namespace magneto::server::feeds
