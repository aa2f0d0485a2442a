// A letter for the kind of a record, then its bytes. Records come from the disk: damage must be
// told, never read past its end or passed on.
//   i item at rest    t table schema    s schema of a stream    r stream record
//   q change log    c client token    k two key values, a line each, after one of S, N, B
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "storage/clock.h"
#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/index/change_record.h"
#include "storage/model/value_writer.h"
#include "storage/stream/stream_record.h"
#include "storage/table/table.h"
#include "storage/transaction/idempotency_tokens.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_values.h"
#include "tests/fuzz/targets.h"
#include "tests/support/forwarding_engine.h"

namespace magneto::fuzz {
namespace {

using namespace storage;

void write_members(ValueWriter& writer, MapView members);

// Writes a value again from its view.
void write_value(ValueWriter& writer, AttributeView value) {
  switch (value.type()) {
    case AttributeType::kString:
      return writer.string(value.scalar_bytes());
    case AttributeType::kNumber:
      return writer.number(value.number());
    case AttributeType::kBinary:
      return writer.binary(value.scalar_bytes());
    case AttributeType::kBoolean:
      return writer.boolean(value.boolean());
    case AttributeType::kNull:
      return writer.null();
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet: {
      std::vector<std::string_view> members;
      for (const std::string_view member : value.set()) members.push_back(member);
      return writer.set(value.type(), std::move(members));
    }
    case AttributeType::kList:
      writer.begin_list();
      for (const AttributeView element : value.list()) write_value(writer, element);
      return writer.end_list();
    case AttributeType::kMap:
      writer.begin_map();
      write_members(writer, value.map());
      return writer.end_map();
  }
}

void write_members(ValueWriter& writer, MapView members) {
  for (const NamedAttribute& member : members) {
    writer.name(member.name);
    write_value(writer, member.value);
  }
}

void check_stored_item(std::string_view bytes) {
  if (is_valid_stored_item(bytes)) {
    require_equal(encode_item(decode_item(bytes)), bytes, "an item at rest encodes the same");
  }
  if (!is_valid_item(bytes)) return;
  std::string again;
  ValueWriter writer(again);
  writer.begin_item();
  write_members(writer, ItemView(bytes));
  writer.end_item();
  require_equal(again, bytes, "a valid item is canonical");
  require(is_valid_stored_item(encode_item(ItemView(bytes))), "a valid item is valid at rest");
}

template <typename Schema>
void check_schema(std::string_view bytes, Schema (*decode)(std::string_view),
                  std::string (*encode)(const Schema&)) {
  std::optional<Schema> schema;
  try {
    schema = decode(bytes);
  } catch (const std::runtime_error&) {
    return;
  }
  const std::string encoded = encode(*schema);
  // The first two bytes are the format; of an older one other bytes come back.
  if (encoded.substr(0, 2) == bytes.substr(0, 2)) {
    require_equal(encoded, bytes, "a schema that decodes encodes the same");
  }
  require_equal(encode(decode(encoded)), encoded, "a schema that was encoded decodes the same");
}

void check_stream_record(std::string_view bytes) {
  const KeySchema key{{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kNumber}}};
  std::string keys;
  StreamRecord record;
  try {
    record = decode_stream_record(bytes, key, keys);
  } catch (const EngineError&) {
    return;
  }
  require_valid_item(record.keys, "the keys of a stream record");
  require_valid_item(record.old_image, "the old image of a stream record");
  require_valid_item(record.new_image, "the new image of a stream record");
  if (record.kind != ChangeKind::kModify || record.old_image.empty() || record.new_image.empty()) {
    return;
  }
  std::string again = encode_stream_record(key, StreamView("NEW_AND_OLD_IMAGES"), record.old_image,
                                           record.new_image, record.by_time_to_live);
  if (const auto lead = lead_of(bytes); lead > Clock::Duration(0)) add_lead(again, lead);
  require_equal(again, bytes, "a stream record that decodes encodes the same");
}

// Says that it is durable, so that records are written and read.
class RecordingEngine final : public ForwardingEngine {
 public:
  RecordingEngine() : ForwardingEngine(make_memory_engine()) {}
  bool is_durable() const override { return true; }

  void put(const TreePtr& tree, std::string key, std::string_view value) {
    WriteBatch batch;
    batch.put(tree, std::move(key), std::string(value));
    commit(batch);
  }
};

void check_change_record(std::string_view bytes) {
  std::vector<EntryChange> changes;
  try {
    changes = decode_change_record(bytes);
  } catch (const EngineError&) {
    return;
  }
  std::string again;
  begin_change_record(again);
  for (const EntryChange& change : changes) {
    require(change.put_key.empty() || is_valid_stored_item(change.value),
            "an entry to put is valid");
    append_to_change_record(again, change);
  }
  require_equal(again, bytes, "a record of the change log encodes the same");
}

// The bytes as the record of a token, of today's format or of the one before.
void check_token_record(std::string_view bytes, bool of_format_2) {
  constexpr std::size_t kAheadOfReceipt = 16;  // in both
  RecordingEngine engine;
  const Clock clock;
  IdempotencyTokens tokens(engine, clock, std::size_t{1} << 20);
  const auto later = std::chrono::duration_cast<std::chrono::milliseconds>(
      (clock.now() + kTokenLifetime).time_since_epoch());
  const Digest token = digest_of("token");
  const std::string_view prefix = of_format_2 ? kTokenPrefixOfFormat2 : kTransactionPrefix;
  const TreePtr tree = engine.open_tree(ColumnFamily::kSystem, std::string(prefix), {}, {});
  engine.put(tree,
             of_format_2 ? std::string(prefix) + "token"
                         : transaction_key(static_cast<std::uint64_t>(later.count()), token),
             bytes);
  try {
    tokens.load();
  } catch (const EngineError&) {
    return;
  }
  Digest content{};
  std::copy_n(bytes.begin(), content.size(), content.begin());
  const auto hash = [&] { return read_uint64(bytes); };
  const auto answer = tokens.begin(token, {content, hash});
  require(answer.state == IdempotencyTokens::State::kRepeated ||
              (of_format_2 && answer.state == IdempotencyTokens::State::kNew),
          "a token that was read is honoured or has expired");
  if (answer.state != IdempotencyTokens::State::kRepeated) return;
  require_equal(answer.receipt, bytes.substr(kAheadOfReceipt), "a token leaves its receipt");
}

std::optional<AttributeValue> key_value(char type, std::string_view text) {
  if (type == 'S') return AttributeValue::string(text);
  if (type == 'B') return AttributeValue::binary(text);
  NumberError error{};
  const std::optional<Number> number = Number::parse(text, error);
  if (!number) return std::nullopt;
  return AttributeValue::number(*number);
}

void check_keys(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (input.empty() || end == std::string_view::npos) return;
  const auto a = key_value(input.front(), input.substr(1, end - 1));
  const auto b = key_value(input.front(), input.substr(end + 1));
  if (!a || !b) return;
  std::string part_a;
  std::string part_b;
  append_key_part(part_a, *a);
  append_key_part(part_b, *b);
  const auto order = a->view().scalar_bytes() <=> b->view().scalar_bytes();
  require((part_a <=> part_b) == order, "keys order as their values do");
  require(order == 0 || !part_b.starts_with(part_a), "no key begins with another");
  const std::string key = item_key(9, {*a, *b});
  const std::string expiry = expiry_key(tree_prefix(9, 2), 77, key);
  require(expiry_in(expiry) == 77, "an expiry key holds its time");
  require_equal(item_key_in(expiry), key, "an expiry key holds its item's key");
}

}  // namespace

void fuzz_stored_record(std::string_view input) {
  if (input.empty()) return;
  const std::string_view bytes = input.substr(1);
  switch (input.front()) {
    case 'i':
      return check_stored_item(bytes);
    case 't':
      return check_schema<TableSchema>(bytes, &decode_schema, &encode_schema);
    case 's':
      return check_schema<StreamSchema>(bytes, &decode_stream, &encode_stream);
    case 'r':
      return check_stream_record(bytes);
    case 'q':
      return check_change_record(bytes);
    case 'c':
      check_token_record(bytes, false);
      return check_token_record(bytes, true);
    case 'k':
      return check_keys(bytes);
    default:
      return;
  }
}

}  // namespace magneto::fuzz
