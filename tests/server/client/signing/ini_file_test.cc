#include "server/client/signing/ini_file.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::client {
namespace {

// "[name:line] name=value:line ..." of each section; a fault as "line: problem".
std::string describe(std::string_view text) {
  const auto parsed = read_ini(text);
  if (const auto* fault = std::get_if<IniFault>(&parsed)) {
    return std::to_string(fault->line) + ": " + std::string(fault->problem);
  }
  std::string all;
  for (const IniSection& section : std::get<std::vector<IniSection>>(parsed)) {
    all.append("[").append(section.name).append(":").append(std::to_string(section.line) + "]");
    for (const IniProperty& property : section.properties) {
      all.append(" ").append(property.name).append("=").append(property.value).append(":");
      all.append(std::to_string(property.line));
    }
  }
  return all;
}

TEST(ReadIni, ReadsSectionsAndProperties) {
  EXPECT_EQ(describe(""), "");
  EXPECT_EQ(describe("\n# a\n ; b\n\t\n"), "");
  EXPECT_EQ(describe("[default]\na = b\nC=d=e\r\nf=\n[ profile x ]\r\ng =  h i  "),
            "[default:1] a=b:2 c=d=e:3 f=:4[profile x:5] g=h i:6");
  EXPECT_EQ(describe("\xEF\xBB\xBF[a] # why\n[b]; so"), "[a:1][b:2]");
  EXPECT_EQ(describe("[a]\nb=1\nb=2"), "[a:1] b=1:2 b=2:3");
}

TEST(ReadIni, CutsCommentsBehindBlanks) {
  EXPECT_EQ(describe("[a]\nb = c#d;e # f\ng = h ; i\nj = # k"), "[a:1] b=c#d;e:2 g=h:3 j=:4");
}

TEST(ReadIni, TakesIndentedLinesForThePropertyBefore) {
  EXPECT_EQ(describe("[a]\ns3 =\n  x = 1\n\n  y = 2\nb = c"), "[a:1] s3=\nx = 1\ny = 2:2 b=c:6");
  EXPECT_EQ(describe("[a]\n  b = 1\n  c = 2\n    d\n[e]\n  f = 3"),
            "[a:1] b=1:2 c=2\nd:3[e:5] f=3:6");
}

TEST(ReadIni, SaysWhichLineIsWrong) {
  EXPECT_EQ(describe("a = b"), "1: a property before the first [section]");
  EXPECT_EQ(describe("[a]\n\nsecret"), "3: neither a [section] nor a property with '='");
  EXPECT_EQ(describe("[a]\n = secret"), "2: no name before '='");
  EXPECT_EQ(describe("[a\nb=c"), "1: a [section] without its end");
  EXPECT_EQ(describe("[ ]"), "1: a [section] without a name");
  EXPECT_EQ(describe("[a] b"), "1: text behind a [section]");
  EXPECT_EQ(describe(std::string_view("[a]\nb=\0", 7)), "2: a zero byte");
}

}  // namespace
}  // namespace magneto::server::client
