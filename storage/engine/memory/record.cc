#include "storage/engine/memory/record.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kHead = sizeof(std::uint64_t);

// For whole keys with equal heads.
int compare_tails(std::string_view a, std::string_view b) {
  if (a.size() > kHead && b.size() > kHead) return a.substr(kHead).compare(b.substr(kHead));
  if (a.size() == b.size()) return 0;
  return a.size() < b.size() ? -1 : 1;  // the shorter one is a prefix of the other
}

}  // namespace

Record* Record::create(std::string_view key, std::string_view value) {
  const KeyPlaces places = KeyPlaces::find(key, value);
  const std::string_view own_key = places.are_found() ? std::string_view() : key;
  return make(shape_of(places, own_key.size(), value.size()), places, own_key, value);
}

Record* Record::create_tombstone(std::string_view key) {
  const auto size = narrow<std::uint32_t>(key.size());
  if (size >> kFormShift != 0) throw std::length_error("the key of a tombstone is too long");
  return make(shape_of(Form::kTombstone, size), {}, key, {});
}

std::uint32_t Record::shape_of(const KeyPlaces& places, std::size_t key_size,
                               std::size_t value_size) {
  const auto fits = [](std::size_t size, unsigned bits) { return size >> bits == 0; };
  if (places.are_found()) {
    const bool is_short =
        fits(value_size, kItemPartBits) && fits(places.first() | places.second(), kItemPartBits);
    if (!is_short) return shape_of(Form::kLong, 1);
    return shape_of(Form::kItem, narrow<std::uint32_t>(value_size) << kItemValueShift |
                                     places.second() << kItemPartBits | places.first());
  }
  if (!fits(key_size, kFormShift - kKeyShift) || !fits(value_size, kKeyShift)) {
    return shape_of(Form::kLong, 0);
  }
  return shape_of(Form::kKey,
                  narrow<std::uint32_t>(key_size) << kKeyShift | narrow<std::uint32_t>(value_size));
}

Record* Record::make(std::uint32_t shape, const KeyPlaces& places, std::string_view key,
                     std::string_view value) {
  const bool is_long = shape >> kFormShift == static_cast<std::uint32_t>(Form::kLong);
  const LongShape more{narrow<std::uint32_t>(value.size()),
                       places.are_found() ? places.second() << kLongPartBits | places.first()
                                          : narrow<std::uint32_t>(key.size())};
  const std::size_t header = sizeof(Record) + (is_long ? sizeof(LongShape) : 0);
  char* const memory =
      static_cast<char*>(RecordMemory::allocate(header + key.size() + value.size()));
  auto* record = new (memory) Record(shape);
  if (is_long) new (memory + sizeof(Record)) LongShape(more);
  std::copy(key.begin(), key.end(), memory + header);
  std::copy(value.begin(), value.end(), memory + header + key.size());
  return record;
}

KeyPlaces Record::places() const {
  if (form() == Form::kItem) return item_places();
  const std::uint32_t both = long_shape().key;
  return {both % (1U << kLongPartBits), both >> kLongPartBits};
}

std::size_t Record::key_size() const {
  if (has_places()) return 0;
  switch (form()) {
    case Form::kKey:
      return rest() >> kKeyShift;
    case Form::kTombstone:
      return rest();
    default:
      return long_shape().key;
  }
}

std::size_t Record::value_size() const {
  switch (form()) {
    case Form::kItem:
      return shape_ >> kItemValueShift;
    case Form::kKey:
      return shape_ % (1U << kKeyShift);
    case Form::kTombstone:
      return 0;
    default:
      return long_shape().value_size;
  }
}

std::string_view Record::value_of_others() const { return {bytes() + key_size(), value_size()}; }

// Nearly all keys that are compared are those of items.
int Record::compare_key(std::string_view other) const {
  if (form() != Form::kItem) [[unlikely]]
    return compare_other_form(other);
  if (other.size() <= kHead) return 1;  // a prefix
  return item_places().compare(behind_header(), other.substr(kHead));
}

int Record::compare_other_form(std::string_view other) const {
  if (!has_places()) return compare_tails({bytes(), key_size()}, other);
  if (other.size() <= kHead) return 1;
  return places().compare(bytes(), other.substr(kHead));
}

void Record::append_key(std::uint64_t head, std::string& out) const {
  if (!has_places()) {
    out.append(bytes(), key_size());
    return;
  }
  const KeyPlaces found = places();
  out.reserve(out.size() + kHead + found.size(bytes()));
  append_uint64(out, head);
  found.append_to(out, bytes());
}

}  // namespace magneto::storage
