#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace magneto::server::bulk {

// Shows the progress of a command on standard error. On a terminal it overwrites one line;
// otherwise it prints a line every ten seconds. All texts are written as terminal_text(). For one
// thread.
class ProgressLine {
 public:
  ProgressLine();
  // Passes the lines that stay to `tell`, instead of printing them; nothing else is shown.
  explicit ProgressLine(std::function<void(std::string_view)> tell);

  // Whether update() would show its text now. Otherwise the caller need not make the text.
  bool is_due() const;
  void update(std::string_view text);
  // Prints a line that stays.
  void print(std::string_view text);
  // Prints a line about a problem, as print_problem() does.
  void print_problem(std::string_view sentence);

 private:
  void clear();

  using Clock = std::chrono::steady_clock;

  const std::function<void(std::string_view)> tell_;  // empty: lines are printed
  const bool terminal_;
  bool shown_ = false;  // the overwritten line has text
  Clock::time_point last_;
};

}  // namespace magneto::server::bulk
