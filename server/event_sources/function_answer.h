#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace magneto::server {

// What a function returned, as far as it matters here.
struct FunctionAnswer {
  // Though it is said to have returned well: the Lambda runtime interface emulator tells of errors by
  // {"errorMessage": ..., "errorType": ...}, and of the end of a function's time by a sentence, both with
  // status 200 (its source, invoke handler, 2021 to 2025).
  bool tells_of_error = false;
  // {"batchItemFailures": [{"itemIdentifier": "<sequence number>"}]}: the numbers; empty where it names
  // none, nullopt where it is no such list (AWS Lambda developer guide, "Configuring partial batch
  // response with DynamoDB and Lambda").
  std::optional<std::set<std::string>> failed_items = std::set<std::string>();
};

// Lists of more numbers than `most_items`, of which a batch has no more, are none; 0: what is named does
// not matter. Long bodies are parsed one at a time, whoever calls: that takes ten times their size.
FunctionAnswer read_function_answer(std::string body, std::size_t most_items);

}  // namespace magneto::server
