#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <variant>
#include <vector>

#include "server/main/command_line.h"

namespace magneto::server::main {

inline std::variant<Config, int> parse_words(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "magneto");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

inline Config accepted_config(const std::vector<const char*>& arguments) {
  const std::variant<Config, int> parsed = parse_words(arguments);
  EXPECT_TRUE(std::holds_alternative<Config>(parsed));
  return std::holds_alternative<Config>(parsed) ? std::get<Config>(parsed) : Config();
}

inline void expect_usage_error(const std::vector<const char*>& arguments,
                               const std::string& problem) {
  testing::internal::CaptureStderr();
  const std::variant<Config, int> parsed = parse_words(arguments);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "magneto: " + problem + " (magneto --help lists the flags)\n");
  ASSERT_TRUE(std::holds_alternative<int>(parsed)) << problem;
  EXPECT_EQ(std::get<int>(parsed), 2) << problem;
}

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const char* value) : name_(name) {
    ::setenv(name, value, 1);
  }
  ~EnvironmentVariable() { ::unsetenv(name_); }

 private:
  const char* const name_;
};

}  // namespace magneto::server::main
