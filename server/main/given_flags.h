#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::main {

// The flags that a command line and the environment set. A start declares no others: CLI11 compares
// each new option with all before it, and declaring all took half of the instructions of a start.
class GivenFlags {
 public:
  // `environment`: entries "NAME=value"; nullptr ends the list.
  GivenFlags(const std::vector<std::string>& arguments, const char* const* environment);

  // Whether a flag is set. `names` are its short form, if it has one, and the flag: "-p,--port".
  bool has(std::string_view names) const;

 private:
  std::vector<std::string> flags_;      // each argument up to its "="
  std::vector<std::string> variables_;  // names of variables that begin with MAGNETO_
};

}  // namespace magneto::server::main
