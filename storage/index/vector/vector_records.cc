#include "storage/index/vector/vector_records.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

void append_sized(std::string_view run, std::string& bytes) {
  const auto length = narrow<std::uint32_t>(run.size());
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(run);
}

bool take_sized(std::string_view& bytes, std::string_view& run) {
  std::uint32_t length = 0;
  if (bytes.size() < sizeof length) return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (bytes.size() < length) return false;
  run = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return true;
}

}  // namespace

void append_vector_record(const IndexedVectors::Entry& entry, std::string& bytes) {
  append_sized(entry.key, bytes);
  append_sized(entry.partition, bytes);
  for (const std::string& value : entry.values) append_sized(value, bytes);
  bytes.append(reinterpret_cast<const char*>(entry.vector.data()), entry.vector.size_bytes());
}

bool VectorRecordReader::take(std::string_view& bytes) {
  if (!take_sized(bytes, key_) || !take_sized(bytes, partition_)) return false;
  for (std::string& value : values_) {
    std::string_view run;
    if (!take_sized(bytes, run)) return false;
    value.assign(run);
  }
  const std::size_t size = vector_.size() * sizeof(float);
  if (bytes.size() < size) return false;
  std::memcpy(vector_.data(), bytes.data(), size);
  bytes.remove_prefix(size);
  return std::ranges::all_of(vector_, [](float one) { return std::isfinite(one); });
}

}  // namespace magneto::storage
