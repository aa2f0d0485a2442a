#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/transaction_messages.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/request/arn.h"
#include "api/request/table_lookup.h"
#include "api/statements/statement_input.h"
#include "api/statements/statement_key.h"
#include "api/statements/statement_shapes.h"
#include "api/statements/statement_write.h"
#include "api/tables/strong_tables.h"
#include "api/transactions/transaction.h"
#include "api/transactions/transaction_reads.h"
#include "api/validation/key_checks.h"
#include "api/writes/conditional_write.h"
#include "api/writes/write_response.h"
#include "expressions/partiql/key_plan.h"

namespace magneto::api {

extern const Operation kExecuteTransaction;

namespace {

using expressions::Statement;

constexpr MemberShape kExecuteTransactionStatementMembers[] = {
    kReturnValuesOnConditionCheckFailure,
    kStatement,
    kStatementParameters,
};
constexpr Shape kExecuteTransactionMemberShape =
    structure_shape("ParameterizedStatement", kExecuteTransactionStatementMembers);
constexpr Shape kExecuteTransactionStatementsShape =
    with_range(list_shape(kExecuteTransactionMemberShape), 1, 100);
constexpr Shape kTokenShape = with_range(kStringShape, 1, 36);
constexpr MemberShape kExecuteTransactionMembers[] = {
    {"ClientRequestToken", &kTokenShape},
    {"TransactStatements", &kExecuteTransactionStatementsShape, Required::kYes},
    kReturnConsumedCapacity,
};
constexpr Shape kExecuteTransactionInput = older_request(kExecuteTransactionMembers);

// One statement of a transaction. As in TransactWriteItems and TransactGetItems, an error in the
// statement refuses the transaction, and an error in the key cancels it.
class Member {
 public:
  explicit Member(json::Value member) : parameters_(member), input_(parameters_) {}
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  void refuse_too_deep() const { input_.refuse_too_deep(); }

  // A missing table cancels the transaction, even if the statement is wrong in other ways (captured
  // facts 3, P61).
  void prepare(const Request& request) {
    input_.parse();
    const bool has_index = !statement().index().empty();
    if (has_index && pin(request)) fail_validation(messages::kIndexInTransaction);
    input_.bind(request);
    if (!pin(request)) return;
    if (statement().returning() != expressions::Returning::kNone) {
      fail_validation(messages::kReturningInTransaction);
    }
    refuse_strong_in_transaction(table_->schema);
    if (statement().is_read()) plan_ = plan_table_read(table_->schema, statement());
  }

  const Statement& statement() const { return input_.statement(); }
  bool is_read() const { return statement().is_read(); }
  const storage::Table& table() const { return *table_; }
  const CancellationReason& problem() const { return problem_; }
  const std::string& item_key() const { return item_key_; }  // of a read; empty: none
  storage::ItemView key() const { return key_; }             // of a read

  void plan_read() {
    if (table_ == nullptr) return;
    const auto key = find_only_key(table_->schema, statement(), plan_);
    if (!key) {
      fail_validation(messages::kTransactionReadWithoutKey);
    }
    key_ = *key;
    problem_ = reason_of(read_item_key(table_->schema, key_, item_key_));
  }

  // As in TransactGetItems, if the columns select nothing, the answer has no item.
  void append_response(json::Writer& writer, const storage::StoredItem& item,
                       storage::Effort& effort) const {
    writer.begin_object();
    if (item) {
      const expressions::SelectedColumns* columns = statement().columns();
      const storage::Item chosen =
          columns != nullptr ? columns->apply(item.view(), effort) : storage::Item();
      const storage::ItemView shown = columns != nullptr ? chosen.view() : item.view();
      if (!shown.empty()) {
        writer.key("Item");
        append_item(writer, shown, effort, json::SetOrder::kByHash);
      }
    }
    writer.end_object();
  }

  TransactionAction plan_write(const Request& request) {
    TransactionAction action;
    if (table_ == nullptr) {
      action.problem = problem_;
      return action;
    }
    if (statement().kind() == Statement::Kind::kExists) {
      plan_check(action, request.effort);
    } else {
      plan_change(action, request.effort);
    }
    action.table = table_;
    action.returns_item = returns_item_on_failure(parameters_);
    action.order_of_sets = json::SetOrder::kByHash;
    action.problem = problem_;
    action.payload = input_.size();
    return action;
  }

 private:
  // EXISTS(SELECT ...) changes nothing; its clause must hold for the item.
  void plan_check(TransactionAction& action, storage::Effort& effort) {
    action.key = checked_key(table_->schema, statement());
    problem_ = reason_of(read_item_key(table_->schema, action.key, action.item_key));
    action.decide = [this, &effort](const storage::StoredItem& current) {
      return holds(statement().condition(), current, effort) ? storage::WriteDecision::keep()
                                                             : storage::WriteDecision::reject();
    };
  }

  void plan_change(TransactionAction& action, storage::Effort& effort) {
    write_.emplace(table_, input_, effort, KeyWording::kOfTransaction);
    action.fails_beside_others = statement().kind() == Statement::Kind::kDelete &&
                                 has_condition_beside_key(table_->schema, statement());
    action.key = write_->key();
    problem_ = reason_of(write_->problem());
    action.item_key = write_->item_key();
    action.decide = [this](const storage::StoredItem& current) { return (*write_)(current); };
  }

  // False if there is no such table.
  bool pin(const Request& request) {
    if (table_ != nullptr) return true;
    try {
      table_ = pin_table(request, statement().table());
      return true;
    } catch (const ApiError& error) {
      if (error.type() != ErrorType::kResourceNotFound) throw;
      problem_ = reason_of(error);
      return false;
    }
  }

  const Parameters parameters_;
  StatementInput input_;
  expressions::ReadPlan plan_;  // of a read
  storage::TablePtr table_;
  CancellationReason problem_;
  std::string item_key_;
  storage::Item key_;
  std::optional<StatementWrite> write_;
};

// Runs `work` for each statement. Errors that it throws name the statement (captured facts,
// "Envelope cheat sheet"); one about its parameters does not.
template <typename Work>
void for_each(std::deque<Member>& members, Work work) {
  const auto fail = [](std::size_t number, const std::string& message) {
    fail_validation(messages::invalid_statement(number, message));
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].refuse_too_deep();
    try {
      work(members[i]);
    } catch (const ApiError& error) {
      if (error.type() != ErrorType::kValidation) throw;
      fail(i, error.message());
    } catch (const expressions::ExpressionError& error) {
      fail(i, error.message());
    }
  }
}

void run_reads(Request& request, const Parameters& parameters, std::deque<Member>& members) {
  for_each(members, [](Member& member) { member.plan_read(); });
  cancel_if_invalid(
      members.size(),
      [&](std::size_t i) -> const CancellationReason& { return members[i].problem(); },
      ToldReasons::kAll);
  check_reads(members);
  answer_reads(request, parameters, members);
}

// The answer to writes has an empty list of responses (captured facts, "Write responses").
void run_writes(Request& request, const Parameters& parameters, std::deque<Member>& members) {
  std::vector<TransactionAction> actions;
  for_each(members, [&](Member& member) { actions.push_back(member.plan_write(request)); });
  cancel_if_invalid(
      actions.size(),
      [&](std::size_t i) -> const CancellationReason& { return actions[i].problem; },
      ToldReasons::kAll);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Responses");
  writer.begin_array();
  writer.end_array();
  run_transaction(request, parameters, actions,
                  {parameters.value("TransactStatements"), kExecuteTransactionStatementsShape,
                   ToldReasons::kAll},
                  writer);
  writer.end_object();
}

void execute_transaction(Request& request) {
  const Parameters parameters(request.input);
  std::deque<Member> members;
  for (const json::Value member : parameters.value("TransactStatements").array()) {
    members.emplace_back(member);
  }
  for_each(members, [&](Member& member) { member.prepare(request); });
  const auto reads = std::ranges::count_if(members, &Member::is_read);
  if (reads != 0 && reads != std::ssize(members)) {
    fail_validation(messages::kMixedTransaction);
  }
  if (reads != 0) {
    run_reads(request, parameters, members);
  } else {
    run_writes(request, parameters, members);
  }
}

}  // namespace

constinit const Operation kExecuteTransaction{.name = "ExecuteTransaction",
                                              .input = kExecuteTransactionInput,
                                              .handle = &execute_transaction,
                                              .writes = true,
                                              .form = RequestForm::kTransactStatements,
                                              .answers_much = true};

}  // namespace magneto::api
