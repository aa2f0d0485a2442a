// Bytes as a gzip stream, as what is to be compressed, and as an Accept-Encoding value.
#include "server/body_encoding.h"

#include <string>

#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using server::Inflated;

void check_round_trip(std::string_view plain) {
  std::string compressed;
  std::string out;
  require(server::deflate_gzip(plain, compressed), "anything can be compressed");
  require(server::inflate_gzip(compressed, plain.size(), out) == Inflated::kDone,
          "what was compressed inflates up to its size");
  require_equal(out, plain, "what was compressed inflates to what it was");
  if (!plain.empty()) {
    require(server::inflate_gzip(compressed, plain.size() - 1, out) == Inflated::kTooLarge,
            "one byte beyond the limit is too large");
  }
  require(server::inflate_gzip(compressed + '\0', plain.size(), out) == Inflated::kMalformed,
          "trailing bytes are malformed");
}

}  // namespace

void fuzz_body_encoding(std::string_view input) {
  constexpr std::size_t kLimit = 1 << 16;
  std::string out;
  const Inflated result = server::inflate_gzip(input, kLimit, out);
  if (result == Inflated::kDone) {
    require(out.size() <= kLimit, "what is inflated keeps within the limit");
    check_round_trip(out);
  }
  check_round_trip(input);
  server::accepts_gzip(input);
}

}  // namespace magneto::fuzz
