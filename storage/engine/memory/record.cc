#include "storage/engine/memory/record.h"

#include <algorithm>
#include <new>

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
  const std::uint32_t places = KeyPlaces::find(key, value);
  const std::size_t own_key = places != 0 ? 0 : key.size();
  const auto value_size = narrow<std::uint32_t>(value.size());
  void* memory = RecordMemory::allocate(sizeof(Record) + own_key + value.size());
  auto* record =
      new (memory) Record(places != 0 ? places : narrow<std::uint32_t>(own_key), value_size);
  char* const to = static_cast<char*>(memory) + sizeof(Record);
  std::copy_n(key.begin(), own_key, to);
  std::copy(value.begin(), value.end(), to + own_key);
  return record;
}

Record* Record::create_tombstone(std::string_view key) {
  const auto key_size = narrow<std::uint32_t>(key.size());
  void* memory = RecordMemory::allocate(sizeof(Record) + key.size());
  auto* record = new (memory) Record(key_size, kTombstone);
  std::copy(key.begin(), key.end(), static_cast<char*>(memory) + sizeof(Record));
  return record;
}

int Record::compare_key(std::string_view other) const {
  if (has_key()) return compare_tails({bytes(), key_}, other);
  if (other.size() <= kHead) return 1;  // a prefix
  return places().compare(bytes(), other.substr(kHead));
}

void Record::append_key(std::uint64_t head, std::string& out) const {
  if (has_key()) {
    out.append(bytes(), key_);
    return;
  }
  out.reserve(out.size() + kHead + places().size(bytes()));
  append_uint64(out, head);
  places().append_to(out, bytes());
}

}  // namespace magneto::storage
