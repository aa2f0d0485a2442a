#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "api/json/json_reader.h"

// The JSON of control settings (api/faults, api/journal), read strictly: a member without effect
// would mislead the person or the test that sends it.
namespace magneto::api {

// A request that changes or reads control settings is refused.
class ControlError : public std::exception {
 public:
  explicit ControlError(std::string sentence, int status = 400)
      : sentence_(std::move(sentence)), status_(status) {}
  const std::string& sentence() const { return sentence_; }  // for the client
  int status() const { return status_; }                     // of HTTP

 private:
  const char* what() const noexcept override { return sentence_.c_str(); }

  std::string sentence_;
  int status_;
};

// The members of a JSON object. Every function throws ControlError with a sentence that names the
// member; absent members give nullopt, and null is no value of any kind. At most 32 are known.
class StrictObject {
 public:
  // Refuses what is no object, members beside `known`, and those that are there twice. `where`: "the rule".
  StrictObject(json::Value object, std::string_view where, std::span<const std::string_view> known);
  StrictObject(json::Object object, std::string_view where,
               std::span<const std::string_view> known);

  json::Value value(std::string_view name) const { return members_.find(name); }
  bool has(std::string_view name) const { return static_cast<bool>(value(name)); }
  // Not empty, and of at most so many bytes.
  std::optional<std::string_view> string(std::string_view name, std::size_t max_bytes) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<double> number(std::string_view name, double least, double most) const;
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least,
                                    std::int64_t most) const;
  std::optional<std::chrono::nanoseconds> duration(std::string_view name,
                                                   std::chrono::nanoseconds most) const;

 private:
  json::Object members_;
};

// A duration that stands for itself, under the name of its member.
std::chrono::nanoseconds read_duration(json::Value value, std::string_view name,
                                       std::chrono::nanoseconds most);

}  // namespace magneto::api
