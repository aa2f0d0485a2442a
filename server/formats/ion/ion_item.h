#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::formats {

// Builds the typed JSON of an item from the values of one Amazon Ion record,
//
//   {Item:{name:"text",count:1.5,tags:$dynamodb_SS::["a"]}}
//
// in the format of DynamoDB's exports and imports (DynamoDB Developer Guide, "DynamoDB table export
// output format"). Strings, decimals, blobs, booleans, nulls, structs and lists become S, N, B,
// BOOL, NULL, M and L; lists with an annotation become sets. A reader of either Ion encoding calls
// one function per value, in order. The class detects records that are not items and appends
// nothing from there on.
class IonItem {
 public:
  enum class Set : std::uint8_t { kNone, kStrings, kNumbers, kBlobs };

  // Deeper values are refused; DynamoDB takes 32 levels.
  static constexpr std::size_t kMaxLevels = 64;

  // The set that an annotation of a list stands for; kNone if DynamoDB does not know the
  // annotation.
  static Set set_of(std::string_view annotation);

  // Starts another record.
  void clear();

  void string(std::string_view text);    // UTF-8
  void number(std::string_view digits);  // in JSON's form: "-1.5E3"
  void blob(std::string_view bytes);
  void boolean(bool value);
  void null();
  void begin_struct();
  void field(std::string_view name);  // name of the next value
  void end_struct() { end(); }
  void begin_list(Set set);
  void end_list() { end(); }

  // Refuses the record: it cannot be imported for this reason. Only the first reason counts.
  void refuse(std::string_view problem);
  const std::optional<std::string_view>& problem() const { return problem_; }

  bool is_too_deep() const { return frames_.size() > kMaxLevels; }
  // {"Item":{...}} without a line feed, valid after all calls if nothing was refused.
  const std::string& line() const { return line_; }

 private:
  enum class Frame : std::uint8_t { kRecord, kItem, kMap, kList, kStrings, kNumbers, kBlobs };

  // Called before and after a value of the type "S". Returns false if the value must not be
  // written.
  bool begin_value(std::string_view type, Frame set);
  void end_value();
  void separate();
  void open(Frame frame, char bracket);
  void end();

  std::string line_;
  std::vector<Frame> frames_;
  std::optional<std::string_view> problem_;
  bool at_start_ = true;  // at the start of a struct or list
  bool has_item_ = false;
};

}  // namespace magneto::server::formats
