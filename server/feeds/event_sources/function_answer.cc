#include "server/feeds/event_sources/function_answer.h"

#include <utility>

namespace magneto::server::feeds {
namespace {

using JsonKind = JsonScanner::Kind;

constexpr std::string_view kTimedOut = "Task timed out after ";

// The depths in {"batchItemFailures": [{"itemIdentifier": ...}]}.
constexpr std::size_t kMembers = 1;
constexpr std::size_t kFailures = 2;
constexpr std::size_t kFailureMembers = 3;

}  // namespace

void FunctionAnswerReader::take(std::string_view bytes) {
  AnswerBeginning::take(bytes);
  is_empty_ = is_empty_ && bytes.empty();
  scanner_.take(bytes);
}

FunctionAnswer FunctionAnswerReader::finish() {
  const bool is_json = scanner_.finish();
  FunctionAnswer answer;
  answer.tells_of_error =
      text().starts_with(kTimedOut) || (is_json && has_message_ && has_error_type_);
  if (most_items_ == 0 || is_empty_) return answer;
  if (is_json && is_list_) {
    answer.failed_items = std::move(items_);
  } else {
    answer.failed_items.reset();
  }
  return answer;
}

void FunctionAnswerReader::name(std::string_view text) {
  if (depth_ == kMembers) {
    member_ = text == "errorMessage"        ? Member::kErrorMessage
              : text == "errorType"         ? Member::kErrorType
              : text == "batchItemFailures" ? Member::kFailures
                                            : Member::kOther;
  } else if (depth_ == kFailureMembers) {
    is_item_ = text == "itemIdentifier";
  }
}

void FunctionAnswerReader::value(JsonKind kind, std::string_view text) {
  if (depth_ == 0) {
    is_list_ = kind == JsonKind::kObject || kind == JsonKind::kNull;
    if (kind != JsonKind::kObject) member_ = Member::kOther;
  } else if (depth_ == kMembers) {
    if (member_ == Member::kErrorMessage) has_message_ = kind == JsonKind::kString;
    if (member_ == Member::kErrorType) has_error_type_ = kind == JsonKind::kString;
    if (member_ == Member::kFailures && kind != JsonKind::kArray && kind != JsonKind::kNull) {
      is_list_ = false;
    }
  } else if (member_ == Member::kFailures && is_list_) {
    read_failure(kind, text);
  }
  if (kind == JsonKind::kObject || kind == JsonKind::kArray) ++depth_;
}

void FunctionAnswerReader::read_failure(JsonKind kind, std::string_view text) {
  if (depth_ == kFailures) {
    is_list_ = kind == JsonKind::kObject;
    has_item_ = false;
    is_item_ = false;
  } else if (depth_ == kFailureMembers && is_item_) {
    is_list_ = kind == JsonKind::kString && !text.empty() && text.size() <= kLongestItem;
    if (is_list_ && most_items_ > 0) items_.emplace(text);
    if (items_.size() > most_items_) is_list_ = false;
    has_item_ = true;
  }
}

void FunctionAnswerReader::end() {
  --depth_;
  if (depth_ == kFailures && member_ == Member::kFailures && !has_item_) is_list_ = false;
}

FunctionAnswer read_function_answer(std::string_view body, std::size_t most_items) {
  FunctionAnswerReader reader(most_items);
  reader.take(body);
  return reader.finish();
}

}  // namespace magneto::server::feeds
