#include "server/system/terminal.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::system {
namespace {

TEST(Terminal, GetsLinesWithoutControlCharacters) {
  EXPECT_EQ(terminal_text("two\n  lines\n"), "two\n  lines\n");
  EXPECT_EQ(terminal_text("\x1B]0;title\x07red \x1B[31m\r\u009Bx\xFF"),
            " ]0;title red  [31m  x\uFFFD");
  EXPECT_EQ(terminal_text(""), "");
}

TEST(Terminal, CutsLongLines) {
  const std::string longest(kLongestTerminalLine, 'x');
  EXPECT_EQ(terminal_text(longest + "\n" + longest), longest + "\n" + longest);
  EXPECT_EQ(terminal_text(longest + "y\nz"), longest + "...\nz");
}

TEST(Terminal, ProblemsHaveOneForm) {
  testing::internal::CaptureStderr();
  print_problem("this\x1B went\nwrong");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "magneto: this  went\nwrong\n");
}

}  // namespace
}  // namespace magneto::server::system
