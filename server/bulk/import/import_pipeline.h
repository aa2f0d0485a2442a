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

// Turns records into items of a table. Reader threads turn blocks of records into items; sender
// threads put the items, each through its own endpoint. Items with the same key are put in the
// order in which they were fed; other items have no fixed order. At most kBlocksForEach blocks per
// thread are in the pipeline, for files of any length. Their records have at most kMaxBytes, or are
// one larger block.
class ImportPipeline {
 public:
  static constexpr std::size_t kBlocksForEach = 3;
  // The items take up to three times as much. In addition, each sender has two copies of a batch of
  // 1 MB.
  static constexpr std::size_t kMaxBytes = 64 << 20;

  struct Threads {
    std::size_t readers = 1;
    std::size_t senders = 1;
  };

  // `put` counts the stored items. Throws if threads or endpoints cannot be created.
  ImportPipeline(const client::Endpoint& endpoint, const std::string& table, Threads threads,
                 const MakeItemReader& make_reader, ImportErrors& errors,
                 std::atomic<std::uint64_t>& put);
  // Waits for the blocks in the pipeline.
  ~ImportPipeline();
  ImportPipeline(const ImportPipeline&) = delete;
  ImportPipeline& operator=(const ImportPipeline&) = delete;

  // Waits for room; calls `meanwhile` regularly.
  void feed(std::shared_ptr<const std::string> file, formats::RecordBlock records,
            const std::function<void()>& meanwhile);
  // Waits until all fed items are in the table, or until an error ended the import.
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
  void close();  // and wait for the blocks in the pipeline
  bool has_room() const;
  void read_blocks(ItemReader& reader);
  void send_blocks(std::size_t sender, BatchSender& to);
  void pass_on(Block block);
  // Runs the work of a thread. An exception of `work` ends the import. A template, so that nothing
  // is allocated outside the try block.
  template <typename Work>
  void guard(const Work& work);

  ImportErrors& errors_;
  const std::size_t senders_;
  const std::size_t most_;  // blocks

  std::mutex mutex_;  // guards the members below, except threads_
  std::condition_variable changed_;
  std::deque<Fed> fed_;
  std::map<std::uint64_t, Block> read_;  // blocks whose turn has not come
  std::vector<std::deque<Block>> to_send_;
  std::uint64_t next_number_ = 0;    // of the next block that is fed
  std::uint64_t next_to_send_ = 0;   // of the next block for the senders
  std::size_t under_way_ = 0;        // blocks
  std::size_t bytes_under_way_ = 0;  // bytes of their records
  std::size_t working_ = 0;          // senders that have not finished
  bool closed_ = false;              // no more blocks are fed

  std::vector<std::thread> threads_;
};

}  // namespace magneto::server::bulk
