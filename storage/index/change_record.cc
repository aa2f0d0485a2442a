#include "storage/index/change_record.h"

#include <cstdint>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr char kRecordVersion = 1;

void append_run(std::string& out, std::string_view bytes) {
  append_uint32(out, narrow<std::uint32_t>(bytes.size()));
  out.append(bytes);
}

// Reads the fields of a record one by one; throws if it is damaged.
class RecordReader {
 public:
  explicit RecordReader(std::string_view record) : rest_(record) {
    if (rest_.empty()) fail();
    if (rest_.front() != kRecordVersion) {
      throw EngineError(messages::newer_queue_record(static_cast<unsigned char>(rest_.front())));
    }
    rest_.remove_prefix(1);
  }

  bool at_end() const { return rest_.empty(); }
  std::uint32_t number() { return read_uint32(take(sizeof(std::uint32_t))); }
  std::string run() { return std::string(take(number())); }
  [[noreturn]] static void fail() { throw EngineError(messages::kDamagedQueueRecord); }

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
  if (change.key().size() < kTreePrefixSize) RecordReader::fail();
  if (!change.put_key.empty()) {
    if (!is_valid_stored_item(change.value)) RecordReader::fail();
    change.new_size = narrow<std::uint32_t>(decode_item_size(change.value));
  }
  return change;
}

}  // namespace

void begin_change_record(std::string& record) { record.assign(1, kRecordVersion); }

void append_to_change_record(std::string& record, const EntryChange& change) {
  append_uint32(record, change.old_size);
  append_run(record, change.delete_key);
  append_run(record, change.put_key);
  append_run(record, change.value);
}

std::vector<EntryChange> decode_change_record(std::string_view record) {
  std::vector<EntryChange> changes;
  RecordReader reader(record);
  while (!reader.at_end()) changes.push_back(read_change(reader));
  return changes;
}

}  // namespace magneto::storage
