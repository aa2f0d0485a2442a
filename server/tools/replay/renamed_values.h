#pragma once

#include <functional>
#include <map>
#include <string>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// Maps the iterators, tokens and streams in a journal to those of the endpoint. Requests contain
// such values from earlier answers.
class RenamedValues {
 public:
  // Learns the strings of members with a new value in each answer, if both answers have one in the
  // same place.
  void learn(api::json::Value recorded, api::json::Value found);
  // The request with the learned values.
  std::string rename(api::json::Value request) const;

 private:
  static constexpr std::size_t kMost = 100'000;

  void append(api::json::Value value, std::string& text) const;

  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace magneto::server::tools
