// The answer of a function.
#include "server/feeds/event_sources/function_answer.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {

void fuzz_function_answer(std::string_view input) {
  constexpr std::size_t kMostItems = 4;
  const server::feeds::FunctionAnswer answer =
      server::feeds::read_function_answer(std::string(input), kMostItems);
  const server::feeds::FunctionAnswer ignored =
      server::feeds::read_function_answer(std::string(input), 0);
  require(answer.tells_of_error || !ignored.tells_of_error, "an error is one whoever asks");
  require(ignored.failed_items && ignored.failed_items->empty(), "nobody asked for items");
  if (!answer.failed_items) return;
  require(answer.failed_items->size() <= kMostItems, "no more failed than there were");
  // Writes the same list again.
  std::string list;
  for (const std::string& item : *answer.failed_items) {
    const bool is_plain =
        std::ranges::all_of(item, [](char c) { return c >= ' ' && c != '"' && c != '\\'; });
    if (!is_plain) return;
    list += (list.empty() ? R"({"itemIdentifier":")" : R"(,{"itemIdentifier":")") + item + R"("})";
  }
  const server::feeds::FunctionAnswer again =
      server::feeds::read_function_answer(R"({"batchItemFailures":[)" + list + "]}", kMostItems);
  require(again.failed_items == answer.failed_items, "what is named is named by itself", list);
}

}  // namespace magneto::fuzz
