#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/table_copy.h"

namespace magneto::server::tools {

// Where the source's streams are when the items begin to be read.
//
// An open shard's place is its end, for which there is no sequence number yet: an iterator is held
// there until the first record comes, whose number is the place from then on. Until then the state
// says kStart, from where another process would apply more than it must, and nothing less.
class StreamPositions {
 public:
  StreamPositions(const CopyContext& context, client::EndpointCalls& source)
      : context_(context), source_(source) {}

  // Takes the places of a table's shards, or goes on from those of the state. Before the first Scan,
  // and before the state is saved. Throws std::runtime_error, a sentence; Stopped.
  void take(const std::string& table, const std::string& stream_arn);

  // Looks whether records came. Every now and then, while the items are copied.
  void hold();

  // The iterator that is held in a shard; empty: the state has its place.
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
  // True when nothing is to be waited for any more.
  bool look(Held& held);

  const CopyContext& context_;
  client::EndpointCalls& source_;
  std::deque<Held> held_;  // some are due before others
};

}  // namespace magneto::server::tools
