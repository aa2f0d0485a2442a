#pragma once

#include <chrono>
#include <string_view>

namespace magneto::server::bulk {

// Tells on standard error how far a command is: on a terminal in one line that is written over,
// else in a line every ten seconds. All as terminal_text(). For one thread.
class ProgressLine {
 public:
  ProgressLine();

  // Whether update() would show something now, so that the text need not be made in vain.
  bool is_due() const;
  void update(std::string_view text);
  // A line that stays.
  void print(std::string_view text);
  // The same of what went wrong, as print_problem().
  void print_problem(std::string_view sentence);

 private:
  void clear();

  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  bool shown_ = false;  // the line that is written over has text
  Clock::time_point last_;
};

}  // namespace magneto::server::bulk
