#include "storage/encoding/backup_encoding.h"

#include <cstdint>
#include <stdexcept>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::uint16_t kFormat = 1;

[[noreturn]] void fail(const char* damage) {
  throw std::runtime_error(messages::damaged_schema(messages::kBackupRecord, damage));
}

std::string_view take(std::string_view& rest, std::size_t size) {
  if (size > rest.size()) fail(messages::kEndsEarly);
  const std::string_view bytes = rest.substr(0, size);
  rest.remove_prefix(size);
  return bytes;
}

std::int64_t take_number(std::string_view& rest) {
  return static_cast<std::int64_t>(read_uint64(take(rest, sizeof(std::uint64_t))));
}

std::string take_text(std::string_view& rest) {
  return std::string(take(rest, read_uint32(take(rest, sizeof(std::uint32_t)))));
}

void append_text(std::string& out, std::string_view text) {
  append_uint32(out, narrow<std::uint32_t>(text.size()));
  out.append(text);
}

}  // namespace

std::string encode_backup(const BackupSchema& backup) {
  std::string out;
  append_uint16(out, kFormat);
  out.push_back(backup.is_complete ? '\1' : '\0');
  append_uint64(out, static_cast<std::uint64_t>(backup.created));
  append_uint64(out, static_cast<std::uint64_t>(backup.items));
  append_uint64(out, static_cast<std::uint64_t>(backup.bytes));
  append_text(out, backup.id);
  append_text(out, backup.name);
  return out.append(encode_schema(backup.table));
}

BackupSchema decode_backup(std::string_view record) {
  const std::uint16_t format = read_uint16(take(record, sizeof(std::uint16_t)));
  if (format > kFormat) {
    throw std::runtime_error(messages::newer_schema(messages::kBackupRecord, format, kFormat));
  }
  if (format == 0) fail(messages::kNoFormat);
  const char complete = take(record, 1).front();
  if (complete != '\0' && complete != '\1') fail(messages::kNoFlag);
  BackupSchema backup;
  backup.is_complete = complete == '\1';
  backup.created = take_number(record);
  backup.items = take_number(record);
  backup.bytes = take_number(record);
  backup.id = take_text(record);
  backup.name = take_text(record);
  backup.table = decode_schema(record);
  return backup;
}

}  // namespace magneto::storage
