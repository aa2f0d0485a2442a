#include "storage/model/vector_value.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

std::optional<float> nearest(const std::string& text) {
  NumberError error{};
  const auto number = Number::parse(text, error);
  EXPECT_TRUE(number.has_value()) << text;
  return number ? nearest_float(number->bytes()) : std::nullopt;
}

std::string list_of(const std::vector<std::string>& numbers) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_list();
  for (const std::string& text : numbers) {
    NumberError error{};
    writer.number(*Number::parse(text, error));
  }
  writer.end_list();
  return bytes;
}

TEST(NearestFloat, IsTheNearest) {
  EXPECT_EQ(nearest("0"), 0.0F);
  EXPECT_EQ(nearest("1"), 1.0F);
  EXPECT_EQ(nearest("-0.5"), -0.5F);
  EXPECT_EQ(nearest("16777217"), 16777216.0F);
  EXPECT_EQ(nearest("16777217.0000000000000000000000000001"), 16777218.0F);
  EXPECT_EQ(nearest("16777216.9999999999999999999999999999"), 16777216.0F);
  EXPECT_EQ(nearest("16777219"), 16777220.0F);
  EXPECT_EQ(nearest("0.1"), 0.1F);
  EXPECT_EQ(nearest("1E-46"), 0.0F);
  EXPECT_EQ(nearest("-1E-130"), 0.0F);
  EXPECT_EQ(nearest("1E-45"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(nearest("340282346638528859811704183484516925440"), std::numeric_limits<float>::max());
}

TEST(NearestFloat, RefusesWhatIsTooLarge) {
  EXPECT_EQ(nearest("34028235677973366163753939545814256845E1"), std::nullopt);
  EXPECT_EQ(nearest("1E39"), std::nullopt);
  EXPECT_EQ(nearest("-1E125"), std::nullopt);
}

TEST(NearestFloat, AgreesWithTheLibraryOnAnyNumber) {
  std::mt19937_64 random(42);
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    if (i % 2 == 0) {  // a float or double as programs print it
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (!std::isfinite(value)) continue;
      char buffer[64];
      const auto end = i % 4 == 0 ? std::to_chars(buffer, buffer + 64, value).ptr
                                  : std::to_chars(buffer, buffer + 64, double{value} * 1.1).ptr;
      text.assign(buffer, end);
    } else {
      text = random() % 2 == 0 ? "-" : "";
      text += std::to_string(random() % 1'000'000'000'000'000'000) + "E" +
              std::to_string(static_cast<int>(random() % 60) - 50);
    }
    const float expected = std::strtof(text.c_str(), nullptr);
    const std::optional<float> found = nearest(text);
    if (std::isinf(expected)) {
      EXPECT_EQ(found, std::nullopt) << text;
    } else {
      EXPECT_EQ(found, expected) << text;
    }
  }
}

// The text of a number of that many digits, the first of which stands for 10^top.
std::string text_of(const std::string& digits, int top, bool is_negative) {
  const int exponent = top - static_cast<int>(digits.size()) + 1;
  return (is_negative ? "-" : "") + digits + "E" + std::to_string(exponent);
}

// In a list, each number is read as nearest_float() reads it alone, to the bit.
void expect_as_alone(const std::vector<std::string>& texts) {
  const std::string bytes = list_of(texts);
  std::vector<float> vector;
  const VectorCheck check =
      read_vector(AttributeView(bytes), static_cast<std::uint32_t>(texts.size()), vector);
  std::uint32_t position = 0;
  for (const AttributeView element : AttributeView(bytes).list()) {
    const std::optional<float> alone = nearest_float(element.scalar_bytes());
    if (!alone) {
      EXPECT_EQ(check.problem, VectorProblem::kOutOfRange);
      EXPECT_EQ(check.position, position);
      return;
    }
    if (check.is_good()) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(vector[position]),
                std::bit_cast<std::uint32_t>(*alone))
          << texts[position];
    }
    ++position;
  }
  EXPECT_TRUE(check.is_good());
}

TEST(ReadVector, ReadsNumbersOfEachLengthAndPlaceAsNearestFloat) {
  std::mt19937_64 random(7);
  for (const bool is_negative : {false, true}) {
    for (int top = -130; top <= 37; ++top) {
      for (std::size_t count = 1; count <= 38; ++count) {
        std::vector<std::string> texts;
        for (int i = 0; i < 20; ++i) {
          std::string digits;
          for (std::size_t place = 0; place < count; ++place) {
            digits += static_cast<char>('0' + (i == 0   ? (place == 0 ? 1 : 0)
                                               : i == 1 ? 9
                                                        : random() % 10));
          }
          if (digits.front() == '0') digits.front() = '1';
          if (digits.back() == '0') digits.back() = '7';
          texts.push_back(text_of(digits, top, is_negative));
        }
        expect_as_alone(texts);
      }
    }
  }
}

// Decimals at the middle of two floats, and one digit beside it, where a doubt decides.
TEST(ReadVector, ReadsNumbersNearTheMiddleOfTwoFloatsAsNearestFloat) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 20'000; ++round) {
    const auto whole = static_cast<std::uint32_t>(0x28000000 + random() % 0x2F000000);
    const auto low = std::bit_cast<float>(whole);
    const auto high = std::bit_cast<float>(whole + 1);
    std::vector<std::string> texts;
    for (const int digits : {9, 15, 16, 17, 18, 19, 20}) {
      char buffer[64];
      const double middle = (double{low} + double{high}) / 2;
      const auto end = std::to_chars(buffer, buffer + 64, round % 2 == 0 ? middle : -middle,
                                     std::chars_format::scientific, digits - 1);
      texts.emplace_back(buffer, end.ptr);
      std::string beside = texts.back();
      char& last = beside[beside.find('e') - 1];
      last = last == '9' ? '8' : static_cast<char>(last + 1);
      texts.push_back(beside);
    }
    expect_as_alone(texts);
  }
}

TEST(ReadVector, ReadsRandomNumbersAsNearestFloat) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 3'000; ++round) {
    std::vector<std::string> texts;
    for (int i = 0; i < 100; ++i) {
      char buffer[64];
      const double value =
          std::ldexp(static_cast<double>(random()), -64 - static_cast<int>(random() % 100)) *
          (random() % 2 == 0 ? 1 : -1);
      const auto end = round % 2 == 0
                           ? std::to_chars(buffer, buffer + 64, value)
                           : std::to_chars(buffer, buffer + 64, static_cast<float>(value));
      texts.emplace_back(random() % 30 == 0 ? "0" : std::string(buffer, end.ptr));
    }
    expect_as_alone(texts);
  }
}

TEST(ReadVector, SaysWhatIsWrong) {
  std::vector<float> vector;
  EXPECT_TRUE(read_vector(AttributeView(list_of({"1", "2.5"})), 2, vector).is_good());
  EXPECT_EQ(vector, (std::vector<float>{1, 2.5}));
  const VectorCheck size = read_vector(AttributeView(list_of({"1", "2.5"})), 3, vector);
  EXPECT_EQ(size.problem, VectorProblem::kWrongSize);
  EXPECT_EQ(size.size, 2U);
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(read_vector(AttributeValue::string("x"), 3, vector).problem, VectorProblem::kNotAList);
  const VectorCheck range = read_vector(AttributeView(list_of({"1", "1E39"})), 2, vector);
  EXPECT_EQ(range.problem, VectorProblem::kOutOfRange);
  EXPECT_EQ(range.position, 1U);
  std::string mixed;
  ValueWriter writer(mixed);
  writer.begin_list();
  writer.null();
  writer.end_list();
  const VectorCheck kind = read_vector(AttributeView(mixed), 1, vector);
  EXPECT_EQ(kind.problem, VectorProblem::kNotANumber);
  EXPECT_EQ(kind.type, AttributeType::kNull);
}

TEST(VectorBytes, ReadBack) {
  const std::vector<float> vector{1, -2.5, 0};
  EXPECT_EQ(vector_of_bytes(vector_bytes(vector)), vector);
  EXPECT_TRUE(vector_of_bytes("abc").empty());
}

}  // namespace
}  // namespace magneto::storage
