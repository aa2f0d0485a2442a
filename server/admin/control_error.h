#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace magneto::server::admin {

// Why a request of control is refused; nothing has changed then.
class ControlError : public std::runtime_error {
 public:
  ControlError(int status, std::string_view sentence)
      : std::runtime_error(std::string(sentence)), status_(status) {}
  int status() const { return status_; }  // of HTTP

 private:
  int status_;
};

}  // namespace magneto::server::admin
