#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::feeds {

// Why a text is no filter pattern: a sentence.
class FilterPatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A pattern of an event source mapping's FilterCriteria, as Lambda has them (AWS Lambda developer
// guide, "Control which events Lambda sends to your function", "Filter rule syntax"; EventBridge
// user guide, "Comparison operators for use in event patterns"): an object like the event, whose
// leaves are lists of values and of prefix, suffix, equals-ignore-case, anything-but, numeric and
// exists; "$or" between parts.
//
// A leaf matches where the event has a value of that path that is no object; of a list, where one of
// its elements does. Letters are compared without case in ASCII alone. Immutable: for any threads.
class FilterPattern {
 public:
  static constexpr std::size_t kMaxBytes = 4096;  // of the text (Lambda API reference, Filter)

  // Throws FilterPatternError.
  explicit FilterPattern(std::string_view text);
  ~FilterPattern();
  FilterPattern(FilterPattern&&) noexcept;
  FilterPattern& operator=(FilterPattern&&) noexcept;

  // Takes time for each value of the event times each of the pattern's at its path.
  bool matches(api::json::Value event) const;

 private:
  struct Test;
  struct Field;
  struct Part;
  class Reader;

  std::unique_ptr<const Part> part_;
};

}  // namespace magneto::server::feeds
