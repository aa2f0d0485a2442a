#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace magneto::api::access {

// The condition keys of one request with their values. A key that is not known of the request is
// absent, whatever its name.
class Context {
 public:
  using Values = std::vector<std::string>;

  // What is not set here is looked for in `base`, which must outlive this.
  explicit Context(const Context* base = nullptr) : base_(base) {}

  // `key` in lower case, as names of keys have none.
  void set(std::string_view key, Values values) {
    entries_.emplace_back(std::string(key), std::move(values));
  }
  void set(std::string_view key, std::string value) {
    Values values;
    values.push_back(std::move(value));
    set(key, std::move(values));
  }

  // nullptr: absent. `key` in lower case.
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
