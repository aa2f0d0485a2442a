#include "server/bulk/import/json_cutter.h"

#include <algorithm>
#include <array>

#include "server/formats/format.h"
#include "server/formats/messages.h"

namespace magneto::server::bulk {
namespace {

constexpr std::string_view kLastKey = "LastEvaluatedKey";  // of the API
constexpr std::string_view kNextToken = "NextToken";       // of the AWS CLI's --max-items
constexpr std::array<std::string_view, 8> kMembersOfAnswers = {
    "ConsumedCapacity", "Count",    "Items", kLastKey, kNextToken, "ScannedCount",
    "ResponseMetadata", "$metadata"};
constexpr std::string_view kItems = "Items";
// Longer names are not members of an answer.
constexpr std::size_t kLongestMember = 32;

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

bool is_member_of_answer(std::string_view name) {
  return std::ranges::find(kMembersOfAnswers, name) != kMembersOfAnswers.end();
}

std::size_t JsonCutter::cut(std::string_view text, formats::RecordBlock& block) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    take(text[i], block);
    if (text[i] == '\n') ++line_;
    if (block.text.size() >= formats::RecordBlocks::kBlockBytes) return i + 1;
  }
  return text.size();
}

void JsonCutter::finish() const {
  if (depth_ > 0) fail(formats::messages::kNoEndOfJson);
}

void JsonCutter::fail(std::string_view problem) const {
  throw formats::TransferFileError(
      formats::messages::kAtRecord(path_, in_item_ ? item_line_ : line_, problem));
}

void JsonCutter::take(char c, formats::RecordBlock& block) {
  if (in_item_) {
    // From here on an item is one line; white space outside strings has no meaning.
    const bool ends_line = c == '\n' || c == '\r';
    if (ends_line && in_string_) fail(formats::messages::kLineEndInString);
    item_ += ends_line ? ' ' : c;
    if (item_.size() > formats::kMaxRecordBytes) fail(formats::messages::kRecordTooLong);
  }
  if (in_string_) {
    take_in_string(c);
  } else {
    take_outside(c, block);
  }
}

void JsonCutter::take_in_string(char c) {
  const bool is_name = is_in_answer() && expects_name_ && depth_ == 1;
  const bool ends = c == '"' && !escaped_;
  if (is_name && !ends && name_.size() <= kLongestMember) name_ += c;
  escaped_ = c == '\\' && !escaped_;
  if (!ends) return;
  in_string_ = false;
  if (is_name) expects_name_ = false;
}

void JsonCutter::take_outside(char c, formats::RecordBlock& block) {
  if (is_white(c)) return;
  if (in_item_ || (in_answer_ && list_depth_ == 0)) return take_in_object(c, block);
  if (c == '{' || (c == '[' && depth_ == 0)) return begin_value(c);
  const bool in_list = list_depth_ > 0;
  if (in_list && c == ']') {
    --depth_;
    list_depth_ = 0;
  } else if (!in_list || c != ',') {
    fail(formats::messages::kNoJsonObjectHere);
  }
}

// Takes a character outside strings, in an item or in a skipped part of an answer.
void JsonCutter::take_in_object(char c, formats::RecordBlock& block) {
  look_at_member(c);
  if (c == '"') {
    in_string_ = true;
    // null and an empty object have no string, so there is no next page.
    if (is_in_answer() && !expects_name_ && (name_ == kLastKey || name_ == kNextToken)) {
      has_next_page_ = true;
    }
  }
  if (c == '{' || c == '[') ++depth_;
  if (c != '}' && c != ']') return;
  --depth_;
  if (in_item_ && depth_ == item_depth_) {
    block.text.append(item_).append("\n");
    block.lines.push_back(item_line_);
    item_.clear();
    in_item_ = false;
    may_be_answer_ = false;
    if (item_depth_ == 0) has_next_page_ = false;
  } else if (in_answer_ && depth_ == 0) {
    in_answer_ = false;
  }
}

// Begins an item, or an array of items.
void JsonCutter::begin_value(char c) {
  if (c == '[') {
    list_depth_ = ++depth_;
    return;
  }
  in_item_ = true;
  item_ = c;
  item_line_ = line_;
  item_depth_ = depth_++;
  may_be_answer_ = item_depth_ == 0;
  if (!may_be_answer_) return;
  has_next_page_ = false;
  expects_name_ = true;
  name_.clear();
}

// Tracks the members of an answer, or of an object that may be one.
void JsonCutter::look_at_member(char c) {
  if (!is_in_answer() || depth_ != 1) return;
  if (c == ',') {
    expects_name_ = true;
    name_.clear();
  } else if (!may_be_answer_) {
    return;
  } else if (c == ':') {
    may_be_answer_ = is_member_of_answer(name_);
  } else if (c == '[' && name_ == kItems) {
    in_item_ = false;
    item_.clear();
    may_be_answer_ = false;
    in_answer_ = true;
    list_depth_ = 2;
  }
}

}  // namespace magneto::server::bulk
