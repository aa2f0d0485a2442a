#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/formats/record_blocks.h"

namespace magneto::server::bulk {

// Cuts a text of JSON values into items by its brackets, character by character, so that a value may
// take many lines and the text be of any length. An item is
//   an object that stands by itself
//   an element of an array that stands by itself
//   an element of Items, in an answer of Scan or Query: an object whose member Items is an array and
//   follows no others than is_member_of_answer() knows. Its other members are passed over.
// Items are checked by who parses them.
class JsonCutter {
 public:
  // `path` is for messages.
  explicit JsonCutter(std::string path) : path_(std::move(path)) {}

  // Appends items of `text` to the block, each as a line, until the block is full. How many bytes it
  // took. Throws TransferFileError for what is no item where one is expected, or is too long.
  std::size_t cut(std::string_view text, formats::RecordBlock& block);
  // Behind the last text. Throws TransferFileError when a value has no end.
  void finish() const;
  // Whether the last answer has a LastEvaluatedKey or a NextToken.
  bool has_next_page() const { return has_next_page_; }

 private:
  void take(char c, formats::RecordBlock& block);
  void take_in_string(char c);
  void take_outside(char c, formats::RecordBlock& block);
  void take_in_object(char c, formats::RecordBlock& block);
  void begin_value(char c);
  void look_at_member(char c);
  [[noreturn]] void fail(std::string_view problem) const;
  // Whether what is read at depth 1 are members of an answer, or of what may be one.
  bool is_in_answer() const { return may_be_answer_ || (in_answer_ && list_depth_ == 0); }

  const std::string path_;
  std::size_t line_ = 1;
  std::size_t depth_ = 0;  // brackets that are open
  bool in_string_ = false;
  bool escaped_ = false;

  // The array whose elements are items, by the depth in it; 0: there is none.
  std::size_t list_depth_ = 0;
  bool in_answer_ = false;  // an object whose Items were found
  bool has_next_page_ = false;

  // The item that is being read.
  std::string item_;
  bool in_item_ = false;
  std::size_t item_depth_ = 0;  // around it
  std::size_t item_line_ = 1;
  // Of one that stands by itself, which may turn out to be an answer.
  bool may_be_answer_ = false;
  // Of the members of an answer, or of what may be one.
  bool expects_name_ = false;
  std::string name_;
};

// Whether answers of Scan and Query have it, as AWS's tools print and SDKs return them.
bool is_member_of_answer(std::string_view name);

}  // namespace magneto::server::bulk
