#include "storage/stream/stream_shards.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <limits>
#include <system_error>

namespace magneto::storage {
namespace {

constexpr std::int64_t kFirstTime = 1;  // 0 means none

StreamShard new_shard(StreamSchema& stream, std::uint32_t range, const ShardMoment& moment) {
  StreamShard shard;
  shard.number = stream.next_shard_number++;
  shard.range = range;
  shard.opened = std::max(moment.time, kFirstTime);
  shard.first_sequence = moment.sequence;
  shard.last_sequence = moment.sequence;
  return shard;
}

StreamShard new_child(StreamSchema& stream, const StreamShard& parent, std::uint32_t range,
                      const ShardMoment& moment) {
  StreamShard shard = new_shard(stream, range, moment);
  shard.parent = parent.number;
  shard.parent_opened = parent.opened;
  shard.opened = std::max(moment.time, parent.opened + 1);
  return shard;
}

// At least as late as the shard's opening, even if the clock was set back.
void close(StreamShard& shard, const ShardMoment& moment) {
  shard.closed = std::max(moment.time, shard.opened);
  if (moment.is_ahead) shard.last_sequence = moment.sequence - 1;
}

bool has_passed(std::int64_t since, std::chrono::milliseconds duration, std::int64_t now) {
  return since != 0 && since + milliseconds_of(duration) <= now;
}

std::string id_of(const StreamSchema& stream, std::uint32_t number, std::int64_t opened) {
  // Multiplying by an odd number permutes 32 bits, so shards of a stream differ.
  constexpr std::uint32_t kOdd = 0x9E3779B1;
  char text[48];
  std::snprintf(text, sizeof text, "shardId-%020lld-%08x", static_cast<long long>(opened),
                number * kOdd + static_cast<std::uint32_t>(stream.secret));
  return text;
}

}  // namespace

std::int64_t milliseconds_of(Clock::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

void open_shards(StreamSchema& stream, std::uint32_t count, const ShardMoment& moment) {
  for (std::uint32_t range = 0; range < count; ++range) {
    stream.shards.push_back(new_shard(stream, range, moment));
  }
}

bool roll_over_shards(StreamSchema& stream, const ShardMoment& moment) {
  const auto is_due = [&](const StreamShard& shard) {
    return shard.closed == 0 && has_passed(shard.opened, kShardLifetime, moment.time);
  };
  std::vector<StreamShard> children;
  for (StreamShard& shard : stream.shards) {
    if (!is_due(shard)) continue;
    close(shard, moment);
    children.push_back(new_child(stream, shard, shard.range, moment));
  }
  stream.shards.insert(stream.shards.end(), children.begin(), children.end());
  return !children.empty();
}

void split_shards(StreamSchema& stream, const ShardMoment& moment) {
  for (const std::size_t parent : open_shards_of(stream)) {
    close(stream.shards[parent], moment);
    for (const std::uint32_t half : {0U, 1U}) {
      const StreamShard& shard = stream.shards[parent];
      stream.shards.push_back(new_child(stream, shard, 2 * shard.range + half, moment));
    }
  }
}

void close_stream(StreamSchema& stream, const ShardMoment& moment) {
  stream.closed = std::max({moment.time, stream.created, kFirstTime});
  std::erase_if(stream.shards, [&](const StreamShard& shard) {
    return moment.is_ahead && shard.parent != 0 && shard.first_sequence > moment.sequence;
  });
  for (StreamShard& shard : stream.shards) {
    const bool ends_later = moment.is_ahead && shard.last_sequence >= moment.sequence;
    if (shard.closed == 0 || ends_later) close(shard, moment);
  }
}

bool is_expired(const StreamSchema& stream, std::int64_t now) {
  return has_passed(stream.closed, kStreamRetention, now);
}

bool is_expired(const StreamShard& shard, std::int64_t now) {
  return has_passed(shard.closed, kStreamRetention, now);
}

std::vector<std::size_t> open_shards_of(const StreamSchema& stream) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < stream.shards.size(); ++i) {
    if (stream.shards[i].closed == 0) open.push_back(i);
  }
  std::ranges::sort(open, {}, [&](std::size_t i) { return stream.shards[i].range; });
  return open;
}

std::vector<std::size_t> open_shards_at(const StreamSchema& stream, std::uint64_t sequence) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < stream.shards.size(); ++i) {
    const StreamShard& shard = stream.shards[i];
    const bool has_ended = shard.closed != 0 && sequence > shard.last_sequence;
    if (!has_ended && sequence >= shard.first_sequence) open.push_back(i);
  }
  std::ranges::sort(open, {}, [&](std::size_t i) { return stream.shards[i].range; });
  return open;
}

const StreamShard* find_shard(const StreamSchema& stream, std::uint32_t number) {
  const auto found = std::ranges::find(stream.shards, number, &StreamShard::number);
  return found == stream.shards.end() ? nullptr : &*found;
}

std::string shard_id(const StreamSchema& stream, const StreamShard& shard) {
  return id_of(stream, shard.number, shard.opened);
}

std::string parent_shard_id(const StreamSchema& stream, const StreamShard& shard) {
  return shard.parent == 0 ? std::string() : id_of(stream, shard.parent, shard.parent_opened);
}

const StreamShard* find_shard(const StreamSchema& stream, std::string_view id) {
  const auto found = std::ranges::find_if(
      stream.shards, [&](const StreamShard& shard) { return shard_id(stream, shard) == id; });
  return found == stream.shards.end() ? nullptr : &*found;
}

std::int64_t milliseconds_of_label(std::string_view label) {
  constexpr std::size_t kSize = std::string_view("2026-10-08T23:07:31.275").size();
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min() / 2;
  const std::string text(label);
  std::tm parts{};
  const char* rest =
      text.size() == kSize ? ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) : nullptr;
  int part = 0;
  if (rest == nullptr ||
      std::from_chars(rest + 1, text.data() + text.size(), part).ec != std::errc()) {
    return kNone;
  }
  return std::int64_t{::timegm(&parts)} * 1000 + part;
}

std::string stream_label(std::int64_t milliseconds) {
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[40];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + size, sizeof text - size, ".%03d", static_cast<int>(milliseconds % 1000));
  return text;
}

}  // namespace magneto::storage
