#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/formats/record_blocks.h"

namespace magneto::server::bulk {

// Cuts a text of JSON values into items by its brackets, character by character. So a value may
// span many lines, and the text may have any length. An item is one of:
//   an object at the top level
//   an element of an array at the top level
//   an element of Items in an answer of Scan or Query: an object with an array Items, before which
//   only members that is_member_of_answer() knows may come; its other members are skipped
// The code that parses the items checks them.
class JsonCutter {
 public:
  // `path` is the file's name for messages.
  explicit JsonCutter(std::string path) : path_(std::move(path)) {}

  // Appends items of `text` to the block, one per line, until the block is full. Returns the number
  // of bytes that it used. Throws TransferFileError if a value is too long, or is not an item where
  // one is expected.
  std::size_t cut(std::string_view text, formats::RecordBlock& block);
  // Call this after the last text. Throws TransferFileError if a value has no end.
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
  // Whether the members at depth 1 belong to an answer, or to an object that may be one.
  bool is_in_answer() const { return may_be_answer_ || (in_answer_ && list_depth_ == 0); }

  const std::string path_;
  std::size_t line_ = 1;
  std::size_t depth_ = 0;  // number of open brackets
  bool in_string_ = false;
  bool escaped_ = false;

  // The depth inside the array whose elements are items; 0 if there is none.
  std::size_t list_depth_ = 0;
  bool in_answer_ = false;  // inside an object whose Items were found
  bool has_next_page_ = false;

  // The item that is being read.
  std::string item_;
  bool in_item_ = false;
  std::size_t item_depth_ = 0;  // depth around the item
  std::size_t item_line_ = 1;
  // True for an object at the top level that may turn out to be an answer.
  bool may_be_answer_ = false;
  // These two concern the members of an answer, or of an object that may be one.
  bool expects_name_ = false;
  std::string name_;
};

// Whether answers of Scan and Query have this member, as AWS's tools print them and SDKs return
// them.
bool is_member_of_answer(std::string_view name);

}  // namespace magneto::server::bulk
