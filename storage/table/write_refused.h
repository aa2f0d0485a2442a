#pragma once

#include <exception>

namespace magneto::storage {

// Thrown by a write that storage refuses. Nothing is written. What derives from it carries the
// facts; the words are those of whoever answers.
class WriteRefused : public std::exception {
 public:
  const char* what() const noexcept override { return "a write was refused"; }
};

// Of a change of settings: the newest ones of another replica have not come to this table.
class SettingsBehind : public WriteRefused {};

}  // namespace magneto::storage
