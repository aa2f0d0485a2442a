// Runs one target over its corpus and a fixed number of its mutations, or over files: the work of a
// fuzzer, without one.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

constexpr std::uint64_t kMutations = 5'000;

const std::string kFolder = MAGNETO_SOURCE_DIR "/tests/fuzz/";

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The inputs of one run: those of the corpus, then mutations of them.
class Inputs {
 public:
  explicit Inputs(const Target& target)
      : corpus_(read_corpus(kFolder + "corpus/" + std::string(target.name) + ".txt")) {
    if (corpus_.empty()) throw std::runtime_error("the corpus is empty");
    for (const std::string& path :
         dictionary_paths(kFolder + "dictionaries", target.dictionaries)) {
      const std::vector<std::string> words = read_dictionary(path);
      words_.insert(words_.end(), words.begin(), words.end());
    }
  }

  std::uint64_t corpus_size() const { return corpus_.size(); }
  std::string make(std::uint64_t number) {
    return number < corpus_.size() ? corpus_[number].bytes : mutator_.make(number);
  }
  std::string describe(std::uint64_t number) const {
    return number < corpus_.size()
               ? "line " + std::to_string(corpus_[number].line) + " of the corpus"
               : "mutation " + std::to_string(number);
  }

 private:
  std::vector<CorpusInput> corpus_;
  std::vector<std::string> words_;
  Mutator mutator_{corpus_, words_};
};

// Runs everything in a child process, which counts its inputs in shared memory. However it ends,
// the input is known.
int run_corpus(const Target& target, std::uint64_t mutations) {
  Inputs inputs(target);
  void* const shared = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  auto& current = *new (shared) std::atomic<std::uint64_t>{0};
  const std::uint64_t end = inputs.corpus_size() + mutations;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    target.run({});
    for (std::uint64_t number = 0; number < end; ++number) {
      current = number;
      target.run(inputs.make(number));
    }
    std::exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost the child process");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    std::printf("%.*s: %llu inputs\n", static_cast<int>(target.name.size()), target.name.data(),
                static_cast<unsigned long long>(end));
    return 0;
  }
  const std::string file = "crash-" + std::string(target.name);
  std::ofstream(file, std::ios::binary) << inputs.make(current);
  std::fprintf(stderr, "%s fails; it is kept in %s\n%s\n", inputs.describe(current).c_str(),
               file.c_str(), escape(inputs.make(current)).c_str());
  return 1;
}

int run_files(const Target& target, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    target.run(read_file(path));
  }
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "fuzz_replay <target>               the corpus and mutations of it\n"
               "fuzz_replay <target> --mutations N\n"
               "fuzz_replay <target> <file>...     these inputs\nTargets:");
  for (const Target& target : kTargets) {
    std::fprintf(stderr, " %.*s", static_cast<int>(target.name.size()), target.name.data());
  }
  std::fprintf(stderr, "\n");
  return 2;
}

int run_replay(const std::vector<std::string>& arguments) {
  const Target* const target = arguments.empty() ? nullptr : find_target(arguments.front());
  if (target == nullptr) return usage();
  if (arguments.size() == 1) return run_corpus(*target, kMutations);
  if (arguments[1] != "--mutations") {
    return run_files(*target, {arguments.begin() + 1, arguments.end()});
  }
  return arguments.size() == 3 ? run_corpus(*target, std::stoull(arguments[2])) : usage();
}

}  // namespace
}  // namespace magneto::fuzz

int main(int argc, char** argv) {
  try {
    return magneto::fuzz::run_replay({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_replay: %s\n", error.what());
    return 2;
  }
}
