// Uses the MD5 functions directly: for a short key the EVP interface costs several times the digest
// itself.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "storage/encoding/partition_hash.h"

#include <openssl/md5.h>

#include <array>
#include <cstring>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/md5_lanes.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kSeed = "Outliers";

}  // namespace

std::uint64_t partition_hash(std::span<const std::string_view> parts) {
  MD5_CTX context;
  MD5_Init(&context);
  MD5_Update(&context, kSeed.data(), kSeed.size());
  for (const std::string_view part : parts) MD5_Update(&context, part.data(), part.size());
  std::array<unsigned char, MD5_DIGEST_LENGTH> digest;
  MD5_Final(digest.data(), &context);
  return read_uint64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::uint64_t partition_hash(std::string_view key_bytes) {
  // A batch often names items of one partition. The digest costs more than all else in a key.
  struct Known {
    std::array<char, 64> bytes;
    std::size_t size;
    std::uint64_t hash;
  };
  thread_local constinit Known last{{}, std::string_view::npos, 0};
  if (key_bytes.size() == last.size &&
      std::memcmp(key_bytes.data(), last.bytes.data(), last.size) == 0) {
    return last.hash;
  }
  const std::uint64_t hash = partition_hash({&key_bytes, 1});
  if (key_bytes.size() <= last.bytes.size()) {
    std::memcpy(last.bytes.data(), key_bytes.data(), key_bytes.size());
    last.size = key_bytes.size();
    last.hash = hash;
  }
  return hash;
}

std::vector<std::uint64_t> partition_hashes(std::span<const std::string_view> keys) {
  std::vector<std::uint64_t> hashes(keys.size());
  Md5Lanes lanes;
  std::array<std::size_t, Md5Lanes::kCount> keys_of_lanes;
  std::size_t count = 0;
  const auto repeats = [&](std::size_t i) { return i > 0 && keys[i] == keys[i - 1]; };
  const auto finish_lanes = [&] {
    const auto heads = lanes.heads();
    for (std::size_t lane = 0; lane < count; ++lane) hashes[keys_of_lanes[lane]] = heads[lane];
    count = 0;
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (repeats(i)) continue;
    if (kSeed.size() + keys[i].size() > Md5Lanes::kMostBytes) {
      hashes[i] = partition_hash(keys[i]);
      continue;
    }
    lanes.set(count, kSeed, keys[i]);
    keys_of_lanes[count++] = i;
    if (count == keys_of_lanes.size()) finish_lanes();
  }
  if (count == 1) {
    hashes[keys_of_lanes[0]] = partition_hash(keys[keys_of_lanes[0]]);
  } else if (count > 1) {
    finish_lanes();
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (repeats(i)) hashes[i] = hashes[i - 1];
  }
  return hashes;
}

}  // namespace magneto::storage
