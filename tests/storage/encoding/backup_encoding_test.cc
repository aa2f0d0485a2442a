#include "storage/encoding/backup_encoding.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"

namespace magneto::storage {
namespace {

BackupSchema sample() {
  BackupSchema backup;
  backup.id = backup_id(1'790'000'000'123, 7);
  backup.name = "nightly";
  backup.created = 1'790'000'000'123;
  backup.items = 3;
  backup.bytes = 1'234'567'890'123;
  backup.is_complete = true;
  backup.table.name = "music";
  backup.table.key = {{{"pk", AttributeType::kString}}, {}};
  return backup;
}

TEST(BackupEncoding, ReadsWhatItWrote) {
  for (const bool is_complete : {false, true}) {
    BackupSchema backup = sample();
    backup.is_complete = is_complete;
    const BackupSchema read = decode_backup(encode_backup(backup));
    EXPECT_EQ(read.id, backup.id);
    EXPECT_EQ(read.name, backup.name);
    EXPECT_EQ(read.created, backup.created);
    EXPECT_EQ(read.items, backup.items);
    EXPECT_EQ(read.bytes, backup.bytes);
    EXPECT_EQ(read.is_complete, is_complete);
    EXPECT_EQ(encode_schema(read.table), encode_schema(backup.table));
  }
}

TEST(BackupEncoding, RefusesWhatIsDamagedOrNewer) {
  const std::string record = encode_backup(sample());
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_THROW(decode_backup(record.substr(0, size)), std::runtime_error) << size;
  }
  EXPECT_THROW(decode_backup(record + "x"), std::runtime_error);
  std::string changed = record;
  changed[2] = 2;  // neither complete nor not
  EXPECT_THROW(decode_backup(changed), std::runtime_error);
  changed = record;
  changed[1] = 2;  // the format
  EXPECT_THROW(decode_backup(changed), std::runtime_error);
  changed[1] = 0;
  EXPECT_THROW(decode_backup(changed), std::runtime_error);
}

TEST(BackupEncoding, ItsKeyTellsItsNumbers) {
  const std::string key = backup_record_key(7, 0x01020304);
  EXPECT_EQ(key, std::string("backup/\0\0\0\7\1\2\3\4", 15));
  EXPECT_EQ(database_of_backup(key), 7);
  EXPECT_EQ(number_of_backup(key), 0x01020304);
}

}  // namespace
}  // namespace magneto::storage
