#include "server/tools/transfer_command_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace magneto::server::tools {
namespace {

std::size_t workers_of_import(std::vector<std::string> place) {
  std::vector<std::string> words = {"magneto", "import", "--table", "Orders", "orders.json"};
  std::ranges::move(place, std::back_inserter(words));
  std::vector<const char*> arguments;
  arguments.reserve(words.size());
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const auto parsed =
      parse_transfer_command_line(static_cast<int>(arguments.size()), arguments.data());
  return std::get<ImportOptions>(std::get<TransferOptions>(parsed).command).workers;
}

TEST(TransferCommandLineTest, WorkersAreAsManyAsProcessorsOnThisMachine) {
  const std::size_t processors = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  const std::size_t beside_server = std::clamp<std::size_t>(processors, 2, 8);
  for (const char* const here : {"http://localhost:8000", "http://127.0.0.1:8000",
                                 "http://127.8.9.1", "https://[::1]:8443", "http://LOCALHOST:1"}) {
    EXPECT_EQ(workers_of_import({"--to", here}), beside_server) << here;
  }
  EXPECT_EQ(workers_of_import({"--data-dir", "data"}), processors);
}

TEST(TransferCommandLineTest, AFixedNumberWaitsForOtherMachines) {
  for (const char* const elsewhere : {"http://magneto:8000", "http://10.0.0.7:8000", "aws",
                                      "aws:eu-west-1", "https://localhost.example.org"}) {
    EXPECT_EQ(workers_of_import({"--to", elsewhere}), 8) << elsewhere;
  }
}

TEST(TransferCommandLineTest, GivenWorkersAreKept) {
  EXPECT_EQ(workers_of_import({"--to", "http://localhost:8000", "--workers", "256"}), 256);
  EXPECT_EQ(workers_of_import({"--data-dir", "data", "--workers", "1"}), 1);
}

}  // namespace
}  // namespace magneto::server::tools
