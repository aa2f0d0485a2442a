#include "server/tools/schema/terraform.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/tools/schema/json_tree.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kTerraformTable = "aws_dynamodb_table";
constexpr std::string_view kItem = "aws_dynamodb_table_item";
constexpr std::string_view kTerraformInsights = "aws_dynamodb_contributor_insights";
constexpr std::string_view kTerraformIndex = "aws_dynamodb_global_secondary_index";
constexpr std::string_view kTerraformTag = "aws_dynamodb_tag";

// A block is a list with at most one element.
const TreeNode& block(const TreeNode& owner, std::string_view name) {
  const TreeNode& value = owner.at(name);
  return value.is_list() ? value.at(std::size_t{0}) : value;
}

// Whether the value is empty for Terraform: null, "", 0 or [].
bool says_nothing(const TreeNode& value) {
  return value.is_null() || (value.is_text() && (value.text.empty() || value.text == "0")) ||
         (value.is_list() && value.elements.empty());
}

struct Name {
  std::string_view terraform;
  std::string_view ours;
};

void copy(TreeNode& into, const TreeNode& from, std::initializer_list<Name> names) {
  for (const Name& name : names) {
    const TreeNode& value = from.at(name.terraform);
    if (!says_nothing(value)) into.add(std::string(name.ours), value);
  }
}

// Copies a block as a map under another name, unless it is missing or empty.
void copy_block(TreeNode& into, std::string_view ours, const TreeNode& from,
                std::string_view terraform, std::initializer_list<Name> names) {
  const TreeNode& source = block(from, terraform);
  TreeNode made = map_node(source.line);
  copy(made, source, names);
  if (!made.members.empty()) into.add(std::string(ours), std::move(made));
}

TreeNode key_element(const TreeNode& name, std::string_view type) {
  TreeNode element = map_node(name.line);
  element.add("AttributeName", name);
  element.add("KeyType", text_node(std::string(type), name.line));
  return element;
}

TreeNode key_schema(const TreeNode& hash, const TreeNode& range, std::uint32_t line) {
  TreeNode schema = list_node(line);
  if (!says_nothing(hash)) schema.elements.push_back(key_element(hash, "HASH"));
  if (!says_nothing(range)) schema.elements.push_back(key_element(range, "RANGE"));
  return schema;
}

// The key of a table or an index: blocks key_schema, or otherwise two members with names.
TreeNode index_key(const TreeNode& index) {
  const TreeNode& elements = index.at("key_schema");
  if (!elements.is_list() || elements.elements.empty()) {
    return key_schema(index.at("hash_key"), index.at("range_key"), index.line);
  }
  TreeNode schema = list_node(elements.line);
  for (const TreeNode& element : elements.elements) {
    schema.elements.push_back(
        key_element(element.at("attribute_name"), element.at("key_type").text));
  }
  return schema;
}

void copy_limits(TreeNode& into, const TreeNode& from) {
  copy_block(into, "OnDemandThroughput", from, "on_demand_throughput",
             {{"max_read_request_units", "MaxReadRequestUnits"},
              {"max_write_request_units", "MaxWriteRequestUnits"}});
}

void copy_capacity(TreeNode& into, const TreeNode& from) {
  TreeNode units = map_node(from.line);
  copy(units, from,
       {{"read_capacity", "ReadCapacityUnits"}, {"write_capacity", "WriteCapacityUnits"}});
  if (!units.members.empty()) into.add("ProvisionedThroughput", std::move(units));
}

TreeNode index_node(const TreeNode& index, TreeNode key, bool is_provisioned) {
  TreeNode made = map_node(index.line);
  copy(made, index, {{"name", "IndexName"}});
  made.add("KeySchema", std::move(key));
  TreeNode projection = map_node(index.line);
  copy(projection, index,
       {{"projection_type", "ProjectionType"}, {"non_key_attributes", "NonKeyAttributes"}});
  made.add("Projection", std::move(projection));
  if (is_provisioned) copy_capacity(made, index);
  copy_limits(made, index);
  return made;
}

// Converts aws_dynamodb_global_secondary_index.
TreeNode own_index_node(const TreeNode& index, bool is_provisioned) {
  TreeNode made = map_node(index.line);
  copy(made, index, {{"index_name", "IndexName"}});
  made.add("KeySchema", index_key(index));
  copy_block(made, "Projection", index, "projection",
             {{"projection_type", "ProjectionType"}, {"non_key_attributes", "NonKeyAttributes"}});
  if (is_provisioned) {
    copy_block(made, "ProvisionedThroughput", index, "provisioned_throughput",
               {{"read_capacity_units", "ReadCapacityUnits"},
                {"write_capacity_units", "WriteCapacityUnits"}});
  }
  copy_limits(made, index);
  return made;
}

TreeNode definition(const TreeNode& name, const TreeNode& type) {
  TreeNode made = map_node(name.line);
  made.add("AttributeName", name);
  made.add("AttributeType", type);
  return made;
}

void add_indexes(TreeNode& table, const TreeNode& values, bool is_provisioned) {
  TreeNode global = list_node(values.line);
  for (const TreeNode& index : values.at("global_secondary_index").elements) {
    global.elements.push_back(index_node(index, index_key(index), is_provisioned));
  }
  TreeNode local = list_node(values.line);
  for (const TreeNode& index : values.at("local_secondary_index").elements) {
    TreeNode key = key_schema(values.at("hash_key"), index.at("range_key"), index.line);
    TreeNode made = index_node(index, std::move(key), false);
    local.elements.push_back(std::move(made));
  }
  if (!global.elements.empty()) table.add("GlobalSecondaryIndexes", std::move(global));
  if (!local.elements.empty()) table.add("LocalSecondaryIndexes", std::move(local));
}

void add_settings(TreeNode& table, const TreeNode& values) {
  if (values.at("stream_enabled").is_true()) {
    TreeNode stream = map_node(values.line);
    copy(stream, values,
         {{"stream_enabled", "StreamEnabled"}, {"stream_view_type", "StreamViewType"}});
    table.add("StreamSpecification", std::move(stream));
  }
  if (block(values, "server_side_encryption").at("enabled").is_true()) {
    copy_block(table, "SSESpecification", values, "server_side_encryption",
               {{"enabled", "Enabled"}});
  }
  if (block(values, "ttl").at("enabled").is_true()) {
    copy_block(table, "TimeToLiveSpecification", values, "ttl",
               {{"attribute_name", "AttributeName"}, {"enabled", "Enabled"}});
  }
  copy_block(table, "PointInTimeRecoverySpecification", values, "point_in_time_recovery",
             {{"enabled", "PointInTimeRecoveryEnabled"},
              {"recovery_period_in_days", "RecoveryPeriodInDays"}});
  const TreeNode& tags = values.has("tags_all") ? values.at("tags_all") : values.at("tags");
  if (tags.members.empty()) return;
  TreeNode list = list_node(tags.line);
  for (const Member& tag : tags.members) {
    TreeNode pair = map_node(tag.line);
    pair.add("Key", text_node(tag.name, tag.line));
    pair.add("Value", tag.value);
    list.elements.push_back(std::move(pair));
  }
  table.add("Tags", std::move(list));
}

// A resource and its Terraform address: module.m.aws_dynamodb_table.orders["eu"].
struct Resource {
  const TreeNode* values;
  std::string address;
};

void warn_of_settings(const Resource& resource, const Warn& warn) {
  const TreeNode& values = *resource.values;
  for (const std::string_view name : {"replica", "import_table", "warm_throughput"}) {
    const TreeNode& value = values.at(name);
    if (!says_nothing(value)) {
      warn(value.line, messages::kUnsupportedIn(name, resource.address));
    }
  }
  const TreeNode& key = block(values, "server_side_encryption").at("kms_key_arn");
  if (!says_nothing(key)) warn(key.line, messages::kUnsupportedIn("kms_key_arn", resource.address));
}

TreeNode table_node(const Resource& resource, const Warn& warn) {
  const TreeNode& values = *resource.values;
  TreeNode table = map_node(values.line);
  if (says_nothing(values.at("name"))) {
    throw SchemaError(values.line, messages::kTerraformNameUnknown(resource.address));
  }
  copy(table, values, {{"name", "TableName"}});
  table.add("KeySchema", index_key(values));
  TreeNode definitions = list_node(values.line);
  for (const TreeNode& attribute : values.at("attribute").elements) {
    definitions.elements.push_back(definition(attribute.at("name"), attribute.at("type")));
  }
  table.add("AttributeDefinitions", std::move(definitions));
  copy(table, values,
       {{"billing_mode", "BillingMode"},
        {"table_class", "TableClass"},
        {"deletion_protection_enabled", "DeletionProtectionEnabled"}});
  const bool is_provisioned = values.at("billing_mode").text != "PAY_PER_REQUEST";
  if (is_provisioned) copy_capacity(table, values);
  copy_limits(table, values);
  add_indexes(table, values, is_provisioned);
  add_settings(table, values);
  warn_of_settings(resource, warn);
  return table;
}

// The list with that name, created if it does not exist.
TreeNode& list_of(TreeNode& table, const std::string& name) {
  if (table.find(name) == nullptr) table.add(name, list_node(table.line));
  return *table.find(name);
}

class Reader {
 public:
  explicit Reader(const Warn& warn) : warn_(warn) {}

  // Reads the resources of a module in the output of `show -json`.
  void read_module(const TreeNode& module) {
    for (const TreeNode& resource : module.at("resources").elements) {
      if (resource.has("deposed_key")) continue;
      sort(resource, resource.at("values"), resource.at("address").text);
    }
    for (const TreeNode& child : module.at("child_modules").elements) read_module(child);
  }

  void read_state(const TreeNode& document) {
    for (const TreeNode& resource : document.at("resources").elements) {
      for (const TreeNode& instance : resource.at("instances").elements) {
        if (instance.has("deposed")) continue;  // replaced but not destroyed yet
        sort(resource, instance.at("attributes"), address_in_state(resource, instance));
      }
    }
  }

  std::vector<TreeNode> take() {
    std::vector<TreeNode> tables;
    for (const Resource& resource : tables_) {
      places_[resource.values->at("name").text] = tables.size();
      tables.push_back(table_node(resource, warn_));
    }
    for (const Resource& index : indexes_) {
      if (const auto place = place_of(index)) add_index(tables[*place], *index.values);
    }
    for (const Resource& insights : insights_) {
      if (const auto place = place_of(insights)) add_insights(tables[*place], insights);
    }
    for (const Resource& item : items_) {
      const auto place = place_of(item);
      if (place) list_of(tables[*place], "Items").elements.push_back(read_item(item));
    }
    return tables;
  }

 private:
  static std::string address_in_state(const TreeNode& resource, const TreeNode& instance) {
    std::string address = resource.at("module").text;
    if (!address.empty()) address += '.';
    address += resource.at("type").text + '.' + resource.at("name").text;
    const TreeNode& key = instance.at("index_key");
    if (key.is_text()) {
      address += '[';
      append_json(address, key);
      address += ']';
    }
    return address;
  }

  void sort(const TreeNode& resource, const TreeNode& values, std::string address) {
    const std::string& type = resource.at("type").text;
    if (resource.at("mode").text == "data" || !values.is_map()) return;
    if (address.empty()) address = "this " + type;
    if (type == kTerraformTag) warn_(values.line, messages::kUnsupported(address));
    for (const auto& [name, list] : {std::pair{kTerraformTable, &tables_},
                                     {kTerraformIndex, &indexes_},
                                     {kItem, &items_},
                                     {kTerraformInsights, &insights_}}) {
      if (type == name) list->push_back({&values, address});
    }
  }

  // The position of the table that owns an index or an item. Warns and returns nullopt if there is
  // no such table.
  std::optional<std::size_t> place_of(const Resource& of) {
    const TreeNode& name = of.values->at("table_name");
    if (says_nothing(name)) {
      warn_(of.values->line, messages::kTerraformOwnerUnknown(of.address));
      return std::nullopt;
    }
    const auto found = places_.find(name.text);
    if (found != places_.end()) return found->second;
    warn_(of.values->line, messages::kTerraformOwnerMissing(of.address, name.text));
    return std::nullopt;
  }

  static TreeNode read_item(const Resource& resource) {
    const TreeNode& item = resource.values->at("item");
    const std::uint32_t line = resource.values->line;
    std::optional<TreeNode> tree = read_json(item.text, item.line);
    if (!tree || !tree->is_map()) {
      throw SchemaError(line, messages::kTerraformItemNoJson(resource.address));
    }
    tree->line = line;
    return *std::move(tree);
  }

  static void add_index(TreeNode& table, const TreeNode& index) {
    const bool is_provisioned = table.at("BillingMode").text != "PAY_PER_REQUEST";
    TreeNode& indexes = list_of(table, "GlobalSecondaryIndexes");
    const std::string& name = index.at("index_name").text;
    const bool is_known = std::ranges::any_of(indexes.elements, [&](const TreeNode& known) {
      return known.at("IndexName").text == name;
    });
    if (is_known) return;  // in a state, the table has it too
    indexes.elements.push_back(own_index_node(index, is_provisioned));
    TreeNode& definitions = list_of(table, "AttributeDefinitions");
    for (const TreeNode& element : index.at("key_schema").elements) {
      const TreeNode& attribute = element.at("attribute_name");
      const bool is_defined = std::ranges::any_of(definitions.elements, [&](const TreeNode& known) {
        return known.at("AttributeName").text == attribute.text;
      });
      if (is_defined || !element.has("attribute_type")) continue;
      definitions.elements.push_back(definition(attribute, element.at("attribute_type")));
    }
  }

  void add_insights(TreeNode& table, const Resource& insights) const {
    const TreeNode& values = *insights.values;
    TreeNode made = map_node(values.line);
    made.add("Enabled", text_node("true", values.line));
    copy(made, values, {{"mode", "Mode"}});
    TreeNode* owner = &table;
    const TreeNode& index = values.at("index_name");
    if (!says_nothing(index)) {
      std::vector<TreeNode>& indexes = list_of(table, "GlobalSecondaryIndexes").elements;
      const auto found = std::ranges::find_if(
          indexes, [&](const TreeNode& known) { return known.at("IndexName").text == index.text; });
      if (found == indexes.end()) {
        warn_(values.line, messages::kTerraformOwnerMissing(insights.address, index.text));
        return;
      }
      owner = &*found;
    }
    owner->add("ContributorInsightsSpecification", std::move(made));
  }

  const Warn& warn_;
  std::vector<Resource> tables_;
  std::vector<Resource> indexes_;
  std::vector<Resource> insights_;
  std::vector<Resource> items_;
  std::unordered_map<std::string, std::size_t> places_;  // of tables, by name
};

}  // namespace

std::vector<TreeNode> terraform_tables(const TreeNode& document, const Warn& warn) {
  if (document.has("terraform_version") && document.at("version").is_text() &&
      document.at("version").text != "4") {
    throw SchemaError(document.at("version").line,
                      messages::kTerraformVersion(document.at("version").text));
  }
  Reader reader(warn);
  if (document.at("resources").is_list()) {
    reader.read_state(document);
  } else {
    const TreeNode& values =
        document.has("planned_values") ? document.at("planned_values") : document.at("values");
    reader.read_module(values.at("root_module"));
  }
  return reader.take();
}

}  // namespace magneto::server::tools::schema
