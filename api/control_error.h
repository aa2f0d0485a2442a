#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace magneto::api {

// A request of the control interface is refused; nothing has changed then.
class ControlError : public std::exception {
 public:
  explicit ControlError(std::string_view sentence, int status = 400)
      : sentence_(sentence), status_(status) {}
  const std::string& sentence() const { return sentence_; }  // for the client
  int status() const { return status_; }                     // of HTTP

 private:
  const char* what() const noexcept override { return sentence_.c_str(); }

  std::string sentence_;
  int status_;
};

}  // namespace magneto::api
