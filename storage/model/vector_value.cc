#include "storage/model/vector_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "storage/model/number.h"
#include "storage/model/number_bytes.h"

namespace magneto::storage {

namespace {

// The powers of ten that are exact.
template <typename Wide, std::size_t count>
constexpr std::array<Wide, count> kPowersOfTen = [] {
  std::array<Wide, count> powers{};
  Wide power = 1;
  for (Wide& one : powers) {
    one = power;
    power *= 10;
  }
  return powers;
}();
constexpr std::size_t kOfDouble = 23;      // 10^22 = 5^22 * 2^22, and 5^22 < 2^53
constexpr std::size_t kOfLongDouble = 28;  // 5^27 < 2^63

// The nearest float, if the digits times or divided by the power leave no doubt; nullopt otherwise.
// Wide has `bits` of precision or more. The digits and the result are off by half a unit each, and
// so are the bounds; the doubt is two units.
template <typename Wide, int bits, std::size_t count>
std::optional<float> quick_float(const ShortDecimal& decimal) {
  static_assert(std::numeric_limits<Wide>::digits >= bits);
  const auto exponent = static_cast<std::size_t>(std::abs(decimal.exponent));
  if (exponent >= count) return std::nullopt;
  constexpr Wide kDoubt = Wide{2} / (std::uint64_t{1} << (bits - 1));
  const auto digits = static_cast<Wide>(decimal.digits);
  const Wide power = kPowersOfTen<Wide, count>[exponent];
  const Wide value = decimal.exponent < 0 ? digits / power : digits * power;
  const auto low = static_cast<float>(value - value * kDoubt);
  const auto high = static_cast<float>(value + value * kDoubt);
  if (low != high || !std::isfinite(high)) return std::nullopt;
  return decimal.negative ? -low : low;
}

// 10^exponent, rounded, for exponents of quick_float().
constexpr int kMostExponent = kOfDouble - 1;
constexpr auto kRoundedPowers = [] {
  std::array<double, 2 * kMostExponent + 1> powers{};
  for (std::size_t i = 0; i < kOfDouble; ++i) {
    powers[kMostExponent + i] = kPowersOfTen<double, kOfDouble>[i];
    powers[kMostExponent - i] = 1 / kPowersOfTen<double, kOfDouble>[i];
  }
  return powers;
}();

// The first of eight bytes in the lowest place.
std::uint64_t read_eight(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// The number whose digits in base 100 are the bytes, the first of them in the lowest place.
std::uint64_t join_pairs(std::uint64_t pairs) {
  constexpr std::uint64_t kBytes = 0x00FF00FF00FF00FFULL;
  constexpr std::uint64_t kHalves = 0x0000FFFF0000FFFFULL;
  constexpr std::uint64_t kWords = 0x00000000FFFFFFFFULL;
  pairs = (pairs & kBytes) * 100 + ((pairs >> 8) & kBytes);
  pairs = (pairs & kHalves) * 10'000 + ((pairs >> 16) & kHalves);
  return (pairs & kWords) * 100'000'000 + (pairs >> 32);
}

// The elements of most vectors: numbers whose first eight pairs of digits decide, read without branches
// on digits and signs. A number is written as number_bytes.h describes.
class QuickNumbers {
 public:
  // The element that is read has this many bytes behind its beginning.
  static constexpr std::ptrdiff_t kBytes = 2 + Number::kMaxBytes;

  // Reads the element at `at`. False if it is another one, or if the result leaves a doubt.
  bool take(const char* at) {
    length_ = static_cast<std::uint8_t>(at[1]);
    const auto first = static_cast<std::uint8_t>(at[2]);
    const std::uint64_t negative = (first >> 7) ^ 1U;  // 1 or 0
    const std::uint64_t count = length_ - 1 - negative;
    if (static_cast<AttributeType>(at[0]) != AttributeType::kNumber) return false;
    if (count - 1 >= std::uint64_t{number_bytes::kMaxPairs}) return false;
    // A pair is the byte - 1, or 101 - the byte. Bytes behind the number change no pair of it, since
    // a carry goes to later bytes.
    const std::uint64_t turn = ~negative + 1;
    const std::uint64_t shift = (turn & (kOnes * 102 + 1)) - kOnes;
    const std::uint64_t pairs = std::min<std::uint64_t>(count, 8);
    const std::uint64_t word = ((read_eight(at + 3) ^ turn) + shift) << (64 - 8 * pairs);
    const auto top = static_cast<std::uint8_t>(first ^ turn);
    const int exponent = 2 * (top - number_bytes::kExponentBias - static_cast<int>(pairs) + 1);
    return convert(join_pairs(word), exponent, negative);
  }
  float value() const { return value_; }
  std::size_t size() const { return 2 + length_; }  // of the element

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101ULL;

  // Pairs behind the eighth make a number greater by less than 10^-14 of it, which is 91 units of the
  // last place of a double. The digits, the power and the product are rounded once each, so the
  // product is off by at most 3 units more. Its bits below those of a float leave a doubt if they are
  // so near the middle between two floats. No result is below the normal floats: the digits are not 0,
  // and the exponent is not below -22.
  bool convert(std::uint64_t digits, int exponent, std::uint64_t negative) {
    constexpr unsigned kBitsBelow =
        std::numeric_limits<double>::digits - std::numeric_limits<float>::digits;
    constexpr std::uint64_t kMiddle = std::uint64_t{1} << (kBitsBelow - 1);
    constexpr std::uint64_t kDoubt = 128;
    constexpr unsigned kSignBit = 31;
    const auto place = static_cast<unsigned>(exponent + kMostExponent);
    if (place >= kRoundedPowers.size()) return false;
    const double value =
        static_cast<double>(static_cast<std::int64_t>(digits)) * kRoundedPowers[place];
    const std::uint64_t below = std::bit_cast<std::uint64_t>(value) & (2 * kMiddle - 1);
    const auto nearest = static_cast<float>(value);
    value_ = std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) |
                                  static_cast<std::uint32_t>(negative << kSignBit));
    return below - (kMiddle - kDoubt) > 2 * kDoubt && nearest <= std::numeric_limits<float>::max();
  }

  std::size_t length_ = 0;
  float value_ = 0;
};

}  // namespace

std::optional<float> nearest_float(std::string_view number_bytes) {
  if (const std::optional<ShortDecimal> decimal = short_decimal(number_bytes)) {
    if (const auto quick = quick_float<double, 53, kOfDouble>(*decimal)) return quick;
    if (const auto quick = quick_float<long double, 64, kOfLongDouble>(*decimal)) return quick;
  }
  std::string text;
  append_decimal(number_bytes, text);
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc()) return value;
  // Out of range: too large, or nearest to zero.
  const bool is_large = text.find_first_of("123456789") < text.find('.');
  if (is_large) return std::nullopt;
  return 0.0F;
}

VectorCheck read_vector(AttributeView value, std::uint32_t dimensions, std::vector<float>& vector) {
  VectorCheck check;
  vector.clear();
  const auto fail = [&](VectorProblem problem) {
    vector.clear();
    check.problem = problem;
    return check;
  };
  if (value.type() != AttributeType::kList) return fail(VectorProblem::kNotAList);
  check.size = value.list().size();
  if (check.size != dimensions) return fail(VectorProblem::kWrongSize);
  vector.resize(dimensions);
  std::string_view elements = value.list().body();
  QuickNumbers quick;
  for (float& element : vector) {
    if (std::ssize(elements) >= QuickNumbers::kBytes && quick.take(elements.data())) [[likely]] {
      element = quick.value();
      elements.remove_prefix(quick.size());
      ++check.position;
      continue;
    }
    if (elements.empty()) return fail(VectorProblem::kWrongSize);  // of a damaged list
    const AttributeView other = take_value(elements);
    check.type = other.type();
    if (check.type != AttributeType::kNumber) return fail(VectorProblem::kNotANumber);
    const std::optional<float> number = nearest_float(other.scalar_bytes());
    if (!number) return fail(VectorProblem::kOutOfRange);
    element = *number;
    ++check.position;
  }
  return check;
}

std::string_view vector_bytes(const std::vector<float>& vector) {
  return {reinterpret_cast<const char*>(vector.data()),  // NOLINT(*-reinterpret-cast): as they are
          vector.size() * sizeof(float)};
}

std::vector<float> vector_of_bytes(std::string_view bytes) {
  std::vector<float> vector(bytes.size() / sizeof(float));
  if (!vector.empty()) std::memcpy(vector.data(), bytes.data(), vector.size() * sizeof(float));
  return vector;
}

}  // namespace magneto::storage
