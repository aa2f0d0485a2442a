#include "storage/engine/postgres/arguments.h"

#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kByteaType = 17;  // its number in pg_type
constexpr int kBinary = 1;

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

// The wire form: dimensions, whether there are nulls, the type, then size and lower bound of each
// dimension, then each element with its length.
void Arguments::add_array(std::span<const std::string_view> elements) {
  std::string& text = owned_.emplace_back();
  append_uint32(text, elements.empty() ? 0 : 1);
  append_uint32(text, 0);
  append_uint32(text, kByteaType);
  if (!elements.empty()) {
    append_uint32(text, narrow<std::uint32_t>(elements.size()));
    append_uint32(text, 1);
  }
  for (const std::string_view element : elements) {
    append_uint32(text, narrow<std::uint32_t>(element.size()));
    text.append(element);
  }
  add_bytes(text);
}

}  // namespace magneto::storage
