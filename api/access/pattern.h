#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/access/context.h"
#include "api/access/meter.h"

namespace magneto::api::access {

// The special syntax that a text in a policy may use (AWS IAM user guide, "IAM JSON policy
// elements").
struct PatternSyntax {
  bool wildcards = false;  // * for any characters, ? for one
  bool variables = false;  // ${aws:username}, ${aws:username, 'otherwise'}, ${*}, ${?}, ${$}
  bool ignores_case = false;
};

// A text in a policy, as a pattern that other texts match. Immutable and thread-safe.
class Pattern {
 public:
  Pattern(std::string_view text, PatternSyntax syntax);

  // nullopt if a variable has no value, or several. The value of a variable is compared literally.
  // Takes at most as many steps as the product of both sizes.
  std::optional<bool> matches(std::string_view text, const Context& context, Meter& meter) const;

 private:
  using Code = std::vector<std::uint16_t>;  // bytes, and special codes above the bytes
  struct Variable {
    std::size_t place;  // the position in the code at which its value is inserted
    std::string name;   // in lower case
    std::optional<std::string> otherwise;
  };

  void append(std::string_view text);
  std::size_t read_variable(std::string_view text);
  std::optional<Code> resolve(const Context& context) const;

  PatternSyntax syntax_;
  bool is_plain_ = true;  // has neither wildcards nor variables
  std::string text_;      // of a plain pattern
  Code code_;             // of any other pattern
  std::vector<Variable> variables_;
};

// A pattern for an ARN. Each of the first five parts is matched on its own; "*" alone matches every
// text.
class ArnPattern {
 public:
  explicit ArnPattern(std::string_view text, bool variables);

  // nullopt as in Pattern.
  std::optional<bool> matches(std::string_view arn, const Context& context, Meter& meter) const;

 private:
  bool is_any_;
  std::vector<Pattern> parts_;
};

}  // namespace magneto::api::access
