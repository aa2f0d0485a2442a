#include "server/tools/schema/table_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "api/json/json_writer.h"
#include "api/nearest_name.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

using api::json::Writer;

// A member of a request and the kind of its value.
struct Rule {
  enum class Kind : std::uint8_t {
    kText,
    kNumber,
    kFlag,
    kObject,
    kList,       // of objects or texts
    kElsewhere,  // not part of the request
  };

  std::string_view name;
  Kind kind = Kind::kText;
  std::span<const Rule> rules{};  // of the object or of the list's elements; empty: texts
};
using enum Rule::Kind;

constexpr std::string_view kInsightsName = "ContributorInsightsSpecification";

constexpr Rule kDefinition[] = {{"AttributeName"}, {"AttributeType"}};
constexpr Rule kKeyElement[] = {{"AttributeName"}, {"KeyType"}};
constexpr Rule kProjection[] = {{"ProjectionType"}, {"NonKeyAttributes", kList}};
constexpr Rule kProvisioned[] = {{"ReadCapacityUnits", kNumber}, {"WriteCapacityUnits", kNumber}};
constexpr Rule kOnDemand[] = {{"MaxReadRequestUnits", kNumber}, {"MaxWriteRequestUnits", kNumber}};
constexpr Rule kWarm[] = {{"ReadUnitsPerSecond", kNumber}, {"WriteUnitsPerSecond", kNumber}};
constexpr Rule kStream[] = {{"StreamEnabled", kFlag}, {"StreamViewType"}};
constexpr Rule kEncryption[] = {{"Enabled", kFlag}, {"SSEType"}, {"KMSMasterKeyId"}};
constexpr Rule kTag[] = {{"Key"}, {"Value"}};
constexpr Rule kIndex[] = {
    {"IndexName"},
    {"KeySchema", kList, kKeyElement},
    {"Projection", kObject, kProjection},
    {"ProvisionedThroughput", kObject, kProvisioned},
    {"OnDemandThroughput", kObject, kOnDemand},
    {"WarmThroughput", kObject, kWarm},
    {kInsightsName, kElsewhere},
};
constexpr Rule kVectorAttribute[] = {{"AttributeName"}};
constexpr Rule kSearchElement[] = {{"AttributeName"}, {"SearchSchemaElementType"}};
constexpr Rule kVectorIndex[] = {
    {"IndexName"},
    {"VectorAttribute", kObject, kVectorAttribute},
    {"SearchSchema", kList, kSearchElement},
    {"Projection", kObject, kProjection},
    {"Dimensions", kNumber},
    {"DistanceFunction"},
};
constexpr Rule kRequestTable[] = {
    {"TableName"},
    {"AttributeDefinitions", kList, kDefinition},
    {"KeySchema", kList, kKeyElement},
    {"LocalSecondaryIndexes", kList, kIndex},
    {"GlobalSecondaryIndexes", kList, kIndex},
    {"VectorIndexes", kList, kVectorIndex},
    {"BillingMode"},
    {"ProvisionedThroughput", kObject, kProvisioned},
    {"OnDemandThroughput", kObject, kOnDemand},
    {"WarmThroughput", kObject, kWarm},
    {"StreamSpecification", kObject, kStream},
    {"SSESpecification", kObject, kEncryption},
    {"Tags", kList, kTag},
    {"TableClass"},
    {"DeletionProtectionEnabled", kFlag},
};
constexpr Rule kTimeToLive[] = {{"AttributeName"}, {"Enabled", kFlag}};
constexpr Rule kRecovery[] = {{"PointInTimeRecoveryEnabled", kFlag},
                              {"RecoveryPeriodInDays", kNumber}};

constexpr std::string_view kTimeToLiveName = "TimeToLiveSpecification";
constexpr std::string_view kRecoveryName = "PointInTimeRecoverySpecification";
constexpr std::string_view kItemsName = "Items";
constexpr std::string_view kRequestBesides[] = {kTimeToLiveName, kRecoveryName, kInsightsName,
                                                kItemsName};

class RequestWriter {
 public:
  explicit RequestWriter(const Warn& warn) : warn_(warn) {}

  // `besides`: names that other code reads.
  void write_object(std::string& out, const TreeNode& node, std::span<const Rule> rules,
                    std::span<const std::string_view> besides = {}) const {
    Writer writer(out);
    writer.begin_object();
    for (const Member& member : node.members) {
      if (member.value.is_null() || std::ranges::count(besides, member.name) > 0) continue;
      const auto rule = std::ranges::find(rules, member.name, &Rule::name);
      if (rule == rules.end()) {
        leave_out(member, rules);
        continue;
      }
      if (rule->kind == kElsewhere) continue;
      writer.key(rule->name);
      write(writer.raw(), member.value, *rule);
    }
    writer.end_object();
  }

 private:
  // Refuses a name that is probably misspelt, because the table would not be the intended one.
  void leave_out(const Member& member, std::span<const Rule> rules) const {
    std::vector<std::string> names;
    for (const Rule& rule : rules) names.emplace_back(rule.name);
    const std::string_view nearest = api::nearest_name(member.name, names);
    if (!nearest.empty()) {
      throw SchemaError(member.line, messages::kUnknownMember(member.name, nearest));
    }
    warn_(member.line, messages::kUnsupported(member.name));
  }

  // Writes a value of another kind unchanged; CreateTable reports the error.
  void write(std::string& out, const TreeNode& node, const Rule& rule) const {
    Writer writer(out);
    if (rule.kind == kObject && node.is_map()) {
      write_object(out, node, rule.rules);
    } else if (rule.kind == kList && node.is_list()) {
      writer.begin_array();
      for (const TreeNode& element : node.elements) {
        const Rule one{{}, rule.rules.empty() ? kText : kObject, rule.rules};
        write(writer.raw(), element, one);
      }
      writer.end_array();
    } else if (rule.kind == kNumber && is_integer(node)) {
      out += node.text;
    } else if (rule.kind == kFlag && node.flag()) {
      writer.boolean(node.is_true());
    } else if (rule.kind == kText && node.is_text()) {
      writer.string(node.text);
    } else {
      append_json(out, node);
    }
  }

  static bool is_integer(const TreeNode& node) {
    std::int64_t number = 0;
    const char* const end = node.text.data() + node.text.size();
    const auto [stop, error] = std::from_chars(node.text.data(), end, number);
    return node.is_text() && error == std::errc() && stop == end &&
           std::to_string(number) == node.text;
  }

  const Warn& warn_;
};

// {"TableName": ..., "<name>": {...}}
std::string request_with(const std::string& table, std::string_view name, const TreeNode& value,
                         std::span<const Rule> rules, const RequestWriter& requests) {
  std::string text;
  Writer writer(text);
  writer.begin_object();
  writer.text("TableName", table);
  writer.key(name);
  requests.write_object(writer.raw(), value, rules);
  writer.end_object();
  return text;
}

// `owner`: the table, or one of its global indexes.
void add_insights(TableDefinition& table, const TreeNode& owner, const Warn& warn) {
  const TreeNode& specification = owner.at(kInsightsName);
  for (const Member& member : specification.members) {
    if (member.name == "Enabled" || member.name == "Mode") continue;
    warn(member.line, messages::kUnsupported(member.name));
  }
  const TreeNode& enabled = specification.at("Enabled");
  if (enabled.is_null() || enabled.is_false()) return;
  std::string& text = table.insights.emplace_back();
  Writer writer(text);
  writer.begin_object();
  writer.text("TableName", table.name);
  if (owner.has("IndexName")) writer.text("IndexName", owner.at("IndexName").text);
  writer.text("ContributorInsightsAction", "ENABLE");
  const TreeNode& mode = specification.at("Mode");
  if (!mode.is_null()) writer.text("ContributorInsightsMode", mode.text);
  writer.end_object();
}

void write_value(std::string& out, const TreeNode& value);

void write_flag(std::string& out, const TreeNode& value) {
  if (value.flag()) {
    out += value.is_true() ? "true" : "false";
  } else {
    append_json(out, value);
  }
}

void write_content(std::string& out, std::string_view type, const TreeNode& content) {
  Writer writer(out);
  if (type == "BOOL" || type == "NULL") {
    write_flag(out, content);
  } else if (type == "L" && content.is_list()) {
    writer.begin_array();
    for (const TreeNode& element : content.elements) write_value(writer.raw(), element);
    writer.end_array();
  } else if (type == "M" && content.is_map()) {
    out += item_json(content);
  } else if (content.is_list()) {  // a set
    writer.begin_array();
    for (const TreeNode& element : content.elements) write_content(writer.raw(), "S", element);
    writer.end_array();
  } else if (content.is_text()) {
    writer.string(content.text);
  } else {
    append_json(out, content);
  }
}

// Writes a value such as {"S": "a"}. Writes any other value unchanged; PutItem reports the error.
void write_value(std::string& out, const TreeNode& value) {
  if (!value.is_map()) return append_json(out, value);
  Writer writer(out);
  writer.begin_object();
  for (const Member& type : value.members) {
    writer.escaped_key(type.name);
    write_content(writer.raw(), type.name, type.value);
  }
  writer.end_object();
}

}  // namespace

std::string item_json(const TreeNode& item) {
  std::string text;
  if (!item.is_map()) {
    append_json(text, item);
    return text;
  }
  Writer writer(text);
  writer.begin_object();
  for (const Member& attribute : item.members) {
    writer.escaped_key(attribute.name);
    write_value(writer.raw(), attribute.value);
  }
  writer.end_object();
  return text;
}

void set_time_to_live(TableDefinition& table, const TreeNode& specification, const Warn& warn) {
  if (specification.is_null() || specification.at("Enabled").is_false()) return;
  table.time_to_live =
      request_with(table.name, kTimeToLiveName, specification, kTimeToLive, RequestWriter(warn));
}

TableDefinition make_table(const TreeNode& table, const Warn& warn) {
  TableDefinition made;
  made.line = table.line;
  made.name = table.at("TableName").text;
  if (made.name.empty()) throw SchemaError(table.line, messages::kTableWithoutName);
  const RequestWriter requests(warn);
  requests.write_object(made.create, table, kRequestTable, kRequestBesides);
  set_time_to_live(made, table.at(kTimeToLiveName), warn);
  const TreeNode& recovery = table.at(kRecoveryName);
  const TreeNode& recovers = recovery.at("PointInTimeRecoveryEnabled");
  if (!recovers.is_null() && !recovers.is_false()) {
    made.recovery = request_with(made.name, kRecoveryName, recovery, kRecovery, requests);
  }
  add_insights(made, table, warn);
  for (const TreeNode& index : table.at("GlobalSecondaryIndexes").elements) {
    add_insights(made, index, warn);
  }
  const TreeNode& items = table.at(kItemsName);
  if (!items.is_null() && !items.is_list()) {
    throw SchemaError(items.line, messages::kItemsNoList);
  }
  for (const TreeNode& item : items.elements) {
    made.items.push_back({{}, item.line, item_json(item)});
  }
  return made;
}

}  // namespace magneto::server::tools::schema
