#include "server/system/program_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace magneto::server::system {
namespace {

// Kilobytes of files that are mapped and present, of the process.
std::uint64_t present_file_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string name;
  std::uint64_t kilobytes = 0;
  for (std::string line; std::getline(status, line);) {
    std::istringstream(line) >> name >> kilobytes;
    if (name == "RssFile:") return kilobytes;
  }
  return 0;
}

// Work of many functions, and of constants in the program.
std::string work() {
  std::ostringstream text;
  text << 1.5 << " " << std::hex << 255 << " " << std::boolalpha << true;
  return text.str();
}

TEST(ProgramPages, FewerArePresentAfterwards) {
  const std::string before = work();
  const std::uint64_t present = present_file_kilobytes();
  release_program_pages();
  EXPECT_LT(present_file_kilobytes(), present);
  EXPECT_EQ(work(), before);
}

TEST(ProgramPages, ThreadsGoOnMeanwhile) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 2'000; ++round) EXPECT_EQ(work(), "1.5 ff true");
    });
  }
  for (int i = 0; i < 50; ++i) release_program_pages();
}

TEST(ProgramPages, ExceptionsFindTheirHandlers) {
  release_program_pages();
  EXPECT_THROW(throw std::runtime_error("thrown"), std::runtime_error);
}

}  // namespace
}  // namespace magneto::server::system
