#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::formats {

// Puts the typed JSON of an item together from the values of one record of Amazon Ion,
//
//   {Item:{name:"text",count:1.5,tags:$dynamodb_SS::["a"]}}
//
// as exports and imports of DynamoDB have it (DynamoDB Developer Guide, "DynamoDB table export output
// format"): strings, decimals, blobs, booleans, nulls, structs and lists are S, N, B, BOOL, NULL, M
// and L; lists with an annotation are sets. A reader of either encoding calls one function for each
// value, in order. What is no item is found out here; nothing is appended from then on.
class IonItem {
 public:
  enum class Set : std::uint8_t { kNone, kStrings, kNumbers, kBlobs };

  // Deeper values are refused; DynamoDB takes 32 levels.
  static constexpr std::size_t kMaxLevels = 64;

  // That of an annotation of a list; kNone where it says nothing to DynamoDB.
  static Set set_of(std::string_view annotation);

  // Begins another record.
  void clear();

  void string(std::string_view text);    // UTF-8
  void number(std::string_view digits);  // as JSON would have it: "-1.5E3"
  void blob(std::string_view bytes);
  void boolean(bool value);
  void null();
  void begin_struct();
  void field(std::string_view name);  // of the value that follows
  void end_struct() { end(); }
  void begin_list(Set set);
  void end_list() { end(); }

  // The record is none that can be imported, for this reason. The first one stays.
  void refuse(std::string_view problem);
  const std::optional<std::string_view>& problem() const { return problem_; }

  bool is_too_deep() const { return frames_.size() > kMaxLevels; }
  // {"Item":{...}} without an end of line, once all has been called and nothing was refused.
  const std::string& line() const { return line_; }

 private:
  enum class Frame : std::uint8_t { kRecord, kItem, kMap, kList, kStrings, kNumbers, kBlobs };

  // Before and after a value of the type "S". False: it is not to be written.
  bool begin_value(std::string_view type, Frame set);
  void end_value();
  void separate();
  void open(Frame frame, char bracket);
  void end();

  std::string line_;
  std::vector<Frame> frames_;
  std::optional<std::string_view> problem_;
  bool at_start_ = true;  // of a struct or list
  bool has_item_ = false;
};

}  // namespace magneto::server::formats
