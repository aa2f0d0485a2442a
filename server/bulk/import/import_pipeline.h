#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/bulk/import/batch_sender.h"
#include "server/bulk/import/import_errors.h"
#include "server/bulk/import/item_block.h"
#include "server/client/endpoint/endpoint.h"

namespace magneto::server::bulk {

using MakeItemReader = std::function<std::unique_ptr<ItemReader>()>;

// Records in, items in the table: readers turn blocks of records into items, each in its thread,
// and senders put them, each through an endpoint of its own. Items with the same key are put in the
// order in which they were fed; otherwise there is none. At most kBlocksForEach blocks for each
// thread are under way, of kMaxBytes of records or of one block, whatever the length of the files.
class ImportPipeline {
 public:
  static constexpr std::size_t kBlocksForEach = 3;
  // Their items take up to three times as much; beside, each sender has a batch of 1 MB twice.
  static constexpr std::size_t kMaxBytes = 64 << 20;

  struct Threads {
    std::size_t readers = 1;
    std::size_t senders = 1;
  };

  // `put` counts the items that are in. Throws what keeps threads or endpoints from being made.
  ImportPipeline(const client::Endpoint& endpoint, const std::string& table, Threads threads,
                 const MakeItemReader& make_reader, ImportErrors& errors,
                 std::atomic<std::uint64_t>& put);
  // Waits for what is under way.
  ~ImportPipeline();
  ImportPipeline(const ImportPipeline&) = delete;
  ImportPipeline& operator=(const ImportPipeline&) = delete;

  // Waits for room, calling `meanwhile` every now and then.
  void feed(std::shared_ptr<const std::string> file, formats::RecordBlock records,
            const std::function<void()>& meanwhile);
  // Until everything that was fed is in the table, or the errors ended it.
  void finish(const std::function<void()>& meanwhile);

 private:
  struct Fed {
    std::uint64_t number;
    std::shared_ptr<const std::string> file;
    formats::RecordBlock records;
  };
  using Block = std::shared_ptr<ItemBlock>;

  void start(const client::Endpoint& endpoint, const std::string& table, Threads threads,
             const MakeItemReader& make_reader, std::atomic<std::uint64_t>& put);
  void close();  // and wait for what is under way
  bool has_room() const;
  void read_blocks(ItemReader& reader);
  void send_blocks(std::size_t sender, BatchSender& to);
  void pass_on(Block block);
  // Runs what a thread does; what it throws ends the import.
  // What `work` throws ends the import. A template, so that nothing is allocated outside.
  template <typename Work>
  void guard(const Work& work);

  ImportErrors& errors_;
  const std::size_t senders_;
  const std::size_t most_;  // blocks

  std::mutex mutex_;  // guards the rest but threads_
  std::condition_variable changed_;
  std::deque<Fed> fed_;
  std::map<std::uint64_t, Block> read_;  // whose turn has not come
  std::vector<std::deque<Block>> to_send_;
  std::uint64_t next_number_ = 0;    // to be fed
  std::uint64_t next_to_send_ = 0;   // to be passed on to the senders
  std::size_t under_way_ = 0;        // blocks
  std::size_t bytes_under_way_ = 0;  // of their records
  std::size_t working_ = 0;          // senders that have not finished
  bool closed_ = false;              // nothing more is fed

  std::vector<std::thread> threads_;
};

}  // namespace magneto::server::bulk
