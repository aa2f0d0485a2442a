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

// One item on its way to the table. The views point into its block.
struct ReadItem {
  std::string_view json;  // in the typed form
  std::string_view key;   // as by append_key; empty: the item has no key
  std::size_t hash = 0;   // of the key
  std::size_t line = 0;   // in the item's file
};

// A record that is not an item.
struct BadRecord {
  std::size_t line = 0;
  std::string problem;
};

// The items that were made from a RecordBlock.
struct ItemBlock {
  std::uint64_t number = 0;  // position in the order of the files
  std::shared_ptr<const std::string> file;
  std::size_t record_bytes = 0;
  std::string text;  // of all items and keys
  // One list for each sender. Items with the same key go to the same sender, in their order.
  std::vector<std::vector<ReadItem>> items;
  std::vector<BadRecord> bad;
  std::atomic<std::size_t> senders_left{0};  // senders that have not taken their items yet
};

// Turns records into items, on one of several threads.
class ItemReader {
 public:
  virtual ~ItemReader() = default;
  // Reads all records of the block for `senders` senders. Fills in items, text and bad.
  virtual void read(const formats::RecordBlock& records, std::size_t senders, ItemBlock& block) = 0;
};

// A reader for lines of JSON. With `names_formats`, it refuses an item of another format with a
// message that names the right --format. Without it, the endpoint judges the item.
std::unique_ptr<ItemReader> make_json_reader(formats::Format format, formats::KeyNames keys,
                                             bool names_formats = false);
// A reader for CSV; its blocks have columns.
std::unique_ptr<ItemReader> make_csv_reader(formats::KeyNames keys);

}  // namespace magneto::server::bulk
