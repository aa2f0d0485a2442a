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

// The relevant parts of a function's result.
struct FunctionAnswer {
  // True if the answer reports an error although its status is 200. The Lambda runtime interface
  // emulator reports errors as {"errorMessage": ..., "errorType": ...}, and a timeout as a
  // sentence, both with status 200 (its source, invoke handler, 2021 to 2025).
  bool tells_of_error = false;
  // The sequence numbers in {"batchItemFailures": [{"itemIdentifier": "<sequence number>"}]}. Empty
  // if the answer names none; nullopt if its list has another form (AWS Lambda developer guide,
  // "Configuring partial batch response with DynamoDB and Lambda").
  std::optional<std::set<std::string>> failed_items = std::set<std::string>();
};

// Keeps the first bytes of an answer, which contain the error.
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

// Reads a function's answer while it arrives. Of an answer of any length, it keeps the beginning
// and the named records.
class FunctionAnswerReader final : public AnswerBeginning, private JsonScanner::Listener {
 public:
  // The length limit of a sequence number (DynamoDB Streams API reference, StreamRecord).
  static constexpr std::size_t kLongestItem = 40;
  // Memory for each named record, including the overhead of std::set.
  static constexpr std::size_t kBytesOfAnItem = 160;

  // A list with more than `most_items` numbers counts as malformed, since a batch has no more
  // records. With 0, named records are ignored.
  explicit FunctionAnswerReader(std::size_t most_items) : most_items_(most_items) {}

  void take(std::string_view bytes) override;
  // Call this once, when the whole answer has arrived.
  FunctionAnswer finish();

 private:
  // A member of the outermost object.
  enum class Member : std::uint8_t { kOther, kErrorMessage, kErrorType, kFailures };

  void name(std::string_view text) override;
  void value(JsonScanner::Kind kind, std::string_view text) override;
  void end() override;
  void read_failure(JsonScanner::Kind kind, std::string_view text);

  const std::size_t most_items_;
  JsonScanner scanner_{*this};
  bool is_empty_ = true;
  std::size_t depth_ = 0;  // number of open objects and arrays
  Member member_ = Member::kOther;
  bool is_item_ = false;      // the last name, in a failure, was "itemIdentifier"
  bool has_item_ = false;     // the current failure has an identifier
  bool has_message_ = false;  // there is an "errorMessage" with a text
  bool has_error_type_ = false;
  bool is_list_ = true;  // no error in the list so far
  std::set<std::string> items_;
};

FunctionAnswer read_function_answer(std::string_view body, std::size_t most_items);

}  // namespace magneto::server::feeds
