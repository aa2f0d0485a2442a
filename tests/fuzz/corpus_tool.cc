// Between a corpus and the files a fuzzer works with.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fuzz/corpus.h"

namespace magneto::fuzz {
namespace {

// Writes one file for each input.
void unpack(const std::string& corpus, const std::string& folder) {
  for (const CorpusInput& input : read_corpus(corpus)) {
    const std::string path = folder + "/line-" + std::to_string(input.line);
    std::ofstream file(path, std::ios::binary);
    file << input.bytes;
    file.flush();
    if (!file) throw std::runtime_error("cannot write " + path);
  }
}

void print_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::printf("%s\n", escape(bytes).c_str());
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "unpack") {
    unpack(arguments[1], arguments[2]);
  } else if (arguments.size() == 2 && arguments[0] == "line") {
    print_line(arguments[1]);
  } else {
    std::fprintf(stderr,
                 "fuzz_corpus unpack <corpus> <folder>   a file for each input\n"
                 "fuzz_corpus line <file>                an input as a line of a corpus\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace magneto::fuzz

int main(int argc, char** argv) {
  try {
    return magneto::fuzz::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_corpus: %s\n", error.what());
    return 2;
  }
}
