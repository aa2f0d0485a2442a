#pragma once

// Number bytes: zero is the byte 80. Any other number is d0.d1d2... in base 100 times 100^e, with
// d0 and the last digit not 0. Its bytes are C1 + e and d + 1 for each digit. A negative number has
// the complement of the first byte, and 101 - d for each digit. If it has fewer than 20 digits, it
// ends with 66 (hex), so that a longer one with the same beginning orders lower.
namespace magneto::storage::number_bytes {

inline constexpr char kZero = static_cast<char>(0x80);
inline constexpr int kExponentBias = 0xC1;
inline constexpr char kNegativeEnd = 0x66;
inline constexpr int kMaxPairs = 20;

}  // namespace magneto::storage::number_bytes
