#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

struct KeyAttribute {
  std::string name;
  AttributeType type = AttributeType::kString;  // kString, kNumber or kBinary
  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// A table or local index has one partition attribute and at most one sort attribute; a global
// index has one to four of the first and none to four of the second.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  friend bool operator==(const KeySchema&, const KeySchema&) = default;

  bool contains(std::string_view attribute) const;
};

enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };

struct Projection {
  ProjectionType type = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes;  // kInclude only, as the request gave them
  friend bool operator==(const Projection&, const Projection&) = default;
};

struct ProvisionedThroughput {
  std::int64_t read_units = 0;  // 0 in on-demand tables
  std::int64_t write_units = 0;
  std::int64_t decreases_today = 0;
  std::optional<double> last_increase;  // seconds since the epoch
  std::optional<double> last_decrease;
};

struct OnDemandThroughput {  // -1: no maximum, absent: not given
  std::optional<std::int64_t> max_read_units;
  std::optional<std::int64_t> max_write_units;
};

struct WarmThroughput {  // absent: DynamoDB's initial 12,000 reads and 4,000 writes a second
  std::optional<std::int64_t> read_units_per_second;
  std::optional<std::int64_t> write_units_per_second;
};

// AWS API reference: TableStatus and IndexStatus.
enum class ResourceStatus : std::uint8_t { kCreating, kActive, kUpdating, kDeleting };
enum class BillingMode : std::uint8_t { kProvisioned, kPayPerRequest };

struct IndexSchema {
  std::string name;
  std::uint16_t number = 0;  // within the table, 1 upwards, never reused; 0 is the table itself
  bool is_global = false;
  KeySchema key;
  Projection projection;
  ResourceStatus status = ResourceStatus::kActive;
  bool backfilling = false;
  ProvisionedThroughput provisioned;
  OnDemandThroughput on_demand;
  WarmThroughput warm;
};

struct StreamSpecification {
  bool enabled = false;
  std::string view_type;  // KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or NEW_AND_OLD_IMAGES
  std::string label;      // ISO 8601 time of enabling; part of the stream's ARN
};

struct ServerSideEncryption {
  bool enabled = false;
  std::string type;  // "KMS" when enabled
  std::string key_arn;
};

// Everything CreateTable and UpdateTable decide about a table.
struct TableSchema {
  std::string name;
  std::string id;      // TableId, a UUID
  std::string region;  // of the caller that created it; part of the ARN
  std::string account;
  double created = 0;        // seconds since the epoch
  std::uint32_t number = 0;  // of the storage keys; a new one for each creation
  std::vector<KeyAttribute> attribute_definitions;  // as DescribeTable lists them
  KeySchema key;
  std::vector<IndexSchema> indexes;  // local ones first, each kind in request order
  std::uint16_t next_index_number = 1;
  BillingMode billing = BillingMode::kProvisioned;
  bool billing_mode_given = false;  // DescribeTable shows BillingModeSummary only then
  std::optional<double> pay_per_request_since;
  ProvisionedThroughput provisioned;
  OnDemandThroughput on_demand;
  WarmThroughput warm;
  std::string table_class;  // empty: STANDARD by default, not shown
  bool deletion_protection = false;
  ResourceStatus status = ResourceStatus::kActive;
  StreamSpecification stream;
  ServerSideEncryption encryption;
  std::vector<std::pair<std::string, std::string>> tags;
  std::uint32_t partition_count = 1;

  std::string arn() const;  // arn:aws:dynamodb:<region>:<account>:table/<name>
  std::string index_arn(const IndexSchema& index) const;
  const IndexSchema* find_index(std::string_view index_name) const;  // nullptr when there is none
};

}  // namespace magneto::storage
