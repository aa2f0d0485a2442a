#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/table_copy.h"

namespace magneto::server::tools {

// The positions of the source's streams when the copy begins to read the items.
//
// The position of an open shard is its end, which has no sequence number yet. The class keeps an
// iterator there until the first record arrives; its number is the position from then on. Until
// then the state says kStart. From there another process would apply more changes than necessary,
// but never too few.
class StreamPositions {
 public:
  StreamPositions(const CopyContext& context, client::EndpointCalls& source)
      : context_(context), source_(source) {}

  // Takes the positions of a table's shards, or continues from those of the state. Call this before
  // the first Scan and before the state is saved. Throws Stopped, and std::runtime_error with a
  // sentence.
  void take(const std::string& table, const std::string& stream_arn);

  // Checks whether records have arrived. Call this regularly while the items are copied.
  void hold();

  // The iterator that is kept for a shard; empty if the state has its position.
  std::string iterator_of(const std::string& table, const std::string& shard) const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Held {
    std::string table;
    std::string stream_arn;
    std::string shard;
    std::string iterator;
    Clock::time_point due;
    std::chrono::seconds period{1};
  };

  void keep(const std::string& table, const std::string& stream_arn, const std::string& shard,
            std::string iterator);
  // True if nothing more must be waited for.
  bool look(Held& held);

  const CopyContext& context_;
  client::EndpointCalls& source_;
  std::deque<Held> held_;  // not sorted by due time
};

}  // namespace magneto::server::tools
