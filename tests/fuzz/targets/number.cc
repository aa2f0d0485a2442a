// Two literals, a line each.
#include "storage/model/number.h"

#include <string>

#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using storage::Number;
using storage::NumberError;

std::optional<Number> read_number(std::string_view text) {
  NumberError error{};
  return Number::parse(text, error);
}

void check_one(const Number& number) {
  const std::string text = number.to_string();
  const std::optional<Number> again = read_number(text);
  require(again && *again == number, "a rendered number reads as itself", text);
  require(storage::are_number_bytes(number.bytes()), "a number has number bytes", text);
  require(Number::from_bytes(number.bytes()) == number, "number bytes are the number", text);
  const std::size_t size = number.stored_size();
  require(size >= 1 && size <= Number::kMaxBytes, "a number takes 1 to 21 bytes", text);
  if (const auto integer = number.to_integer()) {
    require(Number::from_integer(*integer) == number, "an integer is the number", text);
  }
}

void check_sum(const Number& a, const Number& b) {
  NumberError error{};
  const std::optional<Number> sum = Number::add(a, b, error);
  const std::optional<Number> turned = Number::add(b, a, error);
  require(sum.has_value() == turned.has_value() && (!sum || *sum == *turned), "a + b = b + a");
  if (sum) {
    check_one(*sum);
    const std::optional<Number> back = Number::subtract(*sum, b, error);
    require(back && *back == a, "a + b - b = a", sum->to_string());
  }
  if (const std::optional<Number> difference = Number::subtract(a, b, error)) {
    check_one(*difference);
    require((*difference <=> Number()) == (a <=> b), "a - b tells which is larger",
            difference->to_string());
  }
}

}  // namespace

void fuzz_number(std::string_view input) {
  const std::size_t end = input.find('\n');
  const std::string_view first = input.substr(0, end);
  const std::string_view second = end == std::string_view::npos ? first : input.substr(end + 1);
  storage::java_exponent(first);
  const std::optional<Number> a = read_number(first);
  if (a) check_one(*a);
  const std::optional<Number> b = read_number(second);
  if (a && b) check_sum(*a, *b);
}

}  // namespace magneto::fuzz
