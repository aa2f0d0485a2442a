#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "server/client/endpoint/http_connection.h"
#include "server/feeds/event_sources/json_scanner.h"

namespace magneto::server::feeds {

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

// Keeps the first bytes of an answer, which say what went wrong.
class AnswerBeginning : public client::AnswerBody {
 public:
  static constexpr std::size_t kMostBytes = 4096;

  void begin(std::uint64_t) override { text_.clear(); }
  void take(std::string_view bytes) override {
    text_.append(bytes.substr(0, kMostBytes - text_.size()));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Reads what a function returns while it comes. Of an answer of any length it keeps its beginning and
// the records that it names.
class FunctionAnswerReader final : public AnswerBeginning, private JsonScanner::Listener {
 public:
  // Of a record's sequence number (DynamoDB Streams API reference, StreamRecord).
  static constexpr std::size_t kLongestItem = 40;
  // What it holds of each record that is named, with what std::set takes.
  static constexpr std::size_t kBytesOfAnItem = 160;

  // Lists of more numbers than `most_items`, of which a batch has no more, are none; 0: what is named
  // does not matter.
  explicit FunctionAnswerReader(std::size_t most_items) : most_items_(most_items) {}

  void take(std::string_view bytes) override;
  // Once, when all of it came.
  FunctionAnswer finish();

 private:
  // Of the outermost object.
  enum class Member : std::uint8_t { kOther, kErrorMessage, kErrorType, kFailures };

  void name(std::string_view text) override;
  void value(JsonScanner::Kind kind, std::string_view text) override;
  void end() override;
  void read_failure(JsonScanner::Kind kind, std::string_view text);

  const std::size_t most_items_;
  JsonScanner scanner_{*this};
  bool is_empty_ = true;
  std::size_t depth_ = 0;  // of what is open
  Member member_ = Member::kOther;
  bool is_item_ = false;      // the name that was read last, in a failure
  bool has_item_ = false;     // the failure that is read
  bool has_message_ = false;  // "errorMessage", a text
  bool has_error_type_ = false;
  bool is_list_ = true;  // so far
  std::set<std::string> items_;
};

FunctionAnswer read_function_answer(std::string_view body, std::size_t most_items);

}  // namespace magneto::server::feeds
