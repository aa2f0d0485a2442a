#include "server/system/terminal.h"

#include <cstdio>

#include "server/system/command_line_messages.h"
#include "server/system/utf8.h"

namespace magneto::server::system {

std::string terminal_text(std::string_view text) {
  std::string lines;
  while (true) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines += sanitize_for_log(line, kLongestTerminalLine);
    if (line.size() > kLongestTerminalLine) lines += "...";
    if (line.size() == text.size()) return lines;
    text.remove_prefix(line.size() + 1);
    lines += '\n';
  }
}

void print_problem(std::string_view sentence) {
  const std::string line = messages::kLine(terminal_text(sentence));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace magneto::server::system
