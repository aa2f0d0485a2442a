#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/deliveries/source_stream.h"
#include "server/feeds/event_sources/mapping_work.h"

namespace magneto::server::feeds {

// Records of one call of a function, in the order of the shard.
struct EventBatch {
  struct Entry {
    std::uint64_t position = 0;
    api::SourceRecord::Time made{};
  };

  std::string event;  // {"Records": [...]}
  std::vector<Entry> entries;
  api::SourcePage page;
  std::uint64_t filtered = 0;  // records that no pattern matches
};

// Where a batch is read from.
struct BatchSource {
  const api::SourceStream* stream = nullptr;
  std::uint32_t shard = 0;
  api::SourceLane lane;
};

// At most `limit` records of the place that the mapping's patterns match, from `first` to `last`; no
// more than an event may have in bytes, unless it is one, nor than can be looked through in some tenths
// of a second.
EventBatch read_batch(const BatchSource& place, const MappingWork& work, std::uint64_t first,
                      std::uint64_t last, std::size_t limit);

// The index of the first record of those numbers; the batch's size where there are none, nullopt where
// one is of no record of the batch.
std::optional<std::size_t> first_failed_item(std::set<std::string> failed, const EventBatch& batch);

// What is told of records that are left out, as Lambda tells it of those of a DynamoDB stream (the same
// guide, "Retain discarded batches"); they are the first `count` of the batch.
struct DroppedRecords {
  const EventBatch* batch = nullptr;
  std::size_t count = 0;
  std::string_view condition;        // "RetryAttemptsExhausted"
  std::uint64_t invocations = 0;     // of them
  const Invocation* last = nullptr;  // nullptr: there was none
};
std::string left_out_record(const BatchSource& place, const EventSourceMapping& mapping,
                            const DroppedRecords& dropped);

}  // namespace magneto::server::feeds
