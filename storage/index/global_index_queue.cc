#include "storage/index/global_index_queue.h"

#include <string>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr char kRecordVersion = 1;

void append_run(std::string& out, std::string_view bytes) {
  append_uint32(out, narrow<std::uint32_t>(bytes.size()));
  out.append(bytes);
}

// Splits fields off a record; damage throws.
class RecordReader {
 public:
  explicit RecordReader(std::string_view record) : rest_(record) {
    if (rest_.empty()) fail();
    if (rest_.front() != kRecordVersion) {
      throw EngineError("the global index queue holds a record of version " +
                        std::to_string(static_cast<unsigned char>(rest_.front())) +
                        ", which this version of Magneto cannot read");
    }
    rest_.remove_prefix(1);
  }

  bool at_end() const { return rest_.empty(); }
  std::uint32_t number() { return read_uint32(take(sizeof(std::uint32_t))); }
  std::string run() { return std::string(take(number())); }
  [[noreturn]] static void fail() {
    throw EngineError("a record of the global index queue is damaged");
  }

 private:
  std::string_view take(std::size_t size) {
    if (rest_.size() < size) fail();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

EntryChange read_change(RecordReader& reader) {
  EntryChange change;
  change.old_size = reader.number();
  change.delete_key = reader.run();
  change.put_key = reader.run();
  change.value = reader.run();
  const std::string& key = change.delete_key.empty() ? change.put_key : change.delete_key;
  if (key.size() < kTreePrefixSize) RecordReader::fail();
  if (!change.put_key.empty()) {
    if (!is_valid_stored_item(change.value)) RecordReader::fail();
    change.new_size = narrow<std::uint32_t>(decode_item_size(change.value));
  }
  return change;
}

std::size_t bytes_of(const QueuedWrite& write) {
  std::size_t bytes = sizeof write;
  for (const GlobalIndexChange& queued : write.changes) {
    const EntryChange& change = queued.change;
    bytes += change.delete_key.size() + change.put_key.size() + change.value.size();
  }
  return bytes;
}

}  // namespace

GlobalIndexQueue::GlobalIndexQueue(Engine& engine)
    : engine_(engine),
      tree_(engine.is_durable() ? engine.open_tree(Family::kQueue, "") : nullptr) {}

void GlobalIndexQueue::append_record(WriteBatch& batch, QueuedWrite& write) {
  if (tree_ == nullptr) return;
  write.sequence = last_sequence_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::string record(1, kRecordVersion);
  for (const GlobalIndexChange& queued : write.changes) {
    append_uint32(record, queued.change.old_size);
    append_run(record, queued.change.delete_key);
    append_run(record, queued.change.put_key);
    append_run(record, queued.change.value);
  }
  batch.put(tree_, queue_key(write.sequence), std::move(record));
}

void GlobalIndexQueue::remove_record(WriteBatch& batch, const QueuedWrite& write) const {
  if (write.sequence != 0) batch.remove(tree_, queue_key(write.sequence));
}

void GlobalIndexQueue::push(QueuedWrite write) {
  const std::size_t bytes = write.bytes = bytes_of(write);
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(write));
    waiting_bytes_ += bytes;
    if (waiting_.size() > kMaxWrites || waiting_bytes_ > kMaxBytes) {
      over_limit_.store(true, std::memory_order_relaxed);
    }
    pushed_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    pushed_.fetch_add(1, std::memory_order_release);
    wake = std::exchange(consumer_sleeps_, false);
  }
  if (wake) arrived_.notify_one();
}

void GlobalIndexQueue::load(
    absl::FunctionRef<std::shared_ptr<const Index>(std::uint32_t, std::uint16_t)> find) {
  if (tree_ == nullptr) return;
  const auto cursor = engine_.scan(*tree_, {}, {}, Direction::kForward);
  while (cursor->next()) {
    QueuedWrite write;
    if (cursor->key().size() != sizeof write.sequence) RecordReader::fail();
    write.sequence = read_uint64(cursor->key());
    RecordReader reader(cursor->value());
    while (!reader.at_end()) {
      EntryChange change = read_change(reader);
      const std::string_view key = change.delete_key.empty() ? change.put_key : change.delete_key;
      if (auto index = find(read_uint32(key), read_uint16(key.substr(sizeof(std::uint32_t))))) {
        write.changes.push_back({std::move(index), std::move(change)});
      }
    }
    last_sequence_.store(write.sequence, std::memory_order_relaxed);
    push(std::move(write));
  }
}

void GlobalIndexQueue::take(std::vector<QueuedWrite>& taken) {
  const std::lock_guard lock(mutex_);
  taken.swap(waiting_);
  waiting_bytes_ = 0;
  over_limit_.store(false, std::memory_order_relaxed);
}

void GlobalIndexQueue::wait_for_push(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // A reader may have taken what woke it: it sleeps on then, and is to be woken again.
  arrived_.wait(lock, stop, [this] {
    consumer_sleeps_ = waiting_.empty();
    return !consumer_sleeps_;
  });
  consumer_sleeps_ = false;
}

}  // namespace magneto::storage
