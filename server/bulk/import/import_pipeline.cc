#include "server/bulk/import/import_pipeline.h"

#include <chrono>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/bulk/messages.h"

namespace magneto::server::bulk {
namespace {

constexpr std::chrono::milliseconds kMeanwhile{200};

}  // namespace

ImportPipeline::ImportPipeline(const client::Endpoint& endpoint, const std::string& table,
                               Threads threads, const MakeItemReader& make_reader,
                               ImportErrors& errors, std::atomic<std::uint64_t>& put)
    : errors_(errors),
      senders_(threads.senders),
      most_(kBlocksForEach * (threads.senders + threads.readers)),
      to_send_(threads.senders),
      working_(threads.senders) {
  try {
    start(endpoint, table, threads, make_reader, put);
  } catch (const std::system_error& error) {
    close();
    throw std::runtime_error(messages::kNoThreads(error.what()));
  } catch (const std::bad_alloc&) {
    close();
    throw std::runtime_error(messages::kNoThreads(messages::kNoMemory));
  } catch (...) {
    close();
    throw;
  }
}

template <typename Work>
void ImportPipeline::guard(const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    errors_.fail(error.what());
  }
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void ImportPipeline::start(const client::Endpoint& endpoint, const std::string& table,
                           Threads threads, const MakeItemReader& make_reader,
                           std::atomic<std::uint64_t>& put) {
  for (std::size_t i = 0; i < threads.readers; ++i) {
    threads_.emplace_back([this, reader = std::shared_ptr<ItemReader>(make_reader())] {
      guard([&] { read_blocks(*reader); });
    });
  }
  for (std::size_t i = 0; i < threads.senders; ++i) {
    auto sender = std::make_shared<BatchSender>(endpoint.another(), table, errors_, put);
    threads_.emplace_back([this, i, sender = std::move(sender)] {
      guard([&] { send_blocks(i, *sender); });
      const std::lock_guard lock(mutex_);
      --working_;
      changed_.notify_all();
    });
  }
}

ImportPipeline::~ImportPipeline() { close(); }

void ImportPipeline::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

void ImportPipeline::feed(std::shared_ptr<const std::string> file, formats::RecordBlock records,
                          const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  while (!has_room() && !errors_.is_over()) {
    changed_.wait_for(lock, kMeanwhile);
    lock.unlock();
    meanwhile();
    lock.lock();
  }
  if (errors_.is_over()) return;
  ++under_way_;
  bytes_under_way_ += records.text.size();
  fed_.push_back({next_number_++, std::move(file), std::move(records)});
  changed_.notify_all();
}

bool ImportPipeline::has_room() const {
  return under_way_ == 0 || (under_way_ < most_ && bytes_under_way_ < kMaxBytes);
}

void ImportPipeline::finish(const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
  while (working_ > 0) {
    changed_.wait_for(lock, kMeanwhile);
    lock.unlock();
    meanwhile();
    lock.lock();
  }
}

void ImportPipeline::read_blocks(ItemReader& reader) {
  std::unique_lock lock(mutex_);
  while (!errors_.is_over()) {
    if (fed_.empty()) {
      if (closed_) return;
      changed_.wait_for(lock, kMeanwhile);
      continue;
    }
    const Fed fed = std::move(fed_.front());
    fed_.pop_front();
    lock.unlock();
    auto block = std::make_shared<ItemBlock>();
    block->number = fed.number;
    block->file = fed.file;
    block->senders_left = senders_;
    block->record_bytes = fed.records.text.size();
    reader.read(fed.records, senders_, *block);
    for (const BadRecord& bad : block->bad) errors_.add(*fed.file, bad.line, bad.problem);
    lock.lock();
    pass_on(std::move(block));
  }
}

// Call this with the lock held.
void ImportPipeline::pass_on(Block block) {
  const std::uint64_t number = block->number;
  read_.emplace(number, std::move(block));
  for (auto next = read_.begin(); next != read_.end() && next->first == next_to_send_;
       next = read_.erase(next)) {
    for (auto& queue : to_send_) queue.push_back(next->second);
    ++next_to_send_;
  }
  changed_.notify_all();
}

void ImportPipeline::send_blocks(std::size_t sender, BatchSender& to) {
  std::deque<Block>& queue = to_send_[sender];
  std::unique_lock lock(mutex_);
  while (!errors_.is_over()) {
    if (queue.empty()) {
      if (closed_ && next_to_send_ == next_number_) break;
      changed_.wait_for(lock, kMeanwhile);
      continue;
    }
    Block block = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    for (const ReadItem& item : block->items[sender]) to.add(*block, item);
    to.release();
    const bool last = block->senders_left.fetch_sub(1) == 1;
    const std::size_t bytes = block->record_bytes;
    block.reset();
    lock.lock();
    if (last) {
      --under_way_;
      bytes_under_way_ -= bytes;
      changed_.notify_all();
    }
  }
  lock.unlock();
  to.finish();
}

}  // namespace magneto::server::bulk
