#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/clock.h"
#include "storage/model/attribute_value.h"
#include "storage/model/stream_schema.h"

namespace magneto::storage {

enum class ChangeKind : std::uint8_t { kInsert, kModify, kRemove };

// One change of an item, as a stream tells it. An image without attributes is one that the stream
// does not hold, or that there is none of.
struct StreamRecord {
  ChangeKind kind = ChangeKind::kInsert;
  bool by_time_to_live = false;  // the service deleted the item
  ItemView keys;
  ItemView old_image;
  ItemView new_image;
};

// Which images the records of a stream hold, by its view type.
struct StreamView {
  explicit StreamView(std::string_view view_type);

  bool old_image;
  bool new_image;
};

// A record at rest, under stream_record_key():
//
//   record := format:1 kind:1 by-time-to-live:1 size:4 item size:4 item keys lead
//   lead   := nothing in format 1 | microseconds:8 in format 2
//
// The items are the old and the new image, empty where there is none; `keys` is an item of the
// key attributes, empty when one of the images has them. The lead says how far the stream's time was
// ahead of the clock (StreamLog), where it was. Integers are big-endian.
//
// `before` and `after` are the item's versions, one of which may be empty.
std::string encode_stream_record(const KeySchema& key, StreamView view, ItemView before,
                                 ItemView after, bool by_time_to_live);

// Adds the lead, more than zero, to a record that has none.
void add_lead(std::string& record, Clock::Duration lead);

// Zero: the record has none. Throws EngineError as decode_stream_record() does.
Clock::Duration lead_of(std::string_view record);

// Views into `record`, and into `keys`, which is replaced. Throws EngineError when the record is
// damaged or of a newer format.
StreamRecord decode_stream_record(std::string_view record, const KeySchema& key, std::string& keys);

}  // namespace magneto::storage
