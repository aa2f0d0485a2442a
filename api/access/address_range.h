#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace magneto::api::access {

// IP addresses with a common beginning: "203.0.113.0/24", "2001:db8::/32", or a single one. An IPv4
// address is the same one when it is written within IPv6.
class AddressRange {
 public:
  static std::optional<AddressRange> read(std::string_view text);

  // Whether all of `other` lies in it.
  bool contains(const AddressRange& other) const;

 private:
  std::array<unsigned char, 16> bytes_{};
  std::size_t bits_ = 0;  // of the beginning
};

}  // namespace magneto::api::access
