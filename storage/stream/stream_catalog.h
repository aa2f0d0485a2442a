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

// All streams at one moment, and the last number that one was given.
struct StreamsSnapshot {
  std::vector<StreamSnapshot> streams;
  std::uint32_t last_number = 0;
};

// For whom a stream is: one of clients has the view type that its table asks for.
enum class StreamUse : std::uint8_t { kClients, kDeliveries };

// All streams that can be read: those of tables, and those disabled or left by deleted tables less
// than a day ago. In a durable engine their schemas and the last stream number are records in
// ColumnFamily::kSystem (keyspace.h). Throws EngineError, changing nothing. Thread-safe.
class StreamCatalog {
 public:
  StreamCatalog(Engine& engine, const Clock& clock);

  // Reads the streams a durable engine holds. Before any other use.
  void load();
  // Instead of it: begins with streams of another catalog, whose trees lie below those that `over`
  // makes. What that one delivers is left out.
  void fork_from(const StreamsSnapshot& snapshot,
                 absl::FunctionRef<TreePtr(const TreePtr&)> overlay_of);
  // As they are now; see StreamLog::snapshot().
  StreamsSnapshot snapshot() const;

  // A new stream for `table`, which has its number and name; of deliveries with one shard. Its label
  // is later than `previous_label` and unlike that of any other stream of this name. Adds what must
  // be stored to `batch`; publish() makes it known once that is committed. One at a time.
  StreamPtr create(const TableSchema& table, StreamUse use, std::string_view previous_label,
                   WriteBatch& batch);
  void publish(const StreamPtr& stream);
  // Called with each stream that is published from now on. Before there are several threads.
  void on_new(std::function<void(const StreamLog&)> call) { on_new_ = std::move(call); }

  // Both know of streams for clients alone. nullptr when the database with that number has none, or
  // it has expired.
  StreamPtr find(std::uint32_t database, std::string_view arn) const;
  // Of one database, ascending by ARN, after `exclusive_start`, at most `limit`; of tables of this
  // name unless it is empty.
  std::vector<std::shared_ptr<const StreamLog>> list(std::uint32_t database,
                                                     std::string_view table_name,
                                                     std::string_view exclusive_start,
                                                     std::size_t limit) const;

  // All there are, expired or not.
  std::vector<StreamPtr> all() const;
  // Removes an expired stream with its records.
  void remove(const StreamPtr& stream);

 private:
  using Streams = std::map<std::string, StreamPtr, std::less<>>;  // by ARN
  const Streams& streams_of(std::uint32_t database) const;        // requires mutex_

  Engine& engine_;
  const Clock& clock_;
  const TreePtr system_;  // nullptr when the engine is not durable
  std::function<void(const StreamLog&)> on_new_;
  mutable std::mutex mutex_;                  // guards what follows
  std::map<std::uint32_t, Streams> streams_;  // by database; those without have no entry
  std::uint32_t last_number_ = 0;
};

}  // namespace magneto::storage
