#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace magneto::server::client {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view bytes);

// HMAC-SHA256 (RFC 2104) under one key. The parts that depend only on the key are computed once. So
// a short text costs only its own blocks and one more.
class HmacKey {
 public:
  explicit HmacKey(std::string_view key);
  explicit HmacKey(const Sha256& key) : HmacKey(bytes_of(key)) {}

  Sha256 sign(std::string_view text) const;

  static std::string_view bytes_of(const Sha256& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
  }

 private:
  using State = std::array<std::uint32_t, 8>;  // of SHA-256, after its first block

  State inner_;
  State outer_;
};

// The 64 hexadecimal digits, in lower case.
class HexDigits {
 public:
  explicit HexDigits(const Sha256& digest);
  std::string_view view() const { return {digits_.data(), digits_.size()}; }

 private:
  std::array<char, 2 * std::tuple_size_v<Sha256>> digits_;
};
inline std::string to_hex(const Sha256& digest) { return std::string(HexDigits(digest).view()); }

// Takes the same time for any two texts of one length, wherever they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace magneto::server::client
