#include "storage/encoding/schema_encoding.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"
#include "storage/model/global_table.h"
#include "storage/model/kinesis_destinations.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

namespace {

// The name of a kind of record in messages, and its current format.
struct Kind {
  const char* name;
  std::uint16_t format;
};
// Format 1 had no time to live. Format 2 had no point-in-time recovery. Format 3 had no time of the
// last change of the table class. Format 4 had no vectors, restores, policies and insights. Format
// 5 had no history of point-in-time recovery, no Kinesis and no replicas. Format 6 had no own
// settings of replicas. Format 7 had no strong consistency over regions. Format 8 had no replicas
// that become separate tables. Format 9 had no moment of a restore.
constexpr Kind kTable{messages::kTableSchema, 10};
// Format 1 had no policy.
constexpr Kind kStream{messages::kStreamSchema, 2};

template <typename T, template <typename...> class Template>
inline constexpr bool kIsA = false;
template <template <typename...> class Template, typename... Args>
inline constexpr bool kIsA<Template<Args...>, Template> = true;

bool is_valid(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kNumber ||
         type == AttributeType::kBinary;
}
using storage::is_valid;  // of IndexKind
bool is_valid(ProjectionType type) { return type <= ProjectionType::kInclude; }
bool is_valid(ResourceStatus status) { return status <= ResourceStatus::kDeleting; }
bool is_valid(DistanceFunction function) { return function <= DistanceFunction::kEuclidean; }
bool is_valid(BillingMode mode) { return mode <= BillingMode::kPayPerRequest; }
bool is_valid(DestinationStatus status) { return status <= DestinationStatus::kUpdating; }
bool is_valid(TimePrecision precision) { return precision <= TimePrecision::kMicrosecond; }
bool is_valid(ReplicaStatus status) { return status <= ReplicaStatus::kCreationFailed; }
bool is_valid(TimeToLiveStatus status) { return status <= TimeToLiveStatus::kDisabling; }

// The fields of each struct, listed once for both directions. A struct whose number of members
// differs from the number of names on the left does not compile, so no member can be forgotten. The
// number of the database is in the key of a record.
template <typename Archive>
void visit_table(Archive& archive, auto& object) {
  auto& [name, id, region, account, created, number, attribute_definitions, key, indexes,
         next_index_number, billing, billing_mode_given, pay_per_request_since, provisioned,
         on_demand, warm, table_class, deletion_protection, status, stream, encryption, tags,
         partition_count, time_to_live, point_in_time_recovery, table_class_changed, restored,
         policy, stream_policy, contributor_insights, kinesis, global_table, database] = object;
  archive.fields(name, id, region, account, created, number, attribute_definitions, key, indexes,
                 next_index_number, billing, billing_mode_given, pay_per_request_since, provisioned,
                 on_demand, warm, table_class, deletion_protection, status, stream, encryption,
                 tags, partition_count);
  if (archive.format() >= 2) archive.fields(time_to_live);
  if (archive.format() >= 3) archive.fields(point_in_time_recovery);
  if (archive.format() >= 4) archive.fields(table_class_changed);
  if (archive.format() >= 5) {
    archive.fields(restored, policy, stream_policy, contributor_insights);
    for (auto& index : indexes) archive.fields(index.vector);
  }
  if (archive.format() >= 6) {
    archive.fields(point_in_time_recovery.since, point_in_time_recovery.history_number, kinesis,
                   global_table);
  }
  if (archive.format() >= 10 && restored) archive.fields(restored->history, restored->moment);
}

template <typename Archive>
void visit(Archive& archive, auto& object) {
  using Object = std::remove_const_t<std::remove_reference_t<decltype(object)>>;
  if constexpr (std::same_as<Object, KeyAttribute> || std::same_as<Object, KeySchema> ||
                std::same_as<Object, Projection> || std::same_as<Object, OnDemandThroughput> ||
                std::same_as<Object, Witness> || std::same_as<Object, WarmThroughput> ||
                std::same_as<Object, ResourcePolicy>) {
    auto& [a, b] = object;
    archive.fields(a, b);
  } else if constexpr (std::same_as<Object, PointInTimeRecovery>) {
    auto& [enabled, recovery_days, since, history_number] = object;
    archive.fields(enabled, recovery_days);  // the others are at the end of the table's record
  } else if constexpr (std::same_as<Object, StreamSpecification> ||
                       std::same_as<Object, ServerSideEncryption> ||
                       std::same_as<Object, ContributorInsights> ||
                       std::same_as<Object, KinesisDestinations> ||
                       std::same_as<Object, ReplicaIndex> ||
                       std::same_as<Object, CapacityScaling>) {
    auto& [a, b, c] = object;
    archive.fields(a, b, c);
  } else if constexpr (std::same_as<Object, RestoreOrigin>) {
    auto& [backup_arn, table_arn, time, in_progress, history, moment] = object;
    archive.fields(backup_arn, table_arn, time, in_progress);  // the others as above
  } else if constexpr (std::same_as<Object, TimeToLive> ||
                       std::same_as<Object, VectorSpecification>) {
    auto& [a, b, c, d] = object;
    archive.fields(a, b, c, d);
  } else if constexpr (std::same_as<Object, ProvisionedThroughput> ||
                       std::same_as<Object, KinesisDestination> ||
                       std::same_as<Object, ReplicaSettings> || std::same_as<Object, Replica> ||
                       std::same_as<Object, ScalingPolicy> || std::same_as<Object, AutoScaling>) {
    auto& [a, b, c, d, e] = object;
    archive.fields(a, b, c, d, e);
  } else if constexpr (std::same_as<Object, GlobalTable>) {
    auto& [a, b, c, d, e, f, g, own, scaling, is_strong, witness, may_leave, is_leaving] = object;
    archive.fields(a, b, c, d, e, f, g);
    if (archive.format() >= 7) archive.fields(own, scaling);
    if (archive.format() >= 8) archive.fields(is_strong, witness);
    if (archive.format() >= 9) archive.fields(may_leave, is_leaving);
  } else if constexpr (std::same_as<Object, IndexSchema>) {
    auto& [name, number, kind, key, projection, status, backfilling, provisioned, on_demand, warm,
           vector] = object;
    archive.fields(name, number, kind, key, projection, status, backfilling, provisioned, on_demand,
                   warm);  // the vector's specification is at the end of the table's record
  } else if constexpr (std::same_as<Object, StreamShard>) {
    auto& [number, parent, parent_opened, range, opened, closed, first_sequence, last_sequence] =
        object;
    archive.fields(number, parent, parent_opened, range, opened, closed, first_sequence,
                   last_sequence);
  } else if constexpr (std::same_as<Object, StreamSchema>) {
    auto& [number, table_number, region, account, table_name, label, view_type, key, created,
           closed, secret, next_shard_number, shards, policy, database] = object;
    archive.fields(number, table_number, region, account, table_name, label, view_type, key,
                   created, closed, secret, next_shard_number, shards);
    if (archive.format() >= 2) archive.fields(policy);
  } else {
    static_assert(std::same_as<Object, TableSchema>);
    visit_table(archive, object);
  }
}

class SchemaWriter {
 public:
  explicit SchemaWriter(std::uint16_t format) : format_(format) {}

  std::string take() { return std::move(out_); }
  std::uint16_t format() const { return format_; }

  void fields(const auto&... values) { (field(values), ...); }

 private:
  template <typename T>
  void field(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      append_uint32(out_, narrow<std::uint32_t>(value.size()));
      out_.append(value);
    } else if constexpr (std::same_as<T, bool> || std::is_enum_v<T>) {
      out_.push_back(static_cast<char>(value));
    } else if constexpr (std::same_as<T, double>) {
      append_uint64(out_, std::bit_cast<std::uint64_t>(value));
    } else if constexpr (std::integral<T> && sizeof(T) == 2) {
      append_uint16(out_, static_cast<std::uint16_t>(value));
    } else if constexpr (std::integral<T> && sizeof(T) == 4) {
      append_uint32(out_, static_cast<std::uint32_t>(value));
    } else if constexpr (std::integral<T>) {
      append_uint64(out_, static_cast<std::uint64_t>(value));
    } else if constexpr (kIsA<T, std::optional>) {
      field(value.has_value());
      if (value) field(*value);
    } else if constexpr (kIsA<T, std::shared_ptr>) {
      field(value != nullptr);
      if (value != nullptr) field(*value);
    } else if constexpr (kIsA<T, std::vector>) {
      append_uint32(out_, narrow<std::uint32_t>(value.size()));
      for (const auto& element : value) field(element);
    } else if constexpr (kIsA<T, std::pair>) {
      fields(value.first, value.second);
    } else {
      visit(*this, value);
    }
  }

  const std::uint16_t format_;
  std::string out_;
};

class SchemaReader {
 public:
  SchemaReader(std::string_view rest, const char* name) : rest_(rest), name_(name) {}

  bool at_end() const { return rest_.empty(); }
  std::uint16_t format() const { return format_; }
  void set_format(std::uint16_t format) { format_ = format; }

  void fields(auto&... values) { (field(values), ...); }

  [[noreturn]] void fail(const char* damage) const {
    throw std::runtime_error(messages::damaged_schema(name_, damage));
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) fail(messages::kEndsEarly);
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  template <typename T>
  void field(T& value) {
    if constexpr (std::same_as<T, std::string>) {
      value = take(read_uint32(take(4)));
    } else if constexpr (std::same_as<T, bool>) {
      const char byte = take(1).front();
      value = byte == 1;
      if (byte != 0 && byte != 1) fail(messages::kNoFlag);
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(take(1).front());
      if (!is_valid(value)) fail(messages::kUnknownKind);
    } else if constexpr (std::same_as<T, double>) {
      value = std::bit_cast<double>(read_uint64(take(8)));
    } else if constexpr (std::integral<T> && sizeof(T) == 2) {
      value = static_cast<T>(read_uint16(take(2)));
    } else if constexpr (std::integral<T> && sizeof(T) == 4) {
      value = static_cast<T>(read_uint32(take(4)));
    } else if constexpr (std::integral<T>) {
      value = static_cast<T>(read_uint64(take(8)));
    } else if constexpr (kIsA<T, std::optional>) {
      bool present = false;
      field(present);
      if (present) field(value.emplace());
    } else if constexpr (kIsA<T, std::shared_ptr>) {
      bool present = false;
      field(present);
      if (!present) return;
      auto object = std::make_shared<std::remove_const_t<typename T::element_type>>();
      field(*object);
      value = std::move(object);
    } else if constexpr (kIsA<T, std::vector>) {
      // With a wrong count, reading reaches the end of the record before it takes much memory.
      for (std::uint32_t left = read_uint32(take(4)); left > 0; --left) field(value.emplace_back());
    } else if constexpr (kIsA<T, std::pair>) {
      fields(value.first, value.second);
    } else {
      visit(*this, value);
    }
  }

  std::string_view rest_;
  const char* const name_;
  std::uint16_t format_ = 0;
};

template <typename Schema>
std::string encode_record(const Kind& kind, const Schema& schema) {
  SchemaWriter writer(kind.format);
  writer.fields(kind.format, schema);
  return writer.take();
}

template <typename Schema>
Schema decode_record(const Kind& kind, std::string_view record) {
  SchemaReader reader(record, kind.name);
  std::uint16_t format = 0;
  reader.fields(format);
  if (format > kind.format) {
    throw std::runtime_error(messages::newer_schema(kind.name, format, kind.format));
  }
  if (format == 0) reader.fail(messages::kNoFormat);
  reader.set_format(format);
  Schema schema;
  reader.fields(schema);
  if (!reader.at_end()) reader.fail(messages::kBytesLeft);
  return schema;
}

}  // namespace

std::string encode_schema(const TableSchema& table) { return encode_record(kTable, table); }
TableSchema decode_schema(std::string_view record) {
  return decode_record<TableSchema>(kTable, record);
}

std::string encode_stream(const StreamSchema& stream) { return encode_record(kStream, stream); }
StreamSchema decode_stream(std::string_view record) {
  return decode_record<StreamSchema>(kStream, record);
}

}  // namespace magneto::storage
