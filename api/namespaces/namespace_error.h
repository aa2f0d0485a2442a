#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace magneto::api {

// Something about namespaces cannot be done; nothing has changed. what() is a sentence for whoever
// asked for it.
class NamespaceError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    kInvalid,  // what was asked for makes no sense
    kUnknown,  // there is none of that name
    kTaken,    // there is one of that name
    kBusy,     // later it may work
    kFull,     // a bound is reached
    kFailed,   // the disk, for example
  };

  NamespaceError(Kind kind, std::string_view sentence)
      : std::runtime_error(std::string(sentence)), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace magneto::api
