#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace magneto::storage {

// A digest of bytes of any length: the first half of their SHA-256. Nobody can find two texts with
// the same digest, so the texts may come from untrusted clients.
using Digest = std::array<std::uint8_t, 16>;

// The digest of texts one after another.
class DigestBuilder {
 public:
  DigestBuilder();
  ~DigestBuilder();
  DigestBuilder(const DigestBuilder&) = delete;
  DigestBuilder& operator=(const DigestBuilder&) = delete;

  void add(std::string_view bytes);
  Digest finish();  // once, after the last add()

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest digest_of(std::string_view bytes);

inline std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace magneto::storage
