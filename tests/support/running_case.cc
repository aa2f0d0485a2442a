// Prints the name of the running test case if the program dies, or if one case takes long. With
// --gtest_brief=1 no other output has it. tests/failures.py searches these lines.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace magneto {
namespace {

constexpr unsigned kLongCaseSeconds = 300;  // ctest ends the program after 1200 s, without output

// A sanitizer prints more about a crash.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitizerReportsDeaths = true;
#else
constexpr bool kSanitizerReportsDeaths = false;
#endif

// Plain bytes, since signal handlers read it.
std::array<char, 512> running_case_name{};

void write_line(const char* begin, const char* end) {
  for (const char* part : {begin, static_cast<const char*>(running_case_name.data()), end}) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, part, std::strlen(part));
  }
}

void tell_of_death(int number) {
  std::array<char, 3> digits{static_cast<char>('0' + number / 10),
                             static_cast<char>('0' + number % 10), '\0'};
  write_line("[  ENDED   ] ", ", by signal ");
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, digits.data(), 2);
  [[maybe_unused]] const ssize_t end = ::write(STDERR_FILENO, "\n", 1);
  ::raise(number);  // its default handler is set again
}

void tell_of_time(int) { write_line("[ RUNNING  ] ", ", for 300 s by now\n"); }

// Sets the timer; 0 stops it.
void ring_after(int seconds) {
  const itimerval time{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  ::setitimer(ITIMER_REAL, &time, nullptr);
}

class RunningCase : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    const std::size_t size = std::min(name.size(), running_case_name.size() - 1);
    std::memcpy(running_case_name.data(), name.data(), size);
    running_case_name.at(size) = '\0';
    ring_after(kLongCaseSeconds);
  }

  void OnTestEnd(const ::testing::TestInfo&) override { ring_after(0); }
};

void set_handler(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(number, &action, nullptr);
}

const bool is_running_case_told = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new RunningCase);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    if (!kSanitizerReportsDeaths) set_handler(number, tell_of_death, SA_RESETHAND | SA_NODEFER);
  }
  set_handler(SIGALRM, tell_of_time, SA_RESTART);
  return true;
}();

}  // namespace
}  // namespace magneto
