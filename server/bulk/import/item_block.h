#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/formats/format.h"
#include "server/formats/item_key.h"
#include "server/formats/record_blocks.h"

namespace magneto::server::bulk {

// One item on its way to the table. Views into its block.
struct ReadItem {
  std::string_view json;  // in the typed form
  std::string_view key;   // as append_key; empty: the item has none
  std::size_t hash = 0;   // of the key
  std::size_t line = 0;   // of its file
};

// A record that is no item.
struct BadRecord {
  std::size_t line = 0;
  std::string problem;
};

// What became of a RecordBlock.
struct ItemBlock {
  std::uint64_t number = 0;  // in the order of the files
  std::shared_ptr<const std::string> file;
  std::size_t record_bytes = 0;
  std::string text;  // of all items and keys
  // By sender: items with the same key go to the same one, in their order.
  std::vector<std::vector<ReadItem>> items;
  std::vector<BadRecord> bad;
  std::atomic<std::size_t> senders_left{0};  // that have not taken theirs yet
};

// Turns records into items, in one thread of several.
class ItemReader {
 public:
  virtual ~ItemReader() = default;
  // Reads all records of the block, for `senders` of them, and fills in items, text and bad.
  virtual void read(const formats::RecordBlock& records, std::size_t senders, ItemBlock& block) = 0;
};

// For lines of JSON. With `names_formats` an item of another format is refused with the --format that
// fits; otherwise it is left to the endpoint.
std::unique_ptr<ItemReader> make_json_reader(formats::Format format, formats::KeyNames keys,
                                             bool names_formats = false);
// For CSV, whose blocks have columns.
std::unique_ptr<ItemReader> make_csv_reader(formats::KeyNames keys);

}  // namespace magneto::server::bulk
