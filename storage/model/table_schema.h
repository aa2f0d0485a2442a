#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/model/attribute_value.h"
#include "storage/model/index_kind.h"

namespace magneto::storage {

struct GlobalTable;          // storage/model/global_table.h
struct KinesisDestinations;  // storage/model/kinesis_destinations.h

struct KeyAttribute {
  std::string name;
  AttributeType type = AttributeType::kString;  // kString, kNumber or kBinary
  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// A table or local index has one partition attribute and at most one sort attribute. A global index
// has one to four partition attributes and up to four sort attributes.
struct KeySchema {
  class Attributes;

  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  friend bool operator==(const KeySchema&, const KeySchema&) = default;

  bool contains(std::string_view attribute) const;
  // All key attributes, the partition attributes first. The schema must outlive the result.
  Attributes attributes() const;
};

// For a range-based for.
class KeySchema::Attributes {
 public:
  struct Element {
    const KeyAttribute& attribute;
    bool is_partition;
  };

  class Iterator {
   public:
    Iterator(const KeySchema& schema, std::size_t index) : schema_(schema), index_(index) {}

    Element operator*() const {
      const std::size_t partitions = schema_.partition.size();
      if (index_ < partitions) return {schema_.partition[index_], true};
      return {schema_.sort[index_ - partitions], false};
    }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const KeySchema& schema_;
    std::size_t index_;
  };

  explicit Attributes(const KeySchema& schema) : schema_(schema) {}

  std::size_t size() const { return schema_.partition.size() + schema_.sort.size(); }
  Iterator begin() const { return {schema_, 0}; }
  Iterator end() const { return {schema_, size()}; }

 private:
  const KeySchema& schema_;
};

inline KeySchema::Attributes KeySchema::attributes() const { return Attributes(*this); }

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

// AWS API reference: VectorDistanceFunction. The smallest value of COSINE and EUCLIDEAN, and the
// largest of DOT_PRODUCT, is the most similar.
enum class DistanceFunction : std::uint8_t { kCosine, kDotProduct, kEuclidean };

// The vectors in an index of kind kVector: 32-bit floating point numbers.
struct VectorSpecification {
  std::string attribute;         // a list of numbers; items without it are not in the index
  std::uint32_t dimensions = 0;  // 1 to 4096
  DistanceFunction function = DistanceFunction::kCosine;
  // The SearchSchema, in the order of the request. HASH elements are in IndexSchema::key as well.
  std::vector<std::pair<KeyAttribute, bool>> search_schema;  // and whether it is a HASH
  friend bool operator==(const VectorSpecification&, const VectorSpecification&) = default;
};

struct IndexSchema {
  std::string name;
  std::uint16_t number = 0;  // within the table, from 1, never reused; 0 is the table itself
  IndexKind kind = IndexKind::kLocal;
  KeySchema key;
  Projection projection;
  ResourceStatus status = ResourceStatus::kActive;
  bool backfilling = false;  // older items may not be in it yet
  ProvisionedThroughput provisioned;
  OnDemandThroughput on_demand;
  WarmThroughput warm;
  VectorSpecification vector;  // kVector only

  // The attributes of its KeySchema or SearchSchema. The schema must outlive them.
  std::vector<KeySchema::Attributes::Element> elements() const;
  bool has_element(std::string_view attribute) const;

  bool is_asynchronous() const { return traits_of(kind).is_asynchronous; }
  bool has_own_throughput() const { return traits_of(kind).has_own_throughput; }
  bool can_be_queried() const { return traits_of(kind).can_be_queried; }
  bool fetches_from_table() const { return traits_of(kind).fetches_from_table; }
  bool is_in_item_collection() const { return traits_of(kind).is_in_item_collection; }
};

// Whether they are defined alike: their throughput and status may differ.
bool is_same_index(const IndexSchema& a, const IndexSchema& b);

struct StreamSpecification {
  bool enabled = false;
  std::string view_type;  // KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or NEW_AND_OLD_IMAGES
  std::string label;      // of the newest stream, also when disabled (StreamSchema)
};

// AWS API reference: TimeToLiveStatus.
enum class TimeToLiveStatus : std::uint8_t { kDisabled, kEnabling, kEnabled, kDisabling };

struct TimeToLive {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::string attribute;  // holds an item's expiry; empty if kDisabled
  // Of the expiry queue, from the numbers of indexes; 0 if there is none: kDisabled, kDisabling.
  std::uint16_t queue_number = 0;
  bool backfilling = false;  // items older than the queue may not be in it yet
};

struct PointInTimeRecovery {
  bool enabled = false;
  std::int32_t recovery_days = 0;  // 1 to 35 when enabled
  double since = 0;                // when it was enabled; seconds since the epoch
  // Of its history, from the numbers of tables; 0 if there is none.
  std::uint32_t history_number = 0;
};

struct ServerSideEncryption {
  bool enabled = false;
  std::string type;  // "KMS" when enabled
  std::string key_arn;
};

// AWS API reference: RestoreSummary.
struct RestoreOrigin {
  std::string backup_arn;  // empty: restored to a point in time
  std::string table_arn;
  double time = 0;  // of the backup, or the point in time; seconds since the epoch
  bool in_progress = false;
  // For a point in time: the number of the source's history (PointInTimeRecovery), and the moment
  // by that history's time, in microseconds. An interrupted restore continues by it, since the
  // clock may be turned meanwhile. 0: made by a version that did not store it.
  std::uint32_t history = 0;
  std::int64_t moment = 0;
  // The moment of a restore that has all items, waits only for the control-plane delay and no
  // longer needs its source.
  static constexpr std::int64_t kFilled = std::numeric_limits<std::int64_t>::max();
  friend bool operator==(const RestoreOrigin&, const RestoreOrigin&) = default;
};

// AWS API reference: PutResourcePolicy. Of the table, or of its newest stream.
struct ResourcePolicy {
  std::string text;  // canonical JSON
  std::string revision;
  friend bool operator==(const ResourcePolicy&, const ResourcePolicy&) = default;
};

// AWS API reference: UpdateContributorInsights. For the table or an index that has it enabled.
struct ContributorInsights {
  std::string index;                 // empty: the table
  bool throttled_keys_only = false;  // ContributorInsightsMode
  double updated = 0;                // seconds since the epoch
  friend bool operator==(const ContributorInsights&, const ContributorInsights&) = default;
};

// arn:aws:dynamodb:<region>:<account>:table/<name>
std::string table_arn(std::string_view region, std::string_view account, std::string_view name);

// Identifies a table: names are unique within a database (storage/databases.h).
struct TableName {
  std::uint32_t database = 0;  // its number
  std::string name;
};

// All properties of a table that CreateTable and UpdateTable set.
struct TableSchema {
  std::string name;
  std::string id;      // TableId, a UUID
  std::string region;  // of the caller that created it; part of the ARN
  std::string account;
  double created = 0;        // seconds since the epoch
  std::uint32_t number = 0;  // of the storage keys; a new one for each creation
  std::vector<KeyAttribute> attribute_definitions;  // as DescribeTable lists them
  KeySchema key;
  std::vector<IndexSchema> indexes;     // local ones first, each kind in request order
  std::uint16_t next_index_number = 1;  // 0: all are used up
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
  TimeToLive time_to_live;
  PointInTimeRecovery point_in_time_recovery;
  std::optional<double> table_class_changed;  // by UpdateTable, seconds since the epoch
  std::optional<RestoreOrigin> restored;
  std::optional<ResourcePolicy> policy;
  std::optional<ResourcePolicy> stream_policy;
  std::vector<ContributorInsights> contributor_insights;
  std::shared_ptr<const KinesisDestinations> kinesis;  // nullptr: it never had one
  std::shared_ptr<const GlobalTable> global_table;     // nullptr: not a global table
  // The number of its database: part of the key of its record, not of the record.
  std::uint32_t database = 0;

  TableName full_name() const { return {database, name}; }
  std::string arn() const { return table_arn(region, account, name); }
  std::string index_arn(const IndexSchema& index) const;
  // nullptr if there is none.
  const IndexSchema* find_index(std::string_view index_name) const;
  IndexSchema* find_numbered_index(std::uint16_t index_number);
  // A number for an index or a queue that the table has never used. A table has 65,535 of them in
  // its life; after that, throws std::length_error.
  std::uint16_t take_index_number();
  // Assigns a number to each index that has 0.
  void number_new_indexes();
};

}  // namespace magneto::storage
