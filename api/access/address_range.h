#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace magneto::api::access {

// A range of IP addresses: "203.0.113.0/24", "2001:db8::/32", or a single address. An IPv4 address
// equals the same address written within IPv6.
class AddressRange {
 public:
  static std::optional<AddressRange> read(std::string_view text);

  // Whether `other` lies entirely in this range.
  bool contains(const AddressRange& other) const;

 private:
  std::array<unsigned char, 16> bytes_{};
  std::size_t bits_ = 0;  // the length of the prefix
};

}  // namespace magneto::api::access
