#include "storage/model/vector_value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "storage/model/number.h"

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
  const ListView list = value.list();
  check.size = list.size();
  if (check.size != dimensions) return fail(VectorProblem::kWrongSize);
  vector.reserve(dimensions);
  for (const AttributeView element : list) {
    check.type = element.type();
    if (check.type != AttributeType::kNumber) return fail(VectorProblem::kNotANumber);
    const std::optional<float> number = nearest_float(element.scalar_bytes());
    if (!number) return fail(VectorProblem::kOutOfRange);
    vector.push_back(*number);
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
