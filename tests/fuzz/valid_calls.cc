#include "tests/fuzz/valid_calls.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "api/operation_table.h"
#include "tests/fuzz/corpus.h"

namespace magneto::fuzz {
namespace {

// Removes and returns the region of "eu-west-1: DeleteTable {...}".
std::string take_region(std::string_view& line) {
  const std::size_t end = line.find(": ");
  if (end >= line.find(' ')) return {};
  std::string region(line.substr(0, end));
  line.remove_prefix(end + 2);
  return region;
}

}  // namespace

std::vector<ValidCall> read_calls(const std::string& path) {
  std::vector<ValidCall> calls;
  for (const CorpusInput& input : read_corpus(path)) {
    ValidCall valid;
    std::string_view rest = input.bytes;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const std::string region = take_region(line);
      const std::size_t blank = line.find(' ');
      const api::Operation* const operation = api::find_operation(line.substr(0, blank));
      if (operation == nullptr) throw std::runtime_error("no operation: " + std::string(line));
      if (valid.call.operation != nullptr) valid.before.push_back(std::move(valid.call));
      valid.call = {operation, std::string(line.substr(blank + 1)), region};
    }
    calls.push_back(std::move(valid));
  }
  return calls;
}

}  // namespace magneto::fuzz
