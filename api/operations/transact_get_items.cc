#include <deque>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/request/expression_inputs.h"
#include "api/request/table_lookup.h"
#include "api/tables/strong_tables.h"
#include "api/transactions/transaction.h"
#include "api/transactions/transaction_reads.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {

extern const Operation kTransactGetItems;

namespace {

constexpr MemberShape kGetMembers[] = {
    kKey,
    kActionTableName,
    kProjectionExpression,
    kExpressionAttributeNames,
};
constexpr Shape kGetShape = structure_shape("Get", kGetMembers);
constexpr MemberShape kItemMembers[] = {{"Get", &kGetShape, Required::kYes}};
constexpr Shape kItemShape = structure_shape("TransactGetItem", kItemMembers);
constexpr Shape kItemsShape = with_range(list_shape(kItemShape), 1, 100);
constexpr MemberShape kTransactGetItemsMembers[] = {
    kReturnConsumedCapacity,
    {"TransactItems", &kItemsShape, Required::kYes, Wording::kCurrentMaximum},
};
constexpr Shape kTransactGetItemsInput = transaction_request(kTransactGetItemsMembers);

constexpr std::string_view kTransactGetItemsExpressions[] = {"ProjectionExpression"};
constexpr ExpressionRules kTransactGetItemsRules{
    kTransactGetItemsExpressions, {}, json::kBareDialect};

// One member of TransactItems.
class Get {
 public:
  Get(json::Value structure, json::Layer layer)
      : parameters_(structure), inputs_(parameters_, kTransactGetItemsRules, layer) {
    inputs_.read_placeholders();
    const bool is_current = layer == json::Layer::kCurrent;
    if (is_current) read_key();
    projection_ = inputs_.projection();
    inputs_.check_all_used();
    if (!is_current) read_key();
  }
  Get(const Get&) = delete;
  Get& operator=(const Get&) = delete;

  void pin(const Request& request) {
    table_ = pin_table(request, parameters_.string_or_empty("TableName"));
    refuse_strong_in_transaction(table_->schema);
  }

  void check_item_key() { problem_ = reason_of(read_item_key(table_->schema, key_, item_key_)); }

  const CancellationReason& problem() const { return problem_; }

  const storage::Table& table() const { return *table_; }
  const std::string& item_key() const { return item_key_; }
  storage::ItemView key() const { return key_; }

  // If the projection selects nothing, the answer has no item (captured facts, TransactGetItems).
  void append_response(json::Writer& writer, const storage::StoredItem& item,
                       storage::Effort& effort) const {
    writer.begin_object();
    if (item && !projection_) {
      writer.key("Item");
      append_item(writer, item.view(), effort);
    } else if (item) {
      const storage::Item chosen = projection_->apply(item.view(), effort);
      if (!chosen.view().empty()) {
        writer.key("Item");
        append_item(writer, chosen, effort);
      }
    }
    writer.end_object();
  }

 private:
  void read_key() { key_ = json::read_item(parameters_.value("Key"), inputs_.dialect()); }

  const Parameters parameters_;
  ExpressionInputs inputs_;
  std::optional<expressions::Projection> projection_;
  storage::Item key_;
  storage::TablePtr table_;
  CancellationReason problem_;
  std::string item_key_;
};

void transact_get_items(Request& request) {
  const Parameters parameters(request.input);
  std::deque<Get> gets;
  for (const json::Value item : parameters.value("TransactItems").array()) {
    gets.emplace_back(Parameters(item).value("Get"), request.layer);
  }
  for (Get& get : gets) get.pin(request);
  for (Get& get : gets) get.check_item_key();
  check_reads(gets);
  answer_reads(request, parameters, gets);
}

}  // namespace

constinit const Operation kTransactGetItems{.name = "TransactGetItems",
                                            .input = kTransactGetItemsInput,
                                            .handle = &transact_get_items,
                                            .form = RequestForm::kTransaction,
                                            .answers_much = true};

}  // namespace magneto::api
