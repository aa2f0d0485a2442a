#include "api/access/address_range.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace magneto::api::access {
namespace {

constexpr std::size_t kBits = 128;
constexpr std::size_t kMappedBits = 96;  // ::ffff:0:0/96, the prefix of IPv4 addresses

}  // namespace

std::optional<AddressRange> AddressRange::read(std::string_view text) {
  AddressRange range;
  const std::size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  std::size_t most = kBits;
  if (::inet_pton(AF_INET, address.c_str(), range.bytes_.data() + kMappedBits / 8) == 1) {
    range.bytes_[10] = range.bytes_[11] = 0xFF;
    most = kBits - kMappedBits;
  } else if (::inet_pton(AF_INET6, address.c_str(), range.bytes_.data()) != 1) {
    return std::nullopt;
  }
  std::size_t length = most;
  if (slash != std::string_view::npos) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + slash + 1, end, length);
    if (error != std::errc() || stop != end || length > most) return std::nullopt;
  }
  range.bits_ = kBits - most + length;
  return range;
}

bool AddressRange::contains(const AddressRange& other) const {
  if (other.bits_ < bits_) return false;
  const std::size_t whole = bits_ / 8;
  if (!std::equal(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(whole),
                  other.bytes_.begin())) {
    return false;
  }
  const std::size_t rest = bits_ % 8;
  return rest == 0 || (bytes_[whole] ^ other.bytes_[whole]) >> (8 - rest) == 0;
}

}  // namespace magneto::api::access
