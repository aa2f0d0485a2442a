#include "server/tools/copy/stream_follower.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "server/tools/copy/change_writer.h"
#include "server/tools/copy/messages.h"
#include "server/tools/copy/stream_source.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using Position = ShardState::Position;

constexpr std::chrono::milliseconds kMeanwhile{200};
// The pause after a read of a shard without records: all readers together may make five reads a
// second.
constexpr std::chrono::milliseconds kIdleTime{250};
constexpr std::chrono::seconds kListingPeriod{30};
// An answer without records does not mean that none follow.
constexpr int kEnoughEmptyPages = 5;
constexpr int kMaxRecords = 1000;  // of GetRecords
// After a page with fewer records, wait for more before the next read: all readers of a shard share
// a limit of reads.
constexpr std::size_t kManyRecords = 100;

// Compares decimal sequence numbers of any length.
bool is_before(std::string_view one, std::string_view other) {
  const auto digits = [](std::string_view text) {
    return text.substr(std::min(text.find_first_not_of('0'), text.size()));
  };
  one = digits(one);
  other = digits(other);
  return one.size() != other.size() ? one.size() < other.size() : one < other;
}

}  // namespace

// The objects of one thread.
class CopyFollower::Worker {
 public:
  explicit Worker(CopyFollower& all)
      : all_(all),
        source_endpoint_(all.context_.source.another()),
        source_(*source_endpoint_),
        target_(all.context_.target.another()) {
    source_endpoint_->stop_when([stop = all.context_.stop] { return stop.is_set(); });
  }

  // Reads a page of the shard and applies it.
  void advance(Shard& shard) {
    const FollowedTable& table = *shard.table;
    if (all_.is_catching_up_ && !shard.goal_iterator) take_goal(shard);
    if (shard.iterator.empty()) {
      const ShardState place = all_.context_.states.table(table.name).shards.at(shard.id);
      if (place.position == Position::kStart && seconds_now() - place.safe_at > kSafeSeconds) {
        throw std::runtime_error(messages::kChangesLost(table.name));
      }
      shard.iterator =
          get_iterator(source_, table.name, iterator_request(table.stream_arn, shard.id, place),
                       all_.context_.stop);
    }
    if (!get_records(source_, table.name, shard.iterator, kMaxRecords, all_.context_.stop)) {
      shard.iterator.clear();
      return;
    }
    const Value answer = source_.answer();
    const Value next = answer.object().find("NextShardIterator");
    const api::json::Array records = answer.object().find("Records").array();
    RequestBatch batch(*target_, table.name, all_.context_.write_limit, all_.context_.stop);
    const std::string sequence = write_changes(records, table.name, table.keys, batch);
    const bool is_ended = !next.is_string();
    note(shard, sequence, is_ended);
    all_.changes_.fetch_add(records.size(), std::memory_order_relaxed);
    shard.iterator = next.string();
    shard.is_ended = is_ended;
    shard.empty_pages = sequence.empty() ? shard.empty_pages + 1 : 0;
    shard.due = Clock::now();
    if (records.size() < kManyRecords) shard.due += kIdleTime;
    if (!sequence.empty()) shard.applied = sequence;
    look_for_goal(shard);
  }

 private:
  void take_goal(Shard& shard) {
    shard.goal_iterator = get_iterator(source_, shard.table->name,
                                       latest_iterator_request(shard.table->stream_arn, shard.id),
                                       all_.context_.stop);
  }

  void look_for_goal(Shard& shard) {
    if (!all_.is_catching_up_ || shard.has_caught_up) return;
    // five reads a second are allowed for all readers
    const bool is_second_page = (shard.pages++ & 1) != 0;
    if (is_second_page && shard.goal.empty() && !shard.goal_iterator->empty()) read_goal(shard);
    if (shard.goal.empty()) {
      shard.has_caught_up = shard.empty_pages >= kEnoughEmptyPages;
    } else {
      shard.has_caught_up = !shard.applied.empty() && !is_before(shard.applied, shard.goal);
    }
  }

  void read_goal(Shard& shard) {
    if (!get_records(source_, shard.table->name, *shard.goal_iterator, 1, all_.context_.stop)) {
      return take_goal(shard);
    }
    const api::json::Object answer = source_.answer().object();
    for (const Value record : answer.find("Records").array()) {
      shard.goal = record.object().find("dynamodb").object().find("SequenceNumber").string();
    }
    shard.goal_iterator = answer.find("NextShardIterator").string();
  }

  void note(const Shard& shard, const std::string& sequence, bool is_ended) const {
    all_.context_.states.change_table(shard.table->name, [&](TableState& state) {
      ShardState& place = state.shards.at(shard.id);
      if (is_ended) {
        place = {.position = Position::kEnded, .sequence{}};
      } else if (!sequence.empty()) {
        place = {.position = Position::kAfter, .sequence = sequence};
      } else if (place.position == Position::kStart) {
        place.safe_at = seconds_now();
      }
    });
  }

  CopyFollower& all_;
  const std::unique_ptr<client::Endpoint> source_endpoint_;
  client::EndpointCalls source_;
  const std::unique_ptr<client::Endpoint> target_;
};

void CopyFollower::run(bool until_caught_up, const std::function<void()>& meanwhile) {
  is_over_ = false;
  is_listing_due_ = true;
  is_catching_up_ = until_caught_up;
  thrown_ = nullptr;
  std::vector<std::thread> threads;
  auto listed = Clock::now();
  try {
    list_shards();
    for (std::size_t i = 0; i < context_.options.segments; ++i) {
      threads.emplace_back([this] { work(); });
    }
    while (!until_caught_up || !is_caught_up()) {
      context_.stop.check();
      std::unique_lock lock(mutex_);
      if (thrown_) break;
      changed_.wait_for(lock, kMeanwhile, [&] { return thrown_ || is_listing_due_; });
      const bool is_due = is_listing_due_ || Clock::now() - listed > kListingPeriod;
      lock.unlock();
      if (is_due) {
        list_shards();
        listed = Clock::now();
      }
      meanwhile();
    }
  } catch (...) {
    fail();
  }
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
  if (thrown_) std::rethrow_exception(thrown_);
}

void CopyFollower::fail() {
  const std::lock_guard lock(mutex_);
  if (!thrown_) thrown_ = std::current_exception();
  is_over_ = true;
  changed_.notify_all();
}

void CopyFollower::work() {
  try {
    Worker worker(*this);
    std::unique_lock lock(mutex_);
    while (!is_over_) {
      Shard* const shard = next_shard();
      if (shard == nullptr) {
        changed_.wait_for(lock, kIdleTime / 5);
        continue;
      }
      shard->is_busy = true;
      Shard moved = *shard;
      lock.unlock();
      worker.advance(moved);
      lock.lock();
      moved.is_busy = false;
      *shard = std::move(moved);
      if (!shard->is_ended) continue;
      is_listing_due_ = true;
      changed_.notify_all();
    }
  } catch (...) {
    fail();
  }
}

bool CopyFollower::is_ready(const Shard& shard) const {
  if (shard.is_busy || shard.is_ended) return false;
  const auto parent = shards_.find({shard.table->name, shard.parent});
  return parent == shards_.end() || (parent->second.is_ended && !parent->second.is_busy);
}

CopyFollower::Shard* CopyFollower::next_shard() {
  Shard* next = nullptr;
  const auto now = Clock::now();
  for (auto& [key, shard] : shards_) {
    if (shard.due > now || !is_ready(shard)) continue;
    if (next == nullptr || shard.due < next->due) next = &shard;
  }
  return next;
}

bool CopyFollower::is_caught_up() {
  const std::lock_guard lock(mutex_);
  if (is_listing_due_) return false;
  return std::ranges::all_of(shards_, [](const auto& entry) {
    const Shard& shard = entry.second;
    return shard.is_ended || shard.has_caught_up;
  });
}

void CopyFollower::list_shards() {
  {
    const std::lock_guard lock(mutex_);
    is_listing_due_ = false;
  }
  for (const FollowedTable& table : tables_) list_shards_of(table);
}

// Adds new shards, and removes those that the stream no longer has.
void CopyFollower::list_shards_of(const FollowedTable& table) {
  const ListedStream stream = list_stream(source_, table.stream_arn, context_.stop);
  const std::int64_t now = seconds_now();
  TableState state = context_.states.table(table.name);
  std::map<std::string, ShardState> places;
  bool all_ended = true;
  const auto is_listed = [&](const std::string& id) {
    return std::ranges::any_of(stream.shards, [&](const auto& shard) { return shard.id == id; });
  };
  for (const auto& [id, place] : state.shards) {
    if (place.position != Position::kEnded && !is_listed(id)) {
      throw std::runtime_error(messages::kChangesLost(table.name));
    }
  }
  for (const ListedShard& shard : stream.shards) {
    const auto known = state.shards.find(shard.id);
    if (known != state.shards.end()) {
      all_ended &= known->second.position == Position::kEnded;
      continue;
    }
    all_ended = false;
    if (now - state.listed_at > kSafeSeconds) {
      throw std::runtime_error(messages::kChangesLost(table.name));
    }
    places[shard.id] = {.position = Position::kStart, .sequence{}, .safe_at = state.listed_at};
  }
  if (all_ended && !stream.is_on) throw std::runtime_error(messages::kStreamOff(table.name));
  context_.states.change_table(table.name, [&](TableState& changed) {
    changed.listed_at = now;
    changed.shards.insert(places.begin(), places.end());
    std::erase_if(changed.shards, [&](const auto& entry) {
      return entry.second.position == Position::kEnded && !is_listed(entry.first);
    });
    state.shards = changed.shards;
  });
  const std::lock_guard lock(mutex_);
  for (const ListedShard& shard : stream.shards) {
    Shard& followed = shards_[{table.name, shard.id}];
    if (followed.table != nullptr) continue;
    followed.table = &table;
    followed.id = shard.id;
    followed.parent = shard.parent;
    followed.iterator = positions_.iterator_of(table.name, shard.id);
    followed.is_ended = state.shards.at(shard.id).position == Position::kEnded;
  }
}

}  // namespace magneto::server::tools
