#include "api/validation/value_echo.h"

#include <gtest/gtest.h>

#include "api/validation/parameter_shapes.h"

namespace magneto::api {
namespace {

std::string echo(std::string text, const Shape& shape) {
  json::Document document;
  std::string out;
  append_echo(*document.parse(text), shape, out);
  return out;
}

TEST(ValueEcho, PrintsLikeJava) {
  EXPECT_EQ(echo(R"("x")", kStringShape), "x");
  EXPECT_EQ(echo("-5", kIntegerShape), "-5");
  EXPECT_EQ(echo(R"({"a":"1","b":null})", kNameMapShape), "{a=1, b=null}");
  EXPECT_EQ(
      echo(R"({"a":{"ComparisonOperator":"EQ","Exists":true}})", kExpectedMapShape),
      "{a=ExpectedAttributeValue(attributeValueList=null, comparisonOperator=EQ, exists=true, "
      "value=null)}");
}

// Captured facts, "Echo of structures in messages is not byte-stable".
TEST(ValueEcho, PrintsAttributeValuesWithAllTheirMembers) {
  EXPECT_EQ(
      echo(R"({"pk":{"S":"bw-0","INT":7}})", kAttributeMapShape),
      "{pk=AttributeValue(s=bw-0, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, "
      "sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, "
      "nULL=null, bOOL=null)}");
}

TEST(ValueEcho, IsCutBetweenCharacters) {
  std::string text = "[";
  for (std::size_t i = 0; i < kMaxEchoBytes; ++i) text += i == 0 ? "\"é\"" : ",\"é\"";
  const Shape shape = list_shape(kStringShape);
  const std::string out = echo(text + "]", shape);
  EXPECT_LE(out.size(), kMaxEchoBytes);
  EXPECT_GT(out.size(), kMaxEchoBytes - 8);
  EXPECT_NE(static_cast<unsigned char>(out.back()), 0xC3);
}

}  // namespace
}  // namespace magneto::api
