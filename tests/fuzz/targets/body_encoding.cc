// A byte that says which coding ('0' gzip, '1' deflate), then bytes: as a coded body, as what is to
// be compressed, and as an Accept-Encoding value.
#include "server/formats/body_encoding.h"

#include <string>

#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using server::formats::Coding;
using server::formats::Inflated;

void check_round_trip(Coding coding, std::string_view plain) {
  std::string compressed;
  std::string out;
  const auto inflates = [&](const std::string& body, std::size_t limit) {
    return server::formats::inflate_body(coding, body, limit, out);
  };
  require(server::formats::deflate_body(coding, plain, compressed), "anything can be compressed");
  require(inflates(compressed, plain.size()) == Inflated::kDone,
          "what was compressed inflates up to its size");
  require_equal(out, plain, "what was compressed inflates to what it was");
  if (!plain.empty()) {
    require(inflates(compressed, plain.size() - 1) == Inflated::kTooLarge,
            "one byte beyond the limit is too large");
  }
  require(inflates(compressed + '\0', plain.size()) == Inflated::kMalformed,
          "trailing bytes are malformed");
  if (coding != Coding::kGzip) return;
  require(inflates(compressed + compressed, 2 * plain.size()) == Inflated::kDone,
          "members in a row are one body");
  require_equal(out, std::string(plain) + std::string(plain), "members in a row are one body");
}

}  // namespace

void fuzz_body_encoding(std::string_view input) {
  constexpr std::size_t kLimit = 1 << 16;
  if (input.empty()) return;
  const Coding coding = (input.front() & 1) != 0 ? Coding::kDeflate : Coding::kGzip;
  input.remove_prefix(1);
  std::string out;
  const Inflated result = server::formats::inflate_body(coding, input, kLimit, out);
  if (result == Inflated::kDone) {
    require(out.size() <= kLimit, "what is inflated keeps within the limit");
    check_round_trip(coding, out);
  }
  check_round_trip(coding, input);
  const Coding chosen = server::formats::choose_coding(input);
  require(server::formats::read_coding(server::formats::name_of(chosen)) == chosen,
          "a coding has a name");
}

}  // namespace magneto::fuzz
