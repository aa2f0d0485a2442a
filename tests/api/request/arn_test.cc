#include "api/request/arn.h"

#include <gtest/gtest.h>

#include "api/error.h"

namespace magneto::api {
namespace {

TEST(Arn, ReadsATablesArn) {
  const TableArn arn = parse_table_arn("arn:aws:dynamodb:eu-west-2:123456789012:table/my.table-1");
  EXPECT_EQ(arn.region, "eu-west-2");
  EXPECT_EQ(arn.account, "123456789012");
  EXPECT_EQ(arn.table_name, "my.table-1");
  EXPECT_EQ(table_name_of("arn:aws-cn:dynamodb:cn-north-1:1:table/tab"), "tab");
  EXPECT_EQ(table_name_of("plain"), "plain");
}

TEST(Arn, RefusesOtherArns) {
  for (const char* text :
       {"arn:", "arn:aws:dynamodb", "arn:aws:s3:eu-west-2:1:table/tab",
        "arn:aws:dynamodb::1:table/tab", "arn:aws:dynamodb:eu-west-2:1:table/",
        "arn:aws:dynamodb:eu-west-2:1:backup/tab", "arn:aws:dynamodb:eu-west-2:1:table/tab/index/i",
        "arn:aws:dynamodb:eu-west-2:1:table/t t", "arn:aws:dynamodb:eu-west-2:1:table/ab"}) {
    EXPECT_THROW(table_name_of(text), ApiError) << text;
  }
}

}  // namespace
}  // namespace magneto::api
