#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/transaction_messages.h"
#include "api/operation.h"
#include "api/request/expression_inputs.h"
#include "api/request/table_lookup.h"
#include "api/tables/strong_tables.h"
#include "api/transactions/transaction.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"
#include "api/writes/conditional_write.h"
#include "api/writes/write_response.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/item_size.h"

namespace magneto::api {

extern const Operation kTransactWriteItems;

namespace {

// Reported only in a request whose other members are valid (captured facts 3, T3).
constexpr MemberShape kReturnedOnFailure{"ReturnValuesOnConditionCheckFailure",
                                         &kConditionFailureShape, Required::kNo,
                                         Wording::kLastResort};
constexpr MemberShape kConditionCheckMembers[] = {
    kKey,
    kActionTableName,
    {"ConditionExpression", &kStringShape, Required::kYes},
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    kReturnedOnFailure,
};
constexpr Shape kConditionCheckShape = structure_shape("ConditionCheck", kConditionCheckMembers);
constexpr MemberShape kTransactWriteItemsPutMembers[] = {
    kItem,
    kActionTableName,
    kConditionExpression,
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    kReturnedOnFailure,
};
constexpr Shape kTransactWriteItemsPutShape = structure_shape("Put", kTransactWriteItemsPutMembers);
constexpr MemberShape kTransactWriteItemsDeleteMembers[] = {
    kKey,
    kActionTableName,
    kConditionExpression,
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    kReturnedOnFailure,
};
constexpr Shape kTransactWriteItemsDeleteShape =
    structure_shape("Delete", kTransactWriteItemsDeleteMembers);
constexpr MemberShape kUpdateMembers[] = {
    kKey,
    {"UpdateExpression", &kStringShape, Required::kYes},
    kActionTableName,
    kConditionExpression,
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    kReturnedOnFailure,
};
constexpr Shape kUpdateShape = structure_shape("Update", kUpdateMembers);
constexpr MemberShape kTransactWriteItemsItemMembers[] = {
    {"ConditionCheck", &kConditionCheckShape},
    {"Put", &kTransactWriteItemsPutShape},
    {"Delete", &kTransactWriteItemsDeleteShape},
    {"Update", &kUpdateShape},
};
constexpr Shape kTransactWriteItemsItemShape =
    structure_shape("TransactWriteItem", kTransactWriteItemsItemMembers);
constexpr Shape kTransactWriteItemsItemsShape =
    with_range(list_shape(kTransactWriteItemsItemShape), 1, 100);
constexpr Shape kTransactWriteItemsTokenShape = with_range(kStringShape, 1, 36);
constexpr MemberShape kTransactWriteItemsMembers[] = {
    {"ClientRequestToken", &kTransactWriteItemsTokenShape, Required::kNo, Wording::kCurrentRange},
    kReturnConsumedCapacity,
    kReturnItemCollectionMetrics,
    {"TransactItems", &kTransactWriteItemsItemsShape, Required::kYes, Wording::kCurrentRange},
};
constexpr Shape kTransactWriteItemsInput = transaction_request(kTransactWriteItemsMembers);

constexpr std::string_view kConditionOnly[] = {"ConditionExpression"};
constexpr std::string_view kUpdateAndCondition[] = {"UpdateExpression", "ConditionExpression"};
constexpr ExpressionRules kConditionRules{kConditionOnly, {}, json::kBareDialect};
constexpr ExpressionRules kUpdateRules{kUpdateAndCondition, {}, json::kBareDialect};

// One member of TransactItems. All members are read before any table is looked up; then their
// tables are pinned.
class Action {
 public:
  Action(std::string_view kind, json::Value structure, const Request& request)
      : effort_(request.effort),
        is_put_(kind == "Put"),
        is_delete_(kind == "Delete"),
        is_update_(kind == "Update"),
        parameters_(structure),
        inputs_(parameters_, is_update_ ? kUpdateRules : kConditionRules, request.layer) {
    inputs_.read_placeholders();
    // Only the older layer reads expressions first (captured facts, "Action-order rule"; captured
    // facts 3, R12 and T5).
    const bool is_current = request.layer == json::Layer::kCurrent;
    if (is_current) read_item();
    if (is_update_) update_ = inputs_.update();
    condition_ = inputs_.condition("ConditionExpression");
    inputs_.check_all_used();
    if (!is_current) read_item();
    if (is_put_) refuse_if(find_size_problem(key_));
    if (update_) check_statement_size(*update_);
  }
  Action(const Action&) = delete;
  Action& operator=(const Action&) = delete;

  TransactionAction pin(const Request& request) {
    TransactionAction action;
    action.table = table_ = pin_table(request, parameters_.string_or_empty("TableName"));
    refuse_strong_in_transaction(table_->schema);
    action.returns_item = returns_item_on_failure(parameters_);
    action.key = key_;
    action.payload = storage::item_size(key_) + inputs_.values_size();
    check_key_contents();
    action.problem = reason_of(read_key(action.item_key));
    action.decide = [this](const storage::StoredItem& current) { return decide(current); };
    return action;
  }

 private:
  void read_item() {
    key_ = json::read_item(parameters_.value(is_put_ ? "Item" : "Key"), inputs_.dialect());
  }

  const expressions::Condition* condition() const { return condition_ ? &*condition_ : nullptr; }

  // Empty and oversized values refuse the whole request; other problems of a key cancel the
  // transaction (captured facts, TransactWriteItems).
  void check_key_contents() const {
    const storage::TableSchema& schema = table_->schema;
    for (const auto [attribute, is_partition] : schema.key.attributes()) {
      const storage::AttributeView value = key_.view().find(attribute.name);
      if (value && value.type() == attribute.type) {
        check_key_value(attribute.name, value, is_partition);
      }
    }
    if (is_put_) check_index_key_contents();
    if (update_) refuse_if(find_literal_index_key_problem(schema, *update_));
  }

  void check_index_key_contents() const {
    for (const storage::NamedAttribute& attribute : key_.view()) {
      using Kind = IndexKeyProblem::Kind;
      const Kind kind = index_key_problem(table_->schema, attribute.name, attribute.value).kind;
      if (kind == Kind::kNone || kind == Kind::kWrongType) continue;
      check_index_key_value(table_->schema, attribute.name, attribute.value);
    }
  }

  // Reads the key in storage's form. It stays empty if there is a problem.
  Problem read_key(std::string& item_key) const {
    const storage::TableSchema& schema = table_->schema;
    if (is_put_) {
      Problem found = find_item_keys_problem(schema, key_, ItemKeyWording::kNamesAttribute);
      if (!found) item_key = storage::item_key(schema, key_);
      return found;
    }
    std::string read;
    if (Problem found = read_item_key(schema, key_, read)) return found;
    Problem found = update_ ? find_target_problem(schema, *update_) : std::nullopt;
    if (!found) item_key = std::move(read);
    return found;
  }

  storage::WriteDecision decide(const storage::StoredItem& current) const {
    const storage::TableSchema& schema = table_->schema;
    if (is_put_) return PutDecision{effort_, schema, key_, condition()}(current);
    if (is_delete_) return DeleteDecision{effort_, schema, condition()}(current);
    if (is_update_) {
      return UpdateDecision{effort_, schema, key_, &*update_, condition()}(current);
    }
    return holds(condition(), current, effort_) ? storage::WriteDecision::keep()
                                                : storage::WriteDecision::reject();
  }

  storage::Effort& effort_;
  const bool is_put_;
  const bool is_delete_;
  const bool is_update_;
  const Parameters parameters_;
  ExpressionInputs inputs_;
  std::optional<expressions::Update> update_;
  std::optional<expressions::Condition> condition_;
  storage::Item key_;  // for a put, the whole item
  storage::TablePtr table_;
};

void read_action(json::Value item, std::deque<Action>& actions, const Request& request) {
  const Parameters members(item);
  std::string_view kind;
  for (const MemberShape& member : kTransactWriteItemsItemMembers) {
    if (!members.has(member.name)) continue;
    if (!kind.empty()) {
      fail_validation(messages::kSeveralActions);
    }
    kind = member.name;
  }
  if (kind.empty()) {
    fail_one_validation_error(messages::kNoAction);
  }
  actions.emplace_back(kind, members.value(kind), request);
}

void transact_write_items(Request& request) {
  const Parameters parameters(request.input);
  const json::Value items = parameters.value("TransactItems");
  std::deque<Action> actions;
  for (const json::Value item : items.array()) read_action(item, actions, request);
  std::vector<TransactionAction> pinned;
  pinned.reserve(actions.size());
  for (Action& action : actions) pinned.push_back(action.pin(request));

  json::Writer writer(request.output);
  writer.begin_object();
  run_transaction(request, parameters, pinned, {items, kTransactWriteItemsItemsShape}, writer);
  writer.end_object();
}

}  // namespace

constinit const Operation kTransactWriteItems{.name = "TransactWriteItems",
                                              .input = kTransactWriteItemsInput,
                                              .handle = &transact_write_items,
                                              .writes = true,
                                              .form = RequestForm::kTransaction};

}  // namespace magneto::api
