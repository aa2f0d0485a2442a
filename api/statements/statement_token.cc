#include "api/statements/statement_token.h"

#include "api/error.h"
#include "api/json/base64.h"
#include "api/messages/statement_messages.h"
#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/encoding/partition_hash.h"

// A token is base64 of these fields, with big-endian integers:
//
//   version:1 fingerprint:8 read:4 [item] checksum:8
//
// The checksum is a hash of all preceding bytes. It distinguishes a cut or mistyped token from a
// token of another statement.
namespace magneto::api {

namespace {

constexpr char kTokenVersion = 1;
constexpr std::size_t kFingerprintAt = 1;
constexpr std::size_t kReadAt = kFingerprintAt + 8;
constexpr std::size_t kItemAt = kReadAt + 4;
constexpr std::size_t kChecksumSize = 8;

}  // namespace

std::string encode_statement_token(std::uint64_t fingerprint, const StatementStart& start) {
  std::string bytes(1, kTokenVersion);
  storage::append_uint64(bytes, fingerprint);
  storage::append_uint32(bytes, start.read);
  bytes += start.last.bytes();
  storage::append_uint64(bytes, storage::fingerprint(std::string_view(bytes)));
  std::string token;
  json::encode_base64(bytes, token);
  return token;
}

StatementStart decode_statement_token(std::string_view token, std::uint64_t fingerprint) {
  std::string decoded;
  if (json::is_base64(token)) json::decode_base64(token, decoded);
  const std::string_view bytes = decoded;
  if (bytes.size() < kItemAt + kChecksumSize || bytes.front() != kTokenVersion) {
    fail_validation(messages::kInvalidToken);
  }
  const std::string_view checked = bytes.substr(0, bytes.size() - kChecksumSize);
  const std::string_view item = checked.substr(kItemAt);
  if (storage::read_uint64(bytes.substr(checked.size())) != storage::fingerprint(checked) ||
      !(item.empty() || storage::is_valid_item(item))) {
    fail_validation(messages::kInvalidToken);
  }
  if (storage::read_uint64(bytes.substr(kFingerprintAt)) != fingerprint) {
    fail_validation(messages::kForeignToken);
  }
  return {storage::read_uint32(bytes.substr(kReadAt)), storage::Item(std::string(item))};
}

}  // namespace magneto::api
