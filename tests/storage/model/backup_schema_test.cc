#include "storage/model/backup_schema.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

TEST(BackupSchema, ItsArnEndsWithItsId) {
  BackupSchema backup;
  backup.table.name = "music";
  backup.table.region = "eu-west-1";
  backup.table.account = "000000000000";
  backup.id = backup_id(1'790'000'000'123, 0x0a1b2c3d);
  EXPECT_EQ(backup.id, "01790000000123-0a1b2c3d");
  EXPECT_EQ(backup.arn(),
            "arn:aws:dynamodb:eu-west-1:000000000000:table/music/backup/01790000000123-0a1b2c3d");
  EXPECT_EQ(backup_id_in(backup.arn()), backup.id);
}

TEST(BackupSchema, IdsStandInTheOrderOfTheirTimes) {
  EXPECT_LT(backup_id(9, 0xffffffff), backup_id(10, 0));
  EXPECT_LT(backup_id(0, 0), backup_id(1, 0));
  EXPECT_LT(backup_id(1'790'000'000'123, 1), backup_id(253'402'300'799'999, 0));
}

TEST(BackupSchema, WhatIsNoArnOfABackupHasNoId) {
  const std::string table = "arn:aws:dynamodb:eu-west-1:000000000000:table/music";
  for (const std::string& arn : {
           std::string(),
           table,
           table + "/backup/",
           table + "/backup/01790000000123-0a1b2c3",
           table + "/backup/01790000000123-0a1b2c3d4",
           table + "/backup/01790000000123-0A1B2C3D",
           table + "/backup/0179000000012x-0a1b2c3d",
           table + "/backup/01790000000123+0a1b2c3d",
           table + "/stream/01790000000123-0a1b2c3d",
       }) {
    EXPECT_EQ(backup_id_in(arn), "") << arn;
  }
}

}  // namespace
}  // namespace magneto::storage
