#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::storage {

// A list of strings in one buffer, which costs two allocations instead of one for each string.
class PackedStrings {
 public:
  void reserve(std::size_t count, std::size_t bytes) {
    ends_.reserve(count);
    bytes_.reserve(bytes);
  }
  // `append(std::string& buffer)` appends the next string to the buffer. If it throws, the list must
  // not be used.
  template <typename Append>
  void add(Append append) {
    append(bytes_);
    ends_.push_back(bytes_.size());
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }

  std::size_t size() const { return ends_.size(); }
  // Valid until the next string is added.
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }
  std::vector<std::string_view> views() const {
    std::vector<std::string_view> views;
    views.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) views.push_back((*this)[i]);
    return views;
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace magneto::storage
