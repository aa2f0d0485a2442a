// Uses the SHA-256 functions directly: the EVP interface costs more than the digest of a short
// text.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "server/client/signing/sha256.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>

namespace magneto::server::client {
namespace {

constexpr std::size_t kBlockBytes = SHA256_CBLOCK;
using Block = std::array<std::uint8_t, kBlockBytes>;
constexpr std::uint8_t kInnerPad = 0x36;
constexpr std::uint8_t kOuterPad = 0x5C;

Sha256 finish(SHA256_CTX& context) {
  Sha256 digest;
  SHA256_Final(digest.data(), &context);
  return digest;
}

// Returns the state after a block of the key with a pad.
std::array<std::uint32_t, 8> start_with(Block block, std::uint8_t pad) {
  for (std::uint8_t& byte : block) byte ^= pad;
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, block.data(), block.size());
  std::array<std::uint32_t, 8> state;
  std::copy_n(context.h, state.size(), state.begin());
  return state;
}

SHA256_CTX resume(const std::array<std::uint32_t, 8>& state) {
  SHA256_CTX context;
  SHA256_Init(&context);
  std::copy_n(state.begin(), state.size(), context.h);
  context.Nl = kBlockBytes * 8;  // bits so far
  return context;
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  return finish(context);
}

HmacKey::HmacKey(std::string_view key) {
  Block block{};
  const Sha256 digest = key.size() > block.size() ? sha256(key) : Sha256();
  if (key.size() > block.size()) key = bytes_of(digest);
  std::ranges::copy(key, block.begin());
  inner_ = start_with(block, kInnerPad);
  outer_ = start_with(block, kOuterPad);
}

Sha256 HmacKey::sign(std::string_view text) const {
  SHA256_CTX context = resume(inner_);
  SHA256_Update(&context, text.data(), text.size());
  const Sha256 inner = finish(context);
  context = resume(outer_);
  SHA256_Update(&context, inner.data(), inner.size());
  return finish(context);
}

HexDigits::HexDigits(const Sha256& digest) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  char* next = digits_.data();
  for (const std::uint8_t byte : digest) {
    *next++ = kDigits[byte >> 4];
    *next++ = kDigits[byte & 0x0F];
  }
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace magneto::server::client
