#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "api/authorization/named_attributes.h"
#include "api/authorization/required_permission.h"
#include "api/authorization/resource_name.h"
#include "api/authorization/searched_key.h"
#include "api/authorization/statement_permission.h"
#include "api/error.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/streams/shard_iterator.h"
#include "api/subjects/query_subject.h"
#include "api/subjects/request_parts.h"
#include "api/subjects/value_text.h"
#include "api/writes/write_response.h"
#include "storage/model/global_table.h"

namespace magneto::api {
namespace {

// Members whose values are neither names nor ARNs of tables.
constexpr std::string_view kShardIterator = "ShardIterator";
constexpr std::string_view kGlobalTableName = "GlobalTableName";

constexpr std::pair<std::string_view, std::string_view> kReplicaActions[] = {
    {"Create", "CreateTableReplica"}, {"Delete", "DeleteTableReplica"}};
// A witness has no table, so its actions apply to this table.
constexpr std::pair<std::string_view, std::string_view> kWitnessActions[] = {
    {"Create", "CreateGlobalTableWitness"}, {"Delete", "DeleteGlobalTableWitness"}};

class NeedsReader {
 public:
  NeedsReader(const Operation& operation, const Request& request, bool in_full)
      : operation_(operation),
        request_(request),
        in_full_(in_full),
        parameters_(request.input),
        resources_(request) {}

  std::vector<RequiredPermission> read() {
    if (operation_.form == RequestForm::kResource) {
      read_control();
    } else {
      for_each_part(operation_, request_, [&](const RequestPart& part) { add(part); });
    }
    end_table();
    return std::move(needs_);
  }

 private:
  void add(const RequestPart& part) {
    if (part.statement) {
      add_statement(part);
    } else if (operation_.form == RequestForm::kBatch) {
      add_batched(part);
    } else if (!part.action.empty()) {
      add_action(part);
    }
  }

  RequiredPermission& add(std::string_view action) {
    RequiredPermission& need =
        needs_.emplace_back(RequiredPermission{.action = action, .resource = "*"});
    need.return_consumed_capacity = parameters_.string_or_empty("ReturnConsumedCapacity");
    return need;
  }

  // If the table does not exist, every value could be the key, so all values are added.
  void add_leading_key(json::Value item, RequiredPermission& need) const {
    if (!need.leading_keys) need.leading_keys.emplace();
    if (need.table != nullptr) {
      const json::Value key = item.object().find(need.table->schema.key.partition.front().name);
      // A key that cannot be read matches no allowed key.
      if (key) need.leading_keys->push_back(value_text(key).value_or(""));
      return;
    }
    for (const json::Member member : item.object()) {
      if (auto text = value_text(member.value)) need.leading_keys->push_back(*std::move(text));
    }
  }

  // For a Query or a search: adds the key of the table or index that is read.
  void add_compared_key(std::string_view index, RequiredPermission& need) const {
    if (need.table == nullptr) return;
    const storage::Index* const found = need.table->find_index(index);
    if (operation_.name == "SearchVectors") {
      if (found != nullptr) need.leading_keys = searched_key(parameters_, found->schema.key);
      return;
    }
    const storage::KeySchema& key = found != nullptr ? found->schema.key : need.table->schema.key;
    Subject subject(need.table->schema.name, index, false, need.table);
    add_queried_key(request_, subject);
    if (auto text = subject.key_text(key.partition.front().name)) {
      need.leading_keys.emplace().push_back(*std::move(text));
    }
  }

  static std::string_view select_of(const Parameters& parameters, std::string_view index) {
    if (const auto given = parameters.string("Select")) return *given;
    const bool is_specific =
        parameters.has("ProjectionExpression") || parameters.has("AttributesToGet");
    if (is_specific) return "SPECIFIC_ATTRIBUTES";
    return index.empty() ? "ALL_ATTRIBUTES" : "ALL_PROJECTED_ATTRIBUTES";
  }

  // Sets the return values of the last need.
  void set_return_values(const Parameters& parameters) {
    const std::string_view given = parameters.string_or_empty("ReturnValues");
    needs_.back().return_values = given.empty() ? "NONE" : given;
    add_failure(parameters, needs_);
  }

  // Reads the attributes in an item or key and in the expressions.
  static void read_attributes(const Parameters& parameters, json::Value item,
                              RequiredPermission& need) {
    NamedAttributes named;
    named.add_members(item);
    named.add_expressions(parameters);
    need.attributes = named.take();
  }

  // For an operation that names no item: also adds the attributes that its answer reveals.
  void read_attributes_of_page(std::string_view index, RequiredPermission& need) const {
    NamedAttributes named;
    named.add_expressions(parameters_);
    if (need.table != nullptr && operation_.name == "SearchVectors") {
      named.add_searched(*need.table, index);
    } else if (need.table != nullptr) {
      named.add_keys(*need.table, index);
    }
    need.attributes = named.take();
  }

  void add_action(const RequestPart& part) {
    RequiredPermission& need = add(part.action);
    if (operation_.form == RequestForm::kTransaction) need.enclosing_operation = operation_.name;
    resources_.name(part.table, part.index, need);
    if (!in_full_) return;
    const Parameters members(part.members);
    if (part.item) {
      read_attributes(members, part.item, need);
      add_leading_key(part.item, need);
    } else {
      read_attributes_of_page(part.index, need);
      if (part.action != "Scan") add_compared_key(part.index, need);
    }
    if (part.writes || part.action == "ConditionCheckItem") {
      set_return_values(members);
    } else {
      need.select = select_of(members, part.index);
    }
  }

  // All parts for one table share one need. A table that is named without any parts also gets a
  // need.
  void add_batched(const RequestPart& part) {
    if (part.begins_table) {
      end_table();
      batched_ = part;
      if (!part.table.empty()) resources_.name(part.table, add(part.action));
      return;
    }
    if (part.table.empty() || !in_full_) return;
    named_.add_members(part.item);
    add_leading_key(part.item, needs_.back());
  }

  void end_table() {
    if (batched_.table.empty() || !in_full_) return;
    RequiredPermission& need = needs_.back();
    if (!batched_.writes) {
      const Parameters members(batched_.members);
      named_.add_expressions(members);
      need.select = select_of(members, {});
    }
    need.attributes = std::exchange(named_, {}).take();
  }

  void add_statement(const RequestPart& part) {
    const std::size_t place = needs_.size();
    add_statement_permissions(request_, part.statement, in_full_, needs_);
    for (RequiredPermission& need : std::span(needs_).subspan(place)) {
      need.member = part.member;
      need.return_consumed_capacity = parameters_.string_or_empty("ReturnConsumedCapacity");
      if (operation_.name == "ExecuteTransaction") need.enclosing_operation = operation_.name;
    }
  }

  // Reads the needs of operations on tables and their resources, and on the account as a whole.
  void read_control() {
    const std::string_view name = operation_.name;
    const std::size_t place = needs_.size();
    add(name);
    if (in_full_) read_tags(needs_[place]);
    if (!operation_.lists) name_resource(place);
    if (name == "CreateTable") {
      name_new_table(needs_[place]);
      add_creations(std::string(needs_[place].resource));  // a copy, because the list grows
    }
    if (name == "UpdateTable") add_replicas();
    if (name == "CreateGlobalTable" || name == "UpdateGlobalTable") add_regions();
    if (name == "UpdateTableReplicaAutoScaling") add_replicas_of(needs_[place].table);
    if (name == "UpdateGlobalTableSettings") {
      add_replicas_of(table_named(request_, parameters_.string_or_empty(kGlobalTableName)));
    }
    const std::string_view target = target_table(operation_, request_);
    if (!target.empty()) resources_.name(target, add_target(place));
    if (operation_.resource == kGlobalTableName && operation_.writes) {
      resources_.name(parameters_.string_or_empty(kGlobalTableName), add(name));
    }
  }

  // The need for the target; if the operation has no other resource, the need of the operation
  // itself.
  RequiredPermission& add_target(std::size_t place) {
    return operation_.resource.empty() ? needs_[place] : add(operation_.name);
  }

  // For an unusable iterator, only the ARN in it is used. The operation reports the error, but only
  // to callers who may know whether the stream exists.
  void name_stream(std::string_view iterator, RequiredPermission& need) const {
    std::string arn;
    try {
      arn = decode_shard_iterator(request_.database, iterator).stream->arn();
    } catch (const ApiError&) {
      arn = iterator.substr(0, iterator.find('|'));
    }
    resources_.name(arn, need);
  }

  // `place`: index of the need for the operation itself. If there are several resources, each has a
  // need.
  void name_resource(std::size_t place) {
    const std::string_view named = parameters_.string_or_empty(operation_.resource);
    const std::string_view other = parameters_.string_or_empty(operation_.other_resource);
    if (operation_.resource == kShardIterator) return name_stream(named, needs_[place]);
    if (operation_.resource == kGlobalTableName) {
      return resources_.name_global_table(named, needs_[place]);
    }
    const std::string_view index = parameters_.string_or_empty("IndexName");
    if (!named.empty()) resources_.name(named, index, needs_[place]);
    if (other.empty()) return;
    resources_.name(other, index, named.empty() ? needs_[place] : add(operation_.name));
  }

  void read_tags(RequiredPermission& need) const {
    for (const json::Value tag : parameters_.value("Tags").array()) {
      const Parameters members(tag);
      if (!need.tag_keys) need.tag_keys.emplace();
      need.tag_keys->emplace_back(members.string_or_empty("Key"));
      need.request_tags.emplace_back(members.string_or_empty("Key"),
                                     members.string_or_empty("Value"));
    }
    for (const json::Value key : parameters_.value("TagKeys").array()) {
      if (!need.tag_keys) need.tag_keys.emplace();
      need.tag_keys->emplace_back(key.string());
    }
  }

  // For an ARN, only the table name is used: the table is created in the caller's own region and
  // account.
  void name_new_table(RequiredPermission& need) const {
    const auto arn = split_table_arn(parameters_.string_or_empty("TableName"));
    if (!arn || need.table != nullptr) return;
    need.account.clear();
    resources_.name(arn->table_name, need);
  }

  static std::string_view region_of(json::Value update, std::string_view member) {
    return Parameters(Parameters(update).value(member)).string_or_empty("RegionName");
  }

  // Adding or removing a replica needs separate actions, on this table and on the replica. Changing
  // a replica needs the action of the operation on the replica too.
  void add_replicas() {
    const std::string_view given = parameters_.string_or_empty("TableName");
    const auto arn = split_table_arn(given);
    const std::string_view table = arn ? arn->table_name : given;
    for (const json::Value update : parameters_.value("ReplicaUpdates").array()) {
      for (const auto& [member, action] : kReplicaActions) {
        const std::string_view region = region_of(update, member);
        if (region.empty()) continue;
        resources_.name(given, add(action));
        add_elsewhere(action, table, region);
      }
      const std::string_view region = region_of(update, "Update");
      if (!region.empty()) add_elsewhere(operation_.name, table, region);
    }
    for (const json::Value update : parameters_.value("GlobalTableWitnessUpdates").array()) {
      for (const auto& [member, action] : kWitnessActions) {
        if (Parameters(update).has(member)) resources_.name(given, add(action));
      }
    }
  }

  void add_elsewhere(std::string_view action, std::string_view table, std::string_view region) {
    RequiredPermission& there = add(action);
    there.table = resources_.find_elsewhere(table, region);
    there.resource = there.table != nullptr
                         ? there.table->schema.arn()
                         : storage::table_arn(region, request_.caller.home_account(), table);
    if (there.table != nullptr) there.account = there.table->schema.account;
  }

  // An operation that changes all replicas needs its action for each of them.
  void add_replicas_of(storage::TablePtr table) {
    if (table == nullptr || table->schema.global_table == nullptr) return;
    for (const storage::Replica& replica : table->schema.global_table->replicas) {
      add_elsewhere(operation_.name, table->schema.name, replica.region);
    }
  }

  // Adds the tables in other regions that join or leave a global table of version 2017.11.29.
  void add_regions() {
    const std::string_view table = parameters_.string_or_empty(kGlobalTableName);
    const auto add_region = [&](std::string_view region) {
      if (region.empty() || region == request_.caller.home_region()) return;
      add_elsewhere(operation_.name, table, region);
    };
    for (const json::Value replica : parameters_.value("ReplicationGroup").array()) {
      add_region(Parameters(replica).string_or_empty("RegionName"));
    }
    for (const json::Value update : parameters_.value("ReplicaUpdates").array()) {
      for (const auto& [member, action] : kReplicaActions) add_region(region_of(update, member));
    }
  }

  // A policy and tags for a new table need separate actions.
  void add_creations(const std::string& table) {
    if (parameters_.has("ResourcePolicy")) add("PutResourcePolicy").resource = table;
    if (!parameters_.value("Tags").array().empty()) {
      RequiredPermission& need = add("TagResource");
      need.resource = table;
      if (in_full_) read_tags(need);
    }
  }

  const Operation& operation_;
  const Request& request_;
  const bool in_full_;
  const Parameters parameters_;
  const ResourceNames resources_;
  std::vector<RequiredPermission> needs_;
  // The state for the table of a batch whose parts are being read.
  RequestPart batched_;
  NamedAttributes named_;
};

}  // namespace

void add_failure(const Parameters& member, std::vector<RequiredPermission>& needs) {
  constexpr std::string_view kAllOld = "ALL_OLD";
  RequiredPermission& last = needs.back();
  if (!returns_item_on_failure(member) || last.return_values == kAllOld) return;
  const bool returns_more = last.return_values != "NONE";
  RequiredPermission shown = last;
  shown.return_values = kAllOld;
  if (returns_more) {
    needs.push_back(std::move(shown));
  } else {
    last = std::move(shown);
  }
}

bool is_about_one_table(const Operation& operation) {
  return operation.form == RequestForm::kTableItems;
}

std::vector<RequiredPermission> required_permissions_of(const Operation& operation,
                                                        const Request& request, bool in_full) {
  return NeedsReader(operation, request, in_full).read();
}

}  // namespace magneto::api
