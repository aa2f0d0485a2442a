// The targets as libFuzzer runs them. FUZZ_TARGET in the environment names the one to run, which
// also brings its dictionaries, as one file, since libFuzzer takes no more.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/targets.h"

namespace {
const magneto::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const char* const name = std::getenv("FUZZ_TARGET");
  chosen = magneto::fuzz::find_target(name != nullptr ? name : "");
  if (chosen == nullptr) {
    std::fprintf(stderr, "FUZZ_TARGET must be the name of a file in tests/fuzz/targets\n");
    std::exit(2);
  }
  static std::vector<std::string> options;
  // The records of a live database hang in memory that the check for leaks does not search; the one
  // at the end of the program comes after the database.
  options.emplace_back("-detect_leaks=0");
  if (!chosen->dictionaries.empty()) {
    const auto whole = std::filesystem::temp_directory_path() /
                       ("magneto-fuzz-" + std::string(chosen->name) + ".dict");
    std::ofstream out(whole);
    for (const std::string& path : magneto::fuzz::dictionary_paths(
             MAGNETO_SOURCE_DIR "/tests/fuzz/dictionaries", chosen->dictionaries)) {
      out << std::ifstream(path).rdbuf();
    }
    options.push_back("-dict=" + whole.string());
  }
  static std::vector<char*> arguments(*argv, *argv + *argc);
  for (std::string& option : options) arguments.push_back(option.data());
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
