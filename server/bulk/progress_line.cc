#include "server/bulk/progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "server/system/terminal.h"

namespace magneto::server::bulk {
namespace {

constexpr std::chrono::milliseconds kOnTerminal{200};
constexpr std::chrono::seconds kElsewhere{10};
constexpr std::string_view kClearLine = "\r\x1B[K";

void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1), last_(Clock::now()) {}

ProgressLine::ProgressLine(std::function<void(std::string_view)> tell)
    : tell_(std::move(tell)), terminal_(false), last_(Clock::now()) {}

bool ProgressLine::is_due() const {
  if (tell_) return false;
  const auto time = Clock::now() - last_;
  return terminal_ ? time >= kOnTerminal : time >= kElsewhere;
}

void ProgressLine::update(std::string_view text) {
  if (tell_) return;
  last_ = Clock::now();
  if (terminal_) write(kClearLine);
  write(system::terminal_text(text));
  if (!terminal_) write("\n");
  shown_ = terminal_;
}

void ProgressLine::print(std::string_view text) {
  if (tell_) return tell_(text);
  clear();
  write(system::terminal_text(text));
  write("\n");
}

void ProgressLine::print_problem(std::string_view sentence) {
  if (tell_) return tell_(sentence);
  clear();
  server::system::print_problem(sentence);
}

void ProgressLine::clear() {
  if (shown_) write(kClearLine);
  shown_ = false;
}

}  // namespace magneto::server::bulk
