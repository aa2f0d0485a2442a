#pragma once

#include <exception>

namespace magneto::storage {

// Thrown by a write that storage refuses. Nothing is written. Derived classes carry the facts; the
// layer that answers the request chooses the words.
class WriteRefused : public std::exception {
 public:
  const char* what() const noexcept override { return "a write was refused"; }
};

// Thrown by a change of settings: the newest settings of another replica have not arrived at this
// table.
class SettingsBehind : public WriteRefused {};

}  // namespace magneto::storage
