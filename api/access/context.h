#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace magneto::api::access {

// The condition keys of one request with their values. A key is absent if the request defines no
// value for it.
class Context {
 public:
  using Values = std::vector<std::string>;

  // Keys that are not set here are looked up in `base`, which must outlive this object.
  explicit Context(const Context* base = nullptr) : base_(base) {}

  // `key` in lower case: the case of key names does not matter.
  void set(std::string_view key, Values values) {
    entries_.emplace_back(std::string(key), std::move(values));
  }
  void set(std::string_view key, std::string value) {
    Values values;
    values.push_back(std::move(value));
    set(key, std::move(values));
  }

  // nullptr if the key is absent. `key` in lower case.
  const Values* find(std::string_view key) const {
    for (const auto& [name, values] : entries_) {
      if (name == key) return &values;
    }
    return base_ == nullptr ? nullptr : base_->find(key);
  }

 private:
  const Context* base_;
  std::vector<std::pair<std::string, Values>> entries_;
};

}  // namespace magneto::api::access
