#include "server/tools/copy/stream_positions.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "server/tools/copy/messages.h"
#include "server/tools/copy/stream_source.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using Position = ShardState::Position;

constexpr std::chrono::seconds kLongestPeriod{60};  // an iterator is valid for 15 minutes
constexpr std::chrono::milliseconds kPollTime{200};
constexpr std::size_t kMostAtOnce = 20;  // calls of hold()

}  // namespace

void StreamPositions::take(const std::string& table, const std::string& stream_arn) {
  TableState state = context_.states.table(table);
  if (!state.stream_arn.empty()) {
    if (state.stream_arn != stream_arn) throw std::runtime_error(messages::kOtherStreamNow(table));
    for (const auto& [id, shard] : state.shards) {
      if (shard.position != Position::kStart || state.is_scanned()) continue;
      if (seconds_now() - shard.safe_at > kSafeSeconds) {
        throw std::runtime_error(messages::kChangesLost(table));
      }
      keep(table, stream_arn, id,
           get_iterator(source_, table, iterator_request(stream_arn, id, shard), context_.stop));
    }
    return;
  }
  ListedStream stream = list_stream(source_, stream_arn, context_.stop);
  while (!stream.is_settled || stream.shards.empty()) {
    if (stream.is_settled && !stream.is_on) throw std::runtime_error(messages::kStreamOff(table));
    context_.stop.sleep_for(kPollTime);
    stream = list_stream(source_, stream_arn, context_.stop);
  }
  const std::int64_t now = seconds_now();
  for (const ListedShard& shard : stream.shards) {
    // The changes in a closed shard are older than the first Scan.
    if (!shard.is_closed) {
      keep(table, stream_arn, shard.id,
           get_iterator(source_, table, latest_iterator_request(stream_arn, shard.id),
                        context_.stop));
    }
    state.shards[shard.id] = {.position = shard.is_closed ? Position::kEnded : Position::kStart,
                              .sequence{},
                              .safe_at = now};
  }
  context_.states.change_table(table, [&](TableState& changed) {
    changed.stream_arn = stream_arn;
    changed.listed_at = now;
    changed.shards = state.shards;
  });
}

void StreamPositions::keep(const std::string& table, const std::string& stream_arn,
                           const std::string& shard, std::string iterator) {
  held_.push_back({.table = table,
                   .stream_arn = stream_arn,
                   .shard = shard,
                   .iterator = std::move(iterator),
                   .due = Clock::now()});
}

std::string StreamPositions::iterator_of(const std::string& table, const std::string& shard) const {
  const auto held = std::ranges::find_if(held_, [&](const Held& candidate) {
    return candidate.shard == shard && candidate.table == table;
  });
  return held == held_.end() ? std::string() : held->iterator;
}

void StreamPositions::hold() {
  const auto now = Clock::now();
  std::size_t calls = 0;
  for (std::size_t left = held_.size(); left > 0 && calls < kMostAtOnce; --left) {
    context_.stop.check();
    Held held = std::move(held_.front());
    held_.pop_front();
    if (held.due <= now) {
      ++calls;
      if (look(held)) continue;
      held.due = now + held.period;
      held.period = std::min(2 * held.period, kLongestPeriod);
    }
    held_.push_back(std::move(held));
  }
}

bool StreamPositions::look(Held& held) {
  const std::int64_t now = seconds_now();
  // This thread saves the state too, so a shard that other readers use is tried again later.
  const std::optional<bool> is_read = try_records(source_, held.table, held.iterator, 1);
  if (!is_read) return false;
  // The iterator has expired; only the position in the state remains.
  if (!*is_read) return true;
  const Value answer = source_.answer();
  const Value next = answer.object().find("NextShardIterator");
  ShardState place{.position = Position::kStart, .sequence{}, .safe_at = now};
  for (const Value record : answer.object().find("Records").array()) {
    place.position = Position::kAt;
    place.sequence = record.object().find("dynamodb").object().find("SequenceNumber").string();
  }
  if (place.position == Position::kStart && !next.is_string()) place.position = Position::kEnded;
  held.iterator = next.string();
  context_.states.change_table(
      held.table, [&](TableState& state) { state.shards[held.shard] = std::move(place); });
  return context_.states.table(held.table).shards[held.shard].position != Position::kStart;
}

}  // namespace magneto::server::tools
