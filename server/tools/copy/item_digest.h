#pragma once

#include <cstdint>
#include <string>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// 128 bits of SHA-256 over an item's canonical form.
struct ItemHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const ItemHash&, const ItemHash&) = default;
};

// Appends the canonical form of a typed item: two forms are equal exactly if the items are.
// Attributes and elements of sets are sorted, and numbers have one form (1.0 is 1E0). Each text and
// list is preceded by its size, so no two items have the same form.
void append_canonical_item(api::json::Value item, std::string& out);

ItemHash hash_of(std::string_view canonical_item);

// The sum of the hashes of some items, modulo 2^128, and their number. It does not depend on the
// order.
class ItemDigest {
 public:
  ItemDigest() = default;
  ItemDigest(std::uint64_t count, ItemHash sum) : count_(count), sum_(sum) {}

  void add(const ItemHash& hash);
  void add(const ItemDigest& other);

  std::uint64_t count() const { return count_; }
  // The 32 hexadecimal digits of the sum.
  std::string text() const;
  // Reads the output of text(); 0 for any other text.
  static ItemHash read_sum(std::string_view text);

  friend bool operator==(const ItemDigest&, const ItemDigest&) = default;

 private:
  std::uint64_t count_ = 0;
  ItemHash sum_;
};

}  // namespace magneto::server::tools
