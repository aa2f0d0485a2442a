#include "storage/stream/stream_record.h"

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"
#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

constexpr char kFormatWithoutLead = 1;
constexpr char kFormatWithLead = 2;

void append_keys(const KeySchema& key, ItemView item, std::string& out) {
  ValueWriter writer(out);
  writer.begin_item();
  for (const NamedAttribute& attribute : item) {
    if (!key.contains(attribute.name)) continue;
    writer.name(attribute.name);
    writer.value(attribute.value);
  }
  writer.end_item();
}

void append_item(std::string& out, ItemView item) {
  append_uint32(out, narrow<std::uint32_t>(item.bytes().size()));
  out.append(item.bytes());
}

[[noreturn]] void refuse_record() { throw EngineError(messages::kDamagedStreamRecord); }

std::string_view take_bytes(std::string_view& rest, std::size_t size) {
  if (rest.size() < size) refuse_record();
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}

ItemView checked_item(std::string_view bytes) {
  if (!bytes.empty() && !is_valid_item(bytes)) refuse_record();
  return ItemView(bytes);
}

ItemView take_item(std::string_view& rest) {
  const std::uint32_t size = read_uint32(take_bytes(rest, sizeof(std::uint32_t)));
  return checked_item(take_bytes(rest, size));
}

// Removes the format as well, so that the part between format and lead is left.
Clock::Duration take_lead(std::string_view& record) {
  const char format = take_bytes(record, 1).front();
  if (static_cast<unsigned char>(format) > kFormatWithLead) {
    throw EngineError(messages::newer_stream_record(static_cast<unsigned char>(format)));
  }
  if (format == kFormatWithoutLead) return Clock::Duration(0);
  if (format != kFormatWithLead || record.size() < sizeof(std::uint64_t)) refuse_record();
  const std::string_view last = record.substr(record.size() - sizeof(std::uint64_t));
  record.remove_suffix(last.size());
  const Clock::Duration lead(static_cast<std::int64_t>(read_uint64(last)));
  if (lead <= Clock::Duration(0)) refuse_record();
  return lead;
}

bool take_flag(std::string_view& rest) {
  const char flag = take_bytes(rest, 1).front();
  if (flag != 0 && flag != 1) refuse_record();
  return flag == 1;
}

}  // namespace

StreamView::StreamView(std::string_view view_type)
    : old_image(view_type == "OLD_IMAGE" || view_type == "NEW_AND_OLD_IMAGES"),
      new_image(view_type == "NEW_IMAGE" || view_type == "NEW_AND_OLD_IMAGES") {}

std::string encode_stream_record(const KeySchema& key, StreamView view, ItemView before,
                                 ItemView after, bool by_time_to_live) {
  const ItemView old_image = view.old_image ? before : ItemView();
  const ItemView new_image = view.new_image ? after : ItemView();
  const ChangeKind kind = before.empty()  ? ChangeKind::kInsert
                          : after.empty() ? ChangeKind::kRemove
                                          : ChangeKind::kModify;
  std::string record;
  record.reserve(16 + old_image.bytes().size() + new_image.bytes().size());
  record.push_back(kFormatWithoutLead);
  record.push_back(static_cast<char>(kind));
  record.push_back(static_cast<char>(by_time_to_live));
  append_item(record, old_image);
  append_item(record, new_image);
  if (old_image.empty() && new_image.empty()) {
    append_keys(key, after.empty() ? before : after, record);
  }
  return record;
}

void add_lead(std::string& record, Clock::Duration lead) {
  record.front() = kFormatWithLead;
  append_uint64(record, static_cast<std::uint64_t>(lead.count()));
}

Clock::Duration lead_of(std::string_view record) { return take_lead(record); }

StreamRecord decode_stream_record(std::string_view record, const KeySchema& key,
                                  std::string& keys) {
  take_lead(record);
  StreamRecord decoded;
  decoded.kind = static_cast<ChangeKind>(take_bytes(record, 1).front());
  if (decoded.kind > ChangeKind::kRemove) refuse_record();
  decoded.by_time_to_live = take_flag(record);
  decoded.old_image = take_item(record);
  decoded.new_image = take_item(record);
  const ItemView image = decoded.new_image.empty() ? decoded.old_image : decoded.new_image;
  if (record.empty() == image.empty()) refuse_record();
  keys.assign(checked_item(record).bytes());
  if (!image.empty()) append_keys(key, image, keys);
  decoded.keys = ItemView(keys);
  return decoded;
}

}  // namespace magneto::storage
