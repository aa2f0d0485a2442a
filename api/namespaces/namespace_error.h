#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace magneto::api {

// An action on namespaces failed and changed nothing. what() is a sentence for the client.
class NamespaceError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    kInvalid,  // the request makes no sense
    kUnknown,  // there is no namespace with that name
    kTaken,    // there is one of that name
    kBusy,     // may succeed later
    kFull,     // a limit is reached
    kFailed,   // for example because of the disk
  };

  NamespaceError(Kind kind, std::string_view sentence)
      : std::runtime_error(std::string(sentence)), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace magneto::api
