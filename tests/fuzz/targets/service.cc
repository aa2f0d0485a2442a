// Calls, one after the other: an operation's name, a blank, and a body up to the end of the line.
#include <memory>
#include <string>

#include "api/operation.h"
#include "tests/fuzz/sample_database.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {

void fuzz_service(std::string_view input) {
  constexpr int kMaxCalls = 32;
  static std::unique_ptr<SampleDatabase> database;
  if (database == nullptr) database = std::make_unique<SampleDatabase>();
  bool changed = false;
  for (int calls = 0; calls < kMaxCalls && !input.empty(); ++calls) {
    const std::size_t end = input.find('\n');
    const std::string_view line = input.substr(0, end);
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    const std::size_t blank = line.find(' ');
    const std::string_view body =
        blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    const api::Operation* const operation = api::find_operation(line.substr(0, blank));
    const auto answer = database->call(operation, body);
    changed |= answer.status == 200 && operation != nullptr && operation->writes;
  }
  if (!changed) return;
  database->check_indexes();
  database.reset();
}

}  // namespace magneto::fuzz
