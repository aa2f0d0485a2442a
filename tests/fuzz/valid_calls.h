#pragma once

#include <string>
#include <vector>

#include "api/operation.h"

// The calls of valid_calls.txt.
namespace magneto::fuzz {

struct Call {
  const api::Operation* operation = nullptr;
  std::string body;
  std::string region;  // empty: that of all others
};

// A call of the list, and those that prepare it.
struct ValidCall {
  std::vector<Call> before;
  Call call;
};

// Throws std::runtime_error where the file has what is no call.
std::vector<ValidCall> read_calls(const std::string& path);

}  // namespace magneto::fuzz
