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

// The records of one call of a function, in the order of the shard.
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

// The source of a batch.
struct BatchSource {
  const api::SourceStream* stream = nullptr;
  std::uint32_t shard = 0;
  api::SourceLane lane;
};

// Reads at most `limit` records of the place, from `first` to `last`, that match the mapping's
// patterns. Stops at the size limit of an event, but returns at least one record. Also stops after
// as many records as can be searched in some tenths of a second.
EventBatch read_batch(const BatchSource& place, const MappingWork& work, std::uint64_t first,
                      std::uint64_t last, std::size_t limit);

// The index of the first record with one of these sequence numbers. Returns the batch's size if
// `failed` is empty, and nullopt if a number belongs to no record of the batch.
std::optional<std::size_t> first_failed_item(std::set<std::string> failed, const EventBatch& batch);

// The report on dropped records, in the format that Lambda uses for records of a DynamoDB stream
// (the same guide, "Retain discarded batches"). They are the first `count` records of the batch.
struct DroppedRecords {
  const EventBatch* batch = nullptr;
  std::size_t count = 0;
  std::string_view condition;        // "RetryAttemptsExhausted"
  std::uint64_t invocations = 0;     // calls with these records
  const Invocation* last = nullptr;  // nullptr if there was none
};
std::string left_out_record(const BatchSource& place, const EventSourceMapping& mapping,
                            const DroppedRecords& dropped);

}  // namespace magneto::server::feeds
