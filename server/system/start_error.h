#pragma once

#include <stdexcept>

namespace magneto::server::system {

// The server cannot start. what() is a sentence that tells the user what to do.
class StartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace magneto::server::system
