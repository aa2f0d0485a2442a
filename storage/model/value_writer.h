#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Appends canonical values to a string, one call for each value, depth first. Sorts and
// de-duplicates where the canonical form asks for it. Containers nest:
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

  // Members may come in any order and more than once; text, binary or number bytes by type.
  void set(AttributeType type, std::vector<std::string_view> members);

  void begin_list();
  void end_list();

  void begin_map();
  // Before each member's value, inside a map or item. A name written twice keeps its last value.
  void name(std::string_view name);
  void end_map();

  void begin_item();
  void end_item();

 private:
  struct Member {
    std::uint32_t offset;       // of the member's name length
    std::uint32_t name_offset;  // of the name itself
    std::uint32_t name_size;
  };
  struct Container {
    std::size_t start;          // offset of the size field, or of the count for an item
    std::size_t first_member;   // into members_
    std::uint32_t count;
    bool is_item;
    bool is_map;
    bool sorted;
  };

  void begin(AttributeType type, bool is_map);
  void finish();
  void count_element();
  void sort_members(const Container& container, std::size_t body);

  std::string& out_;
  std::vector<Container> open_;
  std::vector<Member> members_;
  std::string scratch_;
};

}  // namespace magneto::storage
