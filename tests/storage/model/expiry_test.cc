#include "storage/model/expiry.h"

#include <gtest/gtest.h>

#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

std::string item_with_number(std::string_view text) {
  NumberError error{};
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("ttl");
  writer.number(*Number::parse(text, error));
  writer.end_item();
  return bytes;
}

std::optional<std::int64_t> expiry(std::string_view text) {
  const std::string bytes = item_with_number(text);
  return expiry_of(ItemView(bytes), "ttl");
}

TEST(Expiry, IsANumberOfSeconds) {
  EXPECT_EQ(expiry("1900000000"), 1'900'000'000);
  EXPECT_EQ(expiry("19E8"), 1'900'000'000);
  EXPECT_EQ(expiry("0"), 0);
  EXPECT_EQ(expiry("9223372036854775806"), kNever - 1);
}

TEST(Expiry, AFractionIsRoundedUp) {
  EXPECT_EQ(expiry("1700000000.25"), 1'700'000'001);
  EXPECT_EQ(expiry("1700000000.0000000000000000000000000001"), 1'700'000'001);
  EXPECT_EQ(expiry("17000000000000000000e-10"), 1'700'000'000);
  EXPECT_EQ(expiry("1.70000000001e9"), 1'700'000'001);
  EXPECT_EQ(expiry("0.001"), 1);
  EXPECT_EQ(expiry("1E-130"), 1);
  EXPECT_EQ(expiry("9223372036854775805.5"), kNever - 1);
}

TEST(Expiry, OtherNumbersAreIgnored) {
  EXPECT_EQ(expiry("9223372036854775806.5"), std::nullopt);
  EXPECT_EQ(expiry("9223372036854775807.5"), std::nullopt);
  EXPECT_EQ(expiry("-1.5"), std::nullopt);
  EXPECT_EQ(expiry("-1"), std::nullopt);
  EXPECT_EQ(expiry("9223372036854775807"), std::nullopt);
  EXPECT_EQ(expiry("1E125"), std::nullopt);
}

TEST(Expiry, OnlyTheAttributeItselfCounts) {
  const std::string bytes = item_with_number("5");
  EXPECT_EQ(expiry_of(ItemView(bytes), "TTL"), std::nullopt);
  EXPECT_EQ(expiry_of(ItemView(), "ttl"), std::nullopt);
  std::string other;
  ValueWriter writer(other);
  writer.begin_item();
  writer.name("ttl");
  writer.string("1900000000");
  writer.end_item();
  EXPECT_EQ(expiry_of(ItemView(other), "ttl"), std::nullopt);
}

}  // namespace
}  // namespace magneto::storage
