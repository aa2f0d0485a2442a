// Uses the SHA-256 functions directly: the EVP interface costs more than the digest of a short
// text.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "storage/encoding/digest.h"

#include <openssl/sha.h>

#include <algorithm>

namespace magneto::storage {

struct DigestBuilder::State {
  SHA256_CTX context;
};

DigestBuilder::DigestBuilder() : state_(std::make_unique<State>()) {
  SHA256_Init(&state_->context);
}
DigestBuilder::~DigestBuilder() = default;

void DigestBuilder::add(std::string_view bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
}

Digest DigestBuilder::finish() {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> whole;
  SHA256_Final(whole.data(), &state_->context);
  Digest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

Digest digest_of(std::string_view bytes) {
  DigestBuilder builder;
  builder.add(bytes);
  return builder.finish();
}

}  // namespace magneto::storage
