#include "storage/engine/postgres/arguments.h"

#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

// Numbers in pg_type.
constexpr std::uint32_t kByteaType = 17;
constexpr std::uint32_t kBigintType = 20;
constexpr int kBinary = 1;

void append_element(std::string& text, std::string_view element) {
  append_uint32(text, narrow<std::uint32_t>(element.size()));
  text.append(element);
}

}  // namespace

Arguments::Arguments(std::initializer_list<std::int64_t> numbers) {
  for (const std::int64_t number : numbers) add_number(number);
}

void Arguments::add_bytes(std::string_view bytes) {
  // libpq takes a null pointer for NULL.
  values_.push_back(bytes.data() == nullptr ? "" : bytes.data());
  lengths_.push_back(narrow<int>(bytes.size()));
  formats_.push_back(kBinary);
}

void Arguments::add_number(std::int64_t number) {
  append_uint64(owned_.emplace_back(), static_cast<std::uint64_t>(number));
  add_bytes(owned_.back());
}

void Arguments::add_null() {
  values_.push_back(nullptr);
  lengths_.push_back(0);
  formats_.push_back(kBinary);
}

void Arguments::add_array(std::span<const std::string_view> elements) {
  std::string& text = begin_array(kByteaType, false, elements.size());
  for (const std::string_view element : elements) append_element(text, element);
  add_bytes(text);
}

void Arguments::add_array(std::span<const std::optional<std::string_view>> elements) {
  constexpr std::uint32_t kNull = 0xFFFFFFFF;  // in place of a length
  std::string& text = begin_array(kByteaType, true, elements.size());
  for (const std::optional<std::string_view>& element : elements) {
    if (element) {
      append_element(text, *element);
    } else {
      append_uint32(text, kNull);
    }
  }
  add_bytes(text);
}

void Arguments::add_numbers(std::span<const std::int64_t> numbers) {
  std::string& text = begin_array(kBigintType, false, numbers.size());
  for (const std::int64_t number : numbers) {
    append_uint32(text, sizeof number);
    append_uint64(text, static_cast<std::uint64_t>(number));
  }
  add_bytes(text);
}

// The wire form: dimensions, whether there are nulls, the type, then size and lower bound of each
// dimension, then each element with its length.
std::string& Arguments::begin_array(std::uint32_t type, bool has_nulls, std::size_t size) {
  std::string& text = owned_.emplace_back();
  append_uint32(text, size == 0 ? 0 : 1);
  append_uint32(text, has_nulls ? 1 : 0);
  append_uint32(text, type);
  if (size != 0) {
    append_uint32(text, narrow<std::uint32_t>(size));
    append_uint32(text, 1);
  }
  return text;
}

}  // namespace magneto::storage
