#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/stream/stream_log.h"

namespace magneto::storage {

// All streams at one moment, and the last stream number that was assigned.
struct StreamsSnapshot {
  std::vector<StreamSnapshot> streams;
  std::uint32_t last_number = 0;
};

// The use of a stream. A stream for clients has the view type that its table asks for.
enum class StreamUse : std::uint8_t { kClients, kDeliveries };

// All streams that can be read: those of tables, and those that were disabled or whose table was
// deleted less than a day ago. In a durable engine their schemas and the last stream number are
// records in ColumnFamily::kSystem (keyspace.h). On a failure throws EngineError and changes
// nothing. Thread-safe.
class StreamCatalog {
 public:
  StreamCatalog(Engine& engine, const Clock& clock);

  // Reads the streams of a durable engine. Call it before any other function.
  void load();
  // Used in place of load(): starts with the streams of another catalog. `overlay_of` makes trees
  // over theirs. Delivery streams are left out.
  void fork_from(const StreamsSnapshot& snapshot,
                 absl::FunctionRef<TreePtr(const TreePtr&)> overlay_of);
  // The current streams; see StreamLog::snapshot().
  StreamsSnapshot snapshot() const;

  // A new stream for `table`, with the table's number and name; a delivery stream has one shard.
  // Its label is later than `previous_label` and unlike that of any other stream of this name. Adds
  // its records to the change, which has the key of the streams' counter; publish() makes the stream known after the commit. Call it
  // from one thread at a time.
  StreamPtr create(const TableSchema& table, StreamUse use, std::string_view previous_label,
                   Records::Change& records);
  void publish(const StreamPtr& stream);
  // Sets a callback for each stream that is published from now on. Set it before there are several
  // threads.
  void on_new(std::function<void(const StreamLog&)> call) { on_new_ = std::move(call); }

  // Both know streams for clients only. nullptr if the database with that number has no such
  // stream, or it has expired.
  StreamPtr find(std::uint32_t database, std::string_view arn) const;
  // A stream that another server may have made: reads the records of streams if it is not known.
  // For any use; expired or not.
  StreamPtr find_stored(std::uint32_t database, const std::string& arn);
  // Takes over the stream under this record key, as another server has changed, made or removed it.
  void take_over(std::string_view record_key);
  // The same for all streams.
  void take_over_all();
  // The streams of one database, ascending by ARN, after `exclusive_start`, at most `limit`; only
  // of tables with this name unless it is empty.
  std::vector<std::shared_ptr<const StreamLog>> list(std::uint32_t database,
                                                     std::string_view table_name,
                                                     std::string_view exclusive_start,
                                                     std::size_t limit) const;

  // All streams, expired or not.
  std::vector<StreamPtr> all() const;
  // Removes an expired stream with its records.
  void remove(const StreamPtr& stream);

 private:
  using Streams = std::map<std::string, StreamPtr, std::less<>>;  // by ARN
  const Streams& streams_of(std::uint32_t database) const;        // requires mutex_

  StreamPtr known(std::uint32_t database, std::string_view arn) const;
  std::map<std::uint32_t, StreamSchema> stored() const;  // by number
  void load_unknown();
  void forget(const StreamLog& stream);

  Engine& engine_;
  const Clock& clock_;
  const Records records_;
  std::function<void(const StreamLog&)> on_new_;
  mutable std::mutex mutex_;  // guards the next members
  // by database; databases without streams have no entry
  std::map<std::uint32_t, Streams> streams_;
  std::uint32_t last_number_ = 0;
};

}  // namespace magneto::storage
