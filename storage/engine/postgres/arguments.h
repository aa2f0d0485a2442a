#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/narrow.h"

namespace magneto::storage {

// The binary arguments of one statement, in their order. add_bytes() keeps a reference; the other
// functions copy.
class Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<std::int64_t> numbers);
  void add_bytes(std::string_view bytes);  // bytea
  void add_number(std::int64_t number);    // bigint
  void add_null();
  void add_array(std::span<const std::string_view> elements);                 // bytea[]
  void add_array(std::span<const std::optional<std::string_view>> elements);  // with nulls
  void add_numbers(std::span<const std::int64_t> numbers);                    // bigint[]

  int size() const { return narrow<int>(values_.size()); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  std::string& begin_array(std::uint32_t type, bool has_nulls, std::size_t size);

  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
  std::deque<std::string> owned_;  // what values_ refers to; a deque never moves its elements
};

}  // namespace magneto::storage
