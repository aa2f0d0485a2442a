#include "tests/fuzz/sample_database.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "storage/encoding/key_encoding.h"
#include "storage/model/vector_value.h"
#include "tests/fuzz/property.h"

namespace magneto::fuzz {
namespace {

using api::json::Document;
using api::json::Value;

struct Call {
  std::string_view operation;
  std::string_view body;
};

// valid_calls.txt has times of the hour after this.
constexpr std::chrono::sys_days kBegun{std::chrono::year(2030) / 1 / 1};

constexpr Call kSetUp[] = {
    {"CreateTable", R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"l","AttributeType":"S"},
        {"AttributeName":"g","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
      "LocalSecondaryIndexes":[{"IndexName":"local","Projection":{"ProjectionType":"KEYS_ONLY"},
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
          {"AttributeName":"l","KeyType":"RANGE"}]}],
      "GlobalSecondaryIndexes":[{"IndexName":"global","Projection":{"ProjectionType":"ALL"},
          "KeySchema":[{"AttributeName":"g","KeyType":"HASH"},
            {"AttributeName":"n","KeyType":"RANGE"}]},
        {"IndexName":"narrow","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],
          "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],
      "VectorIndexes":[{"IndexName":"vec","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,
        "DistanceFunction":"COSINE","Projection":{"ProjectionType":"KEYS_ONLY"},
        "SearchSchema":[{"AttributeName":"l","SearchSchemaElementType":"INLINE_FILTER"}]}],
      "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})"},
    {"CreateTable", R"({"TableName":"plain","BillingMode":"PROVISIONED",
      "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"},
    {"CreateTable", R"({"TableName":"bytes","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"B"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"},
    {"CreateTable", R"({"TableName":"places","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"c","AttributeType":"S"},{"AttributeName":"d","AttributeType":"N"},
        {"AttributeName":"e","AttributeType":"S"},{"AttributeName":"f","AttributeType":"B"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"multi","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"c","KeyType":"HASH"},{"AttributeName":"d","KeyType":"HASH"},
          {"AttributeName":"e","KeyType":"RANGE"},{"AttributeName":"f","KeyType":"RANGE"}]}]})"},
    {"CreateTable", R"({"TableName":"vectors","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"tenant","AttributeType":"S"},{"AttributeName":"color","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "VectorIndexes":[{"IndexName":"plain","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,
          "DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"}},
        {"IndexName":"parted","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,
          "DistanceFunction":"EUCLIDEAN","Projection":{"ProjectionType":"KEYS_ONLY"},
          "SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"},
            {"AttributeName":"color","SearchSchemaElementType":"INLINE_FILTER"}]}]})"},
    {"UpdateContinuousBackups", R"({"TableName":"places",
      "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"},
    {"BatchWriteItem", R"({"RequestItems":{
      "vectors":[
        {"PutRequest":{"Item":{"pk":{"S":"a"},"tenant":{"S":"a"},"color":{"N":"1"},
          "e":{"L":[{"N":"1"},{"N":"-2.5"}]}}}},
        {"PutRequest":{"Item":{"pk":{"S":"b"},"tenant":{"S":"a"},
          "e":{"L":[{"N":"0"},{"N":"0"}]}}}},
        {"PutRequest":{"Item":{"pk":{"S":"c"},"e":{"L":[{"N":"3"},{"N":"4"}]}}}}],
      "tab":[
        {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"l":{"S":"x"},"g":{"S":"g"},
          "n":{"N":"1"},"x":{"S":"y"}}}},
        {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"2"},"l":{"S":"y"},"g":{"S":"g"},
          "n":{"N":"-5"},"m":{"M":{"k":{"L":[{"N":"1"},{"S":"two"}]}}}}}},
        {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"10"},"ss":{"SS":["a","b"]}}}},
        {"PutRequest":{"Item":{"pk":{"S":"b"},"sk":{"N":"1"},"g":{"S":"h"},"n":{"N":"3"}}}},
        {"PutRequest":{"Item":{"pk":{"S":"b"},"sk":{"N":"-1.5"},"g":{"S":"g"},"ns":{"NS":["1"]}}}}],
      "plain":[
        {"PutRequest":{"Item":{"pk":{"S":"a"},"n":{"N":"1"},"t":{"BOOL":true}}}},
        {"PutRequest":{"Item":{"pk":{"S":"b"},"nul":{"NULL":true},"b":{"B":"AQID"}}}}],
      "bytes":[{"PutRequest":{"Item":{"pk":{"B":"AA=="}}}},
        {"PutRequest":{"Item":{"pk":{"B":"/wA="}}}}],
      "places":[
        {"PutRequest":{"Item":{"pk":{"S":"a"},"c":{"S":"c"},"d":{"N":"1"},"e":{"S":"e"},
          "f":{"B":"AA=="}}}},
        {"PutRequest":{"Item":{"pk":{"S":"b"},"c":{"S":"c"},"d":{"N":"1"},"e":{"S":"f"},
          "f":{"B":"AQ=="}}}}]}})"},
};

// The keys an index should hold.
std::vector<std::string> expected_keys(storage::Database& database, const storage::Table& table,
                                       const storage::IndexSchema& index) {
  std::vector<std::string> keys;
  auto cursor = database.scan(table, nullptr, storage::segment_range(table.schema.number, 0, 0, 1),
                              storage::Direction::kForward);
  std::vector<float> vector;
  while (cursor.next()) {
    if (index.kind == storage::IndexKind::kVector) {
      const auto value = cursor.item().find(index.vector.attribute);
      const auto dimensions = index.vector.dimensions;
      if (!value || !storage::read_vector(value, dimensions, vector).is_good()) continue;
    }
    if (auto key = storage::index_key(table.schema, index, cursor.item())) {
      keys.push_back(std::move(*key));
    }
  }
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

std::string text_member(std::string_view json, std::string_view name) {
  std::string copy(json);
  Document document;
  const std::optional<Value> value = document.parse(copy);
  if (!value || !value->is_object()) return {};
  const Value member = value->object().find(name);
  return member && member.is_string() ? std::string(member.string()) : std::string();
}

SampleDatabase::SampleDatabase()
    : databases_(storage::Databases::open(storage::DatabaseOptions{}, clock_)),
      service_(*databases_,
               {.log =
                    [this](std::string_view, std::string_view operation, std::string_view what) {
                      fault_ = std::string(operation).append(": ").append(what);
                    },
                .enforce_throughput = false,
                .isolation = api::Isolation::kRegion,
                .report_elsewhere = {},
                .job_context = {.jobs = &jobs_}}) {
  clock_.set(kBegun);
  for (const Call& step : kSetUp) {
    const Answer answer = call(step.operation, step.body);
    require(answer.status == 200, "the sample database can be made", answer.body);
  }
  clock_.advance(std::chrono::hours(1));
}

SampleDatabase::Answer SampleDatabase::call(std::string_view operation, std::string_view body) {
  return call(api::find_operation(operation), body);
}

SampleDatabase::Answer SampleDatabase::call(const api::Operation* operation, std::string_view body,
                                            std::string_view region) {
  Answer answer;
  std::string copy(body);
  fault_.clear();
  api::Caller caller;
  caller.region = region;
  answer.status = service_.call(operation, caller, "fuzz", copy, answer.body);
  require(fault_.empty() && answer.status < 500, "no request makes the server fail", fault_);
  std::string text = answer.body;
  Document document;
  const std::optional<Value> value = document.parse(text);
  if (answer.status == 200 && answer.body.empty()) return answer;
  require(value && value->is_object(), "an answer is a JSON object", answer.body);
  require(static_cast<bool>(value->object().find("__type")) == (answer.status != 200),
          "an error, and nothing else, has a type", answer.body);
  return answer;
}

std::string SampleDatabase::backup_arn() {
  if (database().list_backups({}, 1).empty()) {
    call("CreateBackup", R"({"TableName":"tab","BackupName":"sample"})");
  }
  database().settle();
  const auto backups = database().list_backups({}, 1);
  require(!backups.empty(), "a backup is there once it is made", {});
  return backups.front()->schema->arn();
}

void SampleDatabase::check_indexes() {
  database().settle();
  for (const std::string& name : database().list_tables({}, 1'000)) {
    const storage::TablePtr table = database().find_table(name);
    for (const auto& index : table->indexes) {
      std::vector<std::string> found;
      auto cursor =
          database().scan(*table, index.get(),
                          storage::segment_range(table->schema.number, index->schema.number, 0, 1),
                          storage::Direction::kForward);
      while (cursor.next()) {
        const auto key = storage::index_key(table->schema, index->schema, cursor.item());
        require(key.has_value(), "an entry has the key of its index", index->schema.name);
        found.push_back(*key);
      }
      std::ranges::sort(found);
      require(found == expected_keys(database(), *table, index->schema),
              "an index holds what its table does", index->schema.name);
    }
  }
}

}  // namespace magneto::fuzz
