#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/clock.h"
#include "storage/model/attribute_value.h"
#include "storage/model/stream_schema.h"

namespace magneto::storage {

enum class ChangeKind : std::uint8_t { kInsert, kModify, kRemove };

// One change of an item, as in a stream's record. An image has no attributes if the stream does not
// hold it or it does not exist.
struct StreamRecord {
  ChangeKind kind = ChangeKind::kInsert;
  bool by_time_to_live = false;  // the service deleted the item
  ItemView keys;
  ItemView old_image;
  ItemView new_image;
};

// The images that the records of a stream hold, by its view type.
struct StreamView {
  explicit StreamView(std::string_view view_type);

  bool old_image;
  bool new_image;
};

// A stored record, under stream_record_key():
//
//   record := format:1 kind:1 by-time-to-live:1 size:4 item size:4 item keys lead
//   lead   := nothing in format 1 | microseconds:8 in format 2
//
// The items are the old and the new image, empty if there is none. `keys` is an item of the key
// attributes, empty if one of the images has them. The lead is how far the stream's time was ahead
// of the clock, if it was (StreamLog). Integers are big-endian.
//
// `before` and `after` are the item's versions; one of them may be empty.
std::string encode_stream_record(const KeySchema& key, StreamView view, ItemView before,
                                 ItemView after, bool by_time_to_live);

// Adds the lead, more than zero, to a record without one.
void add_lead(std::string& record, Clock::Duration lead);

// The lead; zero if the record has none. Throws EngineError as decode_stream_record() does.
Clock::Duration lead_of(std::string_view record);

// Returns views into `record` and into `keys`, which is replaced. Throws EngineError if the record
// is damaged or of a newer format.
StreamRecord decode_stream_record(std::string_view record, const KeySchema& key, std::string& keys);

}  // namespace magneto::storage
