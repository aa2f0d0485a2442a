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

constexpr int kExactPower = 27;  // 10^27 = 5^27 * 2^27, and 5^27 < 2^63
constexpr std::array<long double, kExactPower + 1> kPowersOfTen = [] {
  std::array<long double, kExactPower + 1> powers{};
  long double power = 1;
  for (long double& one : powers) {
    one = power;
    power *= 10;
  }
  return powers;
}();

// The nearest float, if a product or quotient of two exact numbers, which is off by at most half a
// unit, leaves no doubt. nullopt otherwise. Where long double is wider, it has at least 64 bits of
// precision.
std::optional<float> quick_float(std::string_view number_bytes) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const std::optional<ShortDecimal> decimal = short_decimal(number_bytes);
  if (!decimal || std::abs(decimal->exponent) > kExactPower) return std::nullopt;
  const auto digits = static_cast<long double>(decimal->digits);
  const long double power = kPowersOfTen[static_cast<std::size_t>(std::abs(decimal->exponent))];
  const long double value = decimal->exponent < 0 ? digits / power : digits * power;
  constexpr long double kDoubt = 0x1p-62L;
  const auto low = static_cast<float>(value - value * kDoubt);
  const auto high = static_cast<float>(value + value * kDoubt);
  if (low != high || !std::isfinite(high)) return std::nullopt;
  return decimal->negative ? -low : low;
}

}  // namespace

std::optional<float> nearest_float(std::string_view number_bytes) {
  if (const std::optional<float> quick = quick_float(number_bytes)) return quick;
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
