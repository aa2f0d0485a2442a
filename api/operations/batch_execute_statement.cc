#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/call_report.h"
#include "api/caller_databases.h"
#include "api/capacity/metering.h"
#include "api/capacity/table_capacities.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/statement_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/reads/read_view.h"
#include "api/request/table_lookup.h"
#include "api/statements/statement_input.h"
#include "api/statements/statement_key.h"
#include "api/statements/statement_shapes.h"
#include "api/statements/statement_write.h"
#include "api/validation/key_checks.h"
#include "api/writes/conditional_write.h"

namespace magneto::api {

extern const Operation kBatchExecuteStatement;

namespace {

constexpr std::size_t kMaxStatements = 25;
constexpr std::uint64_t kMaxBatchSteps = 100'000'000;  // no statement begins after so many steps

constexpr MemberShape kStatementMembers[] = {
    kStatement,
    kStatementParameters,
    kConsistentRead,
    kReturnValuesOnConditionCheckFailure,
};
constexpr Shape kMemberShape = structure_shape("BatchStatementRequest", kStatementMembers);
constexpr Shape kStatementsShape = with_range(list_shape(kMemberShape), 1, kMaxStatements);
constexpr MemberShape kBatchExecuteStatementMembers[] = {
    {"Statements", &kStatementsShape, Required::kYes},
    kReturnConsumedCapacity,
};
constexpr Shape kBatchExecuteStatementInput = older_request(kBatchExecuteStatementMembers);

// One statement of a batch. The failure of a statement does not affect the others (captured facts,
// "BatchExecuteStatement").
class BatchMember {
 public:
  explicit BatchMember(json::Value member) : parameters_(member) {
    attempt([this] {
      input_.emplace(parameters_);
      input_->parse();
    });
  }

  bool is_readable() const { return !error_; }
  bool is_read() const { return input_->statement().is_read(); }

  // Reports, in AWS's words, that a retry may succeed (AWS API reference, BatchStatementError).
  void postpone() {
    if (!error_) error_ = Error{"ThrottlingError", std::string(messages::kBatchTooLong)};
  }

  void deny(const std::string& why) {
    if (!error_) error_ = Error{short_code(ErrorType::kAccessDenied), why};
  }

  // Fails as if the table had no units left.
  void leave_out() {
    if (error_) return;
    error_ = Error{short_code(ErrorType::kProvisionedThroughputExceeded),
                   std::string(messages::kTableExceeded)};
  }

  void run(const Request& request, TableCapacities& capacities) {
    if (error_) return;
    attempt([&] {
      try {
        execute(request, capacities);
      } catch (const MissingTable& missing) {
        request.databases.record_missing(request.caller, missing.table());
        throw;
      }
    });
  }

  void append(json::Writer& writer, storage::Effort& effort) const {
    writer.begin_object();
    if (error_) {
      writer.key("Error");
      writer.begin_object();
      writer.key("Code");
      writer.string(error_->code);
      writer.key("Message");
      writer.string(error_->message);
      writer.end_object();
    }
    if (table_ != nullptr) {
      writer.key("TableName");
      writer.string(table_->schema.name);
    }
    if (item_) {
      writer.key("Item");
      append_item(writer, *item_, effort, json::SetOrder::kByHash);
    }
    writer.end_object();
  }

 private:
  struct Error {
    std::string_view code;
    std::string message;
  };

  template <typename Work>
  void attempt(Work work) {
    try {
      work();
    } catch (const ApiError& error) {
      error_ = Error{short_code(error.type()), error.message()};
    } catch (const expressions::ExpressionError& error) {
      error_ = Error{short_code(ErrorType::kValidation), error.message()};
    }
  }

  void execute(const Request& request, TableCapacities& capacities) {
    const expressions::Statement& statement = input_->bind(request);
    if (statement.kind() == expressions::Statement::Kind::kExists) {
      fail_validation(messages::kExistsOutsideTransaction);
    }
    const storage::TablePtr table = pin_table(request, statement.table());
    if (statement.is_read()) {
      read(request, table, capacities);
    } else {
      write(request, table, capacities);
    }
  }

  void read(const Request& request, const storage::TablePtr& table, TableCapacities& capacities) {
    const expressions::Statement& statement = input_->statement();
    const auto key = find_only_key(table->schema, statement);
    if (!key) fail_validation(messages::kBatchReadWithoutKey);
    const std::string item_key = checked_item_key(table->schema, key->view());
    table_ = table;
    request.metering.admit(*table, UnitUse::kRead, key->view());
    const storage::StoredItem item =
        request.database.get(*table, item_key, view_of_read(request.database, parameters_));
    if (item) {
      const expressions::SelectedColumns* columns = statement.columns();
      item_ = columns != nullptr ? columns->apply(item.view(), request.effort)
                                 : storage::Item(item.view());
    }
    const double units = item_read_units(*table, item, parameters_.boolean("ConsistentRead"));
    request.metering.read_item(*table, key->view(), item.size(), units);
    capacities.of(*table).table += units;
  }

  void write(const Request& request, const storage::TablePtr& table, TableCapacities& capacities) {
    const StatementWrite write(table, input_->statement(), request.effort);
    refuse_if(write.problem());
    table_ = table;
    const storage::WriteOutcome outcome =
        write_or_throw(request, write.item_write(), write.key(), false);
    item_ = write.returned_item(outcome);
    ConsumedCapacity capacity;
    add_write(outcome, capacity);
    capacities.of(*table).add(capacity);
  }

  Parameters parameters_;
  std::optional<StatementInput> input_;
  std::optional<Error> error_;
  storage::TablePtr table_;  // set as soon as the statement runs
  std::optional<storage::Item> item_;
};

// Whether the statements write. Throws ValidationException if some write and others read.
bool writes_items(const std::deque<BatchMember>& members) {
  bool reads = false;
  bool writes = false;
  for (const BatchMember& member : members) {
    if (!member.is_readable()) continue;
    (member.is_read() ? reads : writes) = true;
  }
  if (!reads || !writes) return writes;
  fail_validation(messages::kMixedBatch);
}

// Runs at least one statement. Postpones those that would begin after too much work has been done.
void run_all(const Request& request, std::deque<BatchMember>& members,
             TableCapacities& capacities) {
  const storage::Effort& effort = request.effort;
  const std::uint64_t begun = effort.spent();
  const auto first = &members.front();
  std::size_t number = 0;
  for (BatchMember& member : members) {
    if (request.report != nullptr) {
      if (const std::string* const why = request.report->denial_of(number)) member.deny(*why);
      if (request.report->leaves_out(number++)) member.leave_out();
    }
    const bool goes_on = effort.spent() - begun < kMaxBatchSteps && !effort.is_stopping();
    if (&member == first || goes_on) {
      member.run(request, capacities);
    } else {
      member.postpone();
    }
  }
}

void batch_execute_statement(Request& request) {
  const Parameters parameters(request.input);
  std::deque<BatchMember> members;
  for (const json::Value member : parameters.value("Statements").array()) {
    members.emplace_back(member);
  }
  if (writes_items(members)) request.effort.leave();  // each statement is a separate commit
  request.metering.begin_consuming();
  TableCapacities capacities;
  run_all(request, members, capacities);

  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Responses");
  writer.begin_array();
  for (const BatchMember& member : members) member.append(writer, request.effort);
  writer.end_array();
  if (const CapacityDetail detail = capacity_detail(parameters); detail != CapacityDetail::kNone) {
    capacities.append(writer, detail);
  }
  writer.end_object();
}

}  // namespace

constinit const Operation kBatchExecuteStatement{.name = "BatchExecuteStatement",
                                                 .input = kBatchExecuteStatementInput,
                                                 .handle = &batch_execute_statement,
                                                 .writes = true,
                                                 .form = RequestForm::kStatements,
                                                 .answers_much = true};

}  // namespace magneto::api
