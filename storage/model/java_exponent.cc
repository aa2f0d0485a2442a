#include <algorithm>
#include <charconv>
#include <limits>

#include "storage/model/number.h"

namespace magneto::storage {

JavaExponent java_exponent(std::string_view literal) {
  const std::size_t e = literal.find_first_of("eE");
  if (e == std::string_view::npos) return JavaExponent::kFits;
  std::string_view written = literal.substr(e + 1);
  if (written.starts_with('+')) written.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto result = std::from_chars(written.data(), written.data() + written.size(), exponent);
  if (result.ec == std::errc::invalid_argument) return JavaExponent::kFits;
  std::int64_t precision = 0;
  std::int64_t fraction = 0;
  bool behind_point = false;
  for (const char c : literal.substr(0, e)) {
    if (c == '.') {
      behind_point = true;
    } else if (c >= '0' && c <= '9') {
      fraction += behind_point ? 1 : 0;
      precision += c != '0' || precision != 0 ? 1 : 0;
    }
  }
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  const auto fits = [](std::int64_t value) { return value >= -kMax - 1 && value <= kMax; };
  if (result.ec != std::errc() || !fits(exponent)) return JavaExponent::kUnreadable;
  const std::int64_t scale = fraction - exponent;
  if (!fits(scale)) return JavaExponent::kUnreadable;
  return precision - scale >= kMax ? JavaExponent::kWraps : JavaExponent::kFits;
}

std::int64_t java_scale(std::string_view literal) {
  const std::size_t e = std::min(literal.find_first_of("eE"), literal.size());
  const std::size_t point = literal.find('.');
  const std::int64_t fraction =
      point < e ? static_cast<std::int64_t>(e - point) - 1 : std::int64_t{0};
  std::string_view written = literal.substr(std::min(e + 1, literal.size()));
  if (written.starts_with('+')) written.remove_prefix(1);
  std::int64_t exponent = 0;
  std::from_chars(written.data(), written.data() + written.size(), exponent);
  return fraction - exponent;
}

}  // namespace magneto::storage
