#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::feeds {

// The reason why a text is not a filter pattern: a sentence.
class FilterPatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A pattern in an event source mapping's FilterCriteria, as in Lambda (AWS Lambda developer guide,
// "Control which events Lambda sends to your function", "Filter rule syntax"; EventBridge user
// guide, "Comparison operators for use in event patterns"). It is an object with the event's
// structure. Its leaves are lists of values and of prefix, suffix, equals-ignore-case,
// anything-but, numeric and exists. "$or" combines alternatives.
//
// A leaf matches if the event has a matching value at that path that is not an object; in a list,
// if one of its elements matches. The comparison without case covers ASCII letters only. Immutable
// and therefore usable on any thread.
class FilterPattern {
 public:
  static constexpr std::size_t kMaxBytes = 4096;  // of the text (Lambda API reference, Filter)

  // Throws FilterPatternError.
  explicit FilterPattern(std::string_view text);
  ~FilterPattern();
  FilterPattern(FilterPattern&&) noexcept;
  FilterPattern& operator=(FilterPattern&&) noexcept;

  // The time grows with the number of event values times the number of pattern values at each path.
  bool matches(api::json::Value event) const;

 private:
  struct Test;
  struct Field;
  struct Part;
  class Reader;

  std::unique_ptr<const Part> part_;
};

}  // namespace magneto::server::feeds
