#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Appends canonical values to a string, one call for each value, depth first. Sorts and
// de-duplicates members if the canonical form requires it. Containers nest:
//
//   ValueWriter writer(out);
//   writer.begin_item();
//   writer.name("pk"); writer.string("a");
//   writer.name("m");  writer.begin_map(); writer.name("x"); writer.null(); writer.end_map();
//   writer.end_item();
class ValueWriter {
 public:
  explicit ValueWriter(std::string& out) : out_(out) {}

  void string(std::string_view text);
  void binary(std::string_view bytes);
  void number(const Number& number);
  void number_bytes(std::string_view bytes);
  void boolean(bool value);
  void null();
  void value(AttributeView value);  // copies a canonical value

  // Members may come in any order and repeat; they are text, binary or number bytes, by type.
  void set(AttributeType type, std::vector<std::string_view> members);

  void begin_list();
  void elements(AttributeView list);  // copies all elements of a canonical list
  void end_list();

  void begin_map();
  // Called before each member's value, inside a map or item. A repeated name keeps its last value.
  void name(std::string_view name);
  void end_map();

  void begin_item();
  void end_item();

 private:
  struct Member {
    std::size_t offset;       // of the member's name length
    std::size_t name_offset;  // of the name itself
    std::size_t name_size;
  };
  struct Container {
    std::size_t start;         // offset of the count
    std::size_t first_member;  // into members_
    std::uint32_t count;
    bool is_item;
    bool sorted;  // so far, the names are ascending
  };

  void begin(AttributeType type);
  void finish();
  void scalar(AttributeType type, std::string_view bytes);
  void count_element();
  void sort_members(Container& container);

  std::string& out_;
  absl::InlinedVector<Container, 4> open_;
  absl::InlinedVector<Member, 16> members_;  // of the maps and items in open_
  std::string scratch_;
};

}  // namespace magneto::storage
