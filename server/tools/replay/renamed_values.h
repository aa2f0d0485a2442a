#pragma once

#include <functional>
#include <map>
#include <string>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// What the endpoint calls the iterators, tokens and streams of a journal: requests name what answers
// before them told.
class RenamedValues {
 public:
  // Strings of members with another value each time, where they stand in the same place of both.
  void learn(api::json::Value recorded, api::json::Value found);
  // The request with what was learnt.
  std::string rename(api::json::Value request) const;

 private:
  static constexpr std::size_t kMost = 100'000;

  void append(api::json::Value value, std::string& text) const;

  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace magneto::server::tools
