#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/access/context.h"
#include "api/access/meter.h"

namespace magneto::api::access {

// What means something in a text of a policy (AWS IAM user guide, "IAM JSON policy elements").
struct PatternSyntax {
  bool wildcards = false;  // * for any characters, ? for one
  bool variables = false;  // ${aws:username}, ${aws:username, 'otherwise'}, ${*}, ${?}, ${$}
  bool ignores_case = false;
};

// Which texts a text of a policy stands for. Immutable and thread-safe.
class Pattern {
 public:
  Pattern(std::string_view text, PatternSyntax syntax);

  // nullopt where a variable has no value, or several. What variables stand for is taken as it is.
  // Takes at most as many steps as the product of both sizes.
  std::optional<bool> matches(std::string_view text, const Context& context, Meter& meter) const;

 private:
  using Code = std::vector<std::uint16_t>;  // bytes, and what is above them
  struct Variable {
    std::size_t place;  // in the code, where its value is to stand
    std::string name;   // in lower case
    std::optional<std::string> otherwise;
  };

  void append(std::string_view text);
  std::size_t read_variable(std::string_view text);
  std::optional<Code> resolve(const Context& context) const;

  PatternSyntax syntax_;
  bool is_plain_ = true;  // neither wildcards nor variables
  std::string text_;      // of a plain one
  Code code_;             // of others
  std::vector<Variable> variables_;
};

// An ARN, whose first five parts are matched each for itself; "*" alone is every text.
class ArnPattern {
 public:
  explicit ArnPattern(std::string_view text, bool variables);

  // nullopt as Pattern.
  std::optional<bool> matches(std::string_view arn, const Context& context, Meter& meter) const;

 private:
  bool is_any_;
  std::vector<Pattern> parts_;
};

}  // namespace magneto::api::access
