#include "storage/model/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

using testing::PlainNumber;
using testing::RandomValues;

Number number(std::string_view text) {
  NumberError error{};
  const std::optional<Number> parsed = Number::parse(text, error);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Number());
}

std::optional<NumberError> refusal(std::string_view text) {
  NumberError error{};
  if (Number::parse(text, error)) return std::nullopt;
  return error;
}

std::string hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out.push_back(kDigits[static_cast<std::uint8_t>(c) >> 4]);
    out.push_back(kDigits[static_cast<std::uint8_t>(c) & 15]);
  }
  return out;
}

// Formats the number like DynamoDB.
std::string expand(const PlainNumber& number) {
  if (number.digits.empty()) return "0";
  std::string text;
  const auto count = static_cast<int>(number.digits.size());
  if (number.top < 0) {
    text = "0." + std::string(static_cast<std::size_t>(-number.top - 1), '0') + number.digits;
  } else if (count <= number.top + 1) {
    text = number.digits + std::string(static_cast<std::size_t>(number.top + 1 - count), '0');
  } else {
    text = number.digits;
    text.insert(static_cast<std::size_t>(number.top + 1), ".");
  }
  return (number.negative ? "-" : "") + text;
}

int compare(const PlainNumber& a, const PlainNumber& b) {
  const auto sign = [](const PlainNumber& n) { return n.digits.empty() ? 0 : n.negative ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) < sign(b) ? -1 : 1;
  if (sign(a) == 0) return 0;
  const int order = a.top != b.top ? (a.top < b.top ? -1 : 1) : a.digits.compare(b.digits);
  return sign(a) * (order < 0 ? -1 : order > 0 ? 1 : 0);
}

// Decimal places of an exact sum, from 10^-180 up; the digits may be negative until settled.
class ExactSum {
 public:
  void add(const PlainNumber& number, bool subtract) {
    for (std::size_t i = 0; i < number.digits.size(); ++i) {
      const int digit = number.digits[i] - '0';
      places_[static_cast<std::size_t>(number.top + kLowest) - i] +=
          number.negative != subtract ? -digit : digit;
    }
  }

  PlainNumber total() const {
    std::vector<int> places = places_;
    bool negative = false;
    for (std::size_t i = places.size(); i-- > 0;) {
      if (places[i] == 0) continue;
      negative = places[i] < 0;
      break;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (negative) places[i] = -places[i];
    }
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      while (places[i] < 0) places[i] += 10, --places[i + 1];
      while (places[i] > 9) places[i] -= 10, ++places[i + 1];
    }
    PlainNumber result;
    for (std::size_t i = places.size(); i-- > 0;) {
      if (result.digits.empty()) {
        if (places[i] == 0) continue;
        result.top = static_cast<int>(i) - kLowest;
      }
      result.digits.push_back(static_cast<char>('0' + places[i]));
    }
    result.digits.erase(result.digits.find_last_not_of('0') + 1);
    result.negative = negative && !result.digits.empty();
    return result;
  }

 private:
  static constexpr int kLowest = 180;
  std::vector<int> places_ = std::vector<int>(320, 0);
};

// "1 + ceil(intSignificantDigits/2) + ceil(fracSignificantDigits/2) + (1 if negative)" over the
// plain expansion, from the text.
std::size_t formula_size(std::string text) {
  if (text == "0") return 1;
  std::size_t size = 1;
  if (text.front() == '-') {
    ++size;
    text.erase(0, 1);
  }
  const std::size_t point = text.find('.');
  std::string whole = text.substr(0, point);
  std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
  if (whole == "0") {
    whole.clear();
    fraction.erase(0, fraction.find_first_not_of('0'));
  } else if (fraction.empty()) {
    whole.erase(whole.find_last_not_of('0') + 1);
  }
  size += (whole.size() + 1) / 2 + (fraction.size() + 1) / 2;
  return std::min(size, Number::kMaxBytes);
}

TEST(Number, HasDynamoDbKeyBytes) {
  // Captured facts, "Partition hash, scan order and number key bytes".
  const std::vector<std::pair<std::string_view, std::string_view>> vectors = {
      {"0", "80"},
      {"1", "c102"},
      {"-1", "3e6466"},
      {"10", "c10b"},
      {"100", "c202"},
      {"-100", "3d6466"},
      {"0.5", "c033"},
      {"-0.5", "3f3366"},
      {"123", "c20218"},
      {"-123", "3d644e66"},
      {"1.23", "c10218"},
      {"99", "c164"},
      {"-99", "3e0266"},
      {"1E125", "ff0b"},
      {"-1E125", "005b66"},
      {"1E-130", "8002"},
      {"-1E-130", "7f6466"},
      {"12345678901234567890123456789012345678", "d30d23394f5b0d23394f5b0d23394f5b0d23394f"},
      {"-12345678901234567890123456789012345678", "2c59432d170b59432d170b59432d170b59432d1766"},
      {"9.9999999999999999999999999999999999999E+125", "ff64646464646464646464646464646464646464"},
  };
  for (const auto& [text, bytes] : vectors) EXPECT_EQ(hex(number(text).bytes()), bytes) << text;
}

TEST(Number, StoresSpellingsInOneForm) {
  // Captured facts, "Number format accepted -> stored".
  const std::vector<std::pair<std::string_view, std::string_view>> spellings = {
      {"+.5", "0.5"},
      {"+0", "0"},
      {"+0.0", "0"},
      {"+1.5", "1.5"},
      {"+1e-2", "0.01"},
      {"+1e2", "100"},
      {"+5", "5"},
      {"-0", "0"},
      {".5", "0.5"},
      {"00042", "42"},
      {"1.", "1"},
      {"1.23E10", "12300000000"},
      {"1.5E+3", "1500"},
      {"1.e5", "100000"},
      {"1e+2", "100"},
      {"5.", "5"},
      {"-.25", "-0.25"},
      {"0042.1200", "42.12"},
      {"0e125", "0"},
      {"0e-130", "0"},
      {"1e0000000000000000000000000000002", "100"},
      {"0000000000000000000000000000000000000000001", "1"},
      {"1.00000000000000000000000000000000000000000", "1"},
  };
  for (const auto& [text, stored] : spellings) EXPECT_EQ(number(text).to_string(), stored) << text;
  EXPECT_EQ(number("1E125").to_string(), "1" + std::string(125, '0'));
  EXPECT_EQ(number("-1E-130").to_string(), "-0." + std::string(129, '0') + "1");
}

TEST(Number, RefusesWhatIsNoNumber) {
  for (const std::string_view text : {"",     " 5",       "5 ",
                                      "1 5",  "+",        "-",
                                      ".",    "+.",       "++5",
                                      "+-5",  "-+5",      "+1+2",
                                      "1+2",  "+1.2.3",   "1.2.3",
                                      "..5",  "+e2",      "e2",
                                      ".e2",  "1e",       "1e+",
                                      "1e-",  "1.2e3.4",  "1e2e3",
                                      "1e 2", "0x5",      "1_000",
                                      "NaN",  "Infinity", "-Infinity",
                                      "abc",  "1f",       "1e99999999999999999999x"}) {
    EXPECT_EQ(refusal(text), NumberError::kNotANumber) << text;
  }
  EXPECT_EQ(refusal(std::string_view("1\0", 2)), NumberError::kNotANumber);
}

TEST(Number, RefusesWhatIsOutOfRange) {
  // Captured facts, "Exponents and range".
  for (const std::string_view text :
       {"1e126", "-1e126", "10e125", "1e2147483647", "1e2147483648", "1e99999999999",
        "-1e99999999999", "1e9223372036854775807", "0e126", "12345e122"}) {
    EXPECT_EQ(refusal(text), NumberError::kOverflow) << text;
  }
  EXPECT_EQ(refusal("1" + std::string(126, '0')), NumberError::kOverflow);
  for (const std::string_view text : {"1e-131", "-1e-131", "0.9e-130", "1e-2147483648",
                                      "1e-99999999999", "1e-9223372036854775808", "0e-131"}) {
    EXPECT_EQ(refusal(text), NumberError::kUnderflow) << text;
  }
  for (const std::string_view text :
       {"1e9223372036854775808", "1e-9223372036854775809", "0e99999999999999999999"}) {
    EXPECT_EQ(refusal(text), NumberError::kExponentTooLarge) << text;
  }
  EXPECT_EQ(refusal("1" + std::string(5'000'000, '0')), NumberError::kOverflow);
  EXPECT_EQ(number("0." + std::string(100'000, '0') + "1e100001"), number("1"));
}

TEST(Number, KeepsThirtyEightDigits) {
  const std::string digits(38, '7');
  EXPECT_EQ(number(digits).to_string(), digits);
  EXPECT_EQ(number("000" + digits + "000").to_string(), digits + "000");
  EXPECT_EQ(number("0.000" + digits + "000").to_string(), "0.000" + digits);
  for (const std::string& text :
       {digits + "1", digits + "." + "1", "0." + digits + "1", "1" + std::string(37, '0') + "1"}) {
    EXPECT_EQ(refusal(text), NumberError::kTooManyDigits) << text;
  }
}

TEST(Number, CountsBytesAsDynamoDbDoes) {
  // Captured facts, "Number byte size".
  const std::vector<std::pair<std::string_view, std::size_t>> sizes = {
      {"0", 1},
      {"1", 2},
      {"12", 2},
      {"123", 3},
      {"1234", 3},
      {"0042", 2},
      {"100", 2},
      {"1010", 3},
      {"1E125", 2},
      {"0.0000001", 2},
      {"1E-100", 2},
      {"1.5", 3},
      {"15", 2},
      {"1.2", 3},
      {"1.200", 3},
      {"1.234", 4},
      {"3.14159", 5},
      {"123456", 4},
      {"100.5", 4},
      {"0.15", 2},
      {"-42", 3},
      {"-0", 1},
      {"12345678901234567890123456789012345678", 20},
  };
  ASSERT_EQ(sizes.size(), 23U);
  for (const auto& [text, size] : sizes) EXPECT_EQ(number(text).stored_size(), size) << text;
  EXPECT_EQ(number("-1.2345678901234567890123456789012345678").stored_size(), 21U);
}

TEST(Number, ConvertsIntegers) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{10}, std::int64_t{-100},
        std::int64_t{1'786'461'547}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    const Number converted = Number::from_integer(value);
    EXPECT_EQ(converted.to_string(), std::to_string(value));
    EXPECT_EQ(converted, number(std::to_string(value)));
    EXPECT_EQ(converted.to_integer(), value);
  }
  for (const std::string_view text : {"0.5", "-1.5", "9223372036854775808", "-9223372036854775809",
                                      "18446744073709551617", "1E19", "1E125", "1E-130"}) {
    EXPECT_EQ(number(text).to_integer(), std::nullopt) << text;
  }
  EXPECT_EQ(number("12e1").to_integer(), 120);
}

TEST(Number, IsRoundedUpToAnInteger) {
  const std::map<std::string_view, std::optional<std::int64_t>> rounded = {
      {"0", 0},
      {"7", 7},
      {"-7", -7},
      {"100", 100},
      {"0.5", 1},
      {"-0.5", 0},
      {"-1.5", -1},
      {"-100.01", -100},
      {"1E-130", 1},
      {"-1E-130", 0},
      {"1700000000.25", 1'700'000'001},
      {"9999.9", 10'000},
      {"10000.000000000000000000000000000000001", 10'001},
      {"9223372036854775806.5", std::numeric_limits<std::int64_t>::max()},
      {"9223372036854775807.5", std::nullopt},
      {"-9223372036854775808.5", std::numeric_limits<std::int64_t>::min()},
      {"9223372036854775808", std::nullopt},
      {"-9223372036854775809.5", std::nullopt},
      {"1E125", std::nullopt},
  };
  for (const auto& [text, value] : rounded) EXPECT_EQ(number(text).rounded_up(), value) << text;
}

TEST(Number, AnswersOverflowWhenAnExactSumDoesNotFit) {
  NumberError error{};
  const auto add = [&error](std::string_view a, std::string_view b) {
    return Number::add(number(a), number(b), error);
  };
  EXPECT_EQ(add("0.1", "0.2"), number("0.3"));
  EXPECT_EQ(add("1", "10000000000000000000000"), number("10000000000000000000001"));
  EXPECT_EQ(add("99999999999999999999999999999999999999", "1"), number("1e38"));
  EXPECT_FALSE(add("9e125", "9e125"));
  EXPECT_EQ(error, NumberError::kOverflow);
  error = {};
  EXPECT_FALSE(add("1e50", "1"));
  EXPECT_EQ(error, NumberError::kOverflow);
  error = {};
  EXPECT_FALSE(add("1e125", "1e-130"));
  EXPECT_EQ(error, NumberError::kOverflow);
  error = {};
  EXPECT_FALSE(add("1.1e-130", "-1e-130"));
  EXPECT_EQ(error, NumberError::kUnderflow);
  EXPECT_EQ(Number::subtract(number("9223372036854775807"), number("-1"), error),
            number("9223372036854775808"));
  EXPECT_EQ(Number::subtract(Number(), number("1.5"), error), number("-1.5"));
}

TEST(NumberProperty, EverySpellingIsTheSameNumber) {
  RandomValues random(1);
  for (int round = 0; round < 20'000; ++round) {
    const PlainNumber plain = random.plain_number();
    const std::string text = random.spelling(plain);
    const Number parsed = number(text);
    ASSERT_EQ(parsed.to_string(), expand(plain)) << text;
    ASSERT_EQ(number(parsed.to_string()), parsed) << text;
    ASSERT_EQ(Number::from_bytes(parsed.bytes()), parsed) << text;
    ASSERT_TRUE(are_number_bytes(parsed.bytes())) << text;
    ASSERT_EQ(parsed.stored_size(), formula_size(expand(plain))) << text;
  }
}

TEST(NumberProperty, BytesOrderNumerically) {
  RandomValues random(2);
  for (int round = 0; round < 20'000; ++round) {
    const PlainNumber a = random.plain_number();
    PlainNumber b = random.one_in(3) ? a : random.plain_number();
    if (random.one_in(2) && b.digits.size() > 1 && b.digits[b.digits.size() - 2] != '0') {
      b.digits.pop_back();
    }
    const int order =
        number(random.spelling(a)).bytes().compare(number(random.spelling(b)).bytes());
    const int expected = compare(a, b);
    ASSERT_EQ(order < 0, expected < 0) << expand(a) << " and " << expand(b);
    ASSERT_EQ(order == 0, expected == 0) << expand(a) << " and " << expand(b);
  }
}

TEST(NumberProperty, SumsAreExactOrRefused) {
  RandomValues random(3);
  int fitting = 0;
  for (int round = 0; round < 20'000; ++round) {
    const PlainNumber a = random.plain_number();
    PlainNumber b = random.plain_number();
    if (random.one_in(2))
      b.top = std::clamp(a.top + 3 - static_cast<int>(random.below(7)), -130, 125);
    const bool subtract = random.one_in(2);
    ExactSum exact;
    exact.add(a, false);
    exact.add(b, subtract);
    const PlainNumber total = exact.total();
    const Number x = number(random.spelling(a));
    const Number y = number(random.spelling(b));
    NumberError error{};
    const std::optional<Number> sum =
        subtract ? Number::subtract(x, y, error) : Number::add(x, y, error);
    const std::string what = expand(a) + (subtract ? " - " : " + ") + expand(b);
    const bool underflow = !total.digits.empty() && total.top < -130;
    const bool fits = !underflow && total.top <= 125 && total.digits.size() <= 38;
    ASSERT_EQ(sum.has_value(), fits) << what;
    if (fits) {
      ASSERT_EQ(sum->to_string(), expand(total)) << what;
      ++fitting;
    } else {
      ASSERT_EQ(error, underflow ? NumberError::kUnderflow : NumberError::kOverflow) << what;
    }
  }
  EXPECT_GT(fitting, 2'000);
}

TEST(NumberProperty, DamagedBytesAreRecognisedOrHarmless) {
  RandomValues random(4);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = random.bytes(Number::kMaxBytes + 2);
    if (random.one_in(2)) {
      bytes = random.number().bytes();
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    std::string text;
    append_decimal(bytes, text);
    if (!are_number_bytes(bytes)) continue;
    ASSERT_EQ(hex(number(text).bytes()), hex(bytes)) << text;
  }
}

// Captured facts, "Parameter numbers".
TEST(Number, KnowsHowJavaTakesExponents) {
  for (const char* literal : {"1", "1.5", "1e126", "1e-2147483647", "-1e+2147483645",
                              "0.1e2147483646", "abc", "1e", ""}) {
    EXPECT_EQ(java_exponent(literal), JavaExponent::kFits) << literal;
  }
  for (const char* literal : {"1e2147483648", "1e-2147483649", "1e99999999999999999999",
                              "-1e99999999999", "1.5e-2147483647", "1e-2147483648"}) {
    EXPECT_EQ(java_exponent(literal), JavaExponent::kUnreadable) << literal;
  }
  for (const char* literal :
       {"1e2147483647", "1e2147483646", "12e2147483647", "10E+2147483645", "-123.5e2147483645"}) {
    EXPECT_EQ(java_exponent(literal), JavaExponent::kWraps) << literal;
  }
}

// Captured facts 3, P7: literals with equal value and scale are one to a NextToken.
TEST(Number, KnowsTheScaleOfJava) {
  EXPECT_EQ(java_scale("1"), 0);
  EXPECT_EQ(java_scale("-0"), 0);
  EXPECT_EQ(java_scale("0.0"), 1);
  EXPECT_EQ(java_scale("100"), 0);
  EXPECT_EQ(java_scale("1E2"), -2);
  EXPECT_EQ(java_scale("1e+2"), -2);
  EXPECT_EQ(java_scale("1.5E1"), 0);
  EXPECT_EQ(java_scale("15.25e-3"), 5);
  EXPECT_EQ(java_scale("5."), 0);
}

}  // namespace
}  // namespace magneto::storage
