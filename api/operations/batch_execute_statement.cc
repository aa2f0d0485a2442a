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
#include "api/messages/key_messages.h"
#include "api/messages/statement_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/reads/read_view.h"
#include "api/request/distinct_texts.h"
#include "api/request/table_lookup.h"
#include "api/statements/statement_input.h"
#include "api/statements/statement_key.h"
#include "api/statements/statement_shapes.h"
#include "api/statements/statement_write.h"
#include "api/validation/key_checks.h"
#include "api/writes/conditional_write.h"
#include "api/writes/write_response.h"
#include "storage/model/item_size.h"

namespace magneto::api {

extern const Operation kBatchExecuteStatement;

namespace {

constexpr std::size_t kMaxStatements = 25;
constexpr std::uint64_t kMaxBatchSteps = 100'000'000;  // no statement begins after so many steps

constexpr MemberShape kStatementMembers[] = {
    kReturnValuesOnConditionCheckFailure,
    kStatement,
    kStatementParameters,
    kConsistentRead,
};
constexpr Shape kMemberShape = structure_shape("BatchStatementRequest", kStatementMembers);
constexpr Shape kStatementsShape = with_range(list_shape(kMemberShape), 1, kMaxStatements);
constexpr MemberShape kBatchExecuteStatementMembers[] = {
    kReturnConsumedCapacity,
    {"Statements", &kStatementsShape, Required::kYes},
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

  // Checks what needs no table.
  void bind(const Request& request) {
    if (!error_) attempt([&] { input_->bind(request); });
    is_well_formed_ = !error_ && input_->statement().kind() != Kind::kExists;
    if (!error_ && !is_well_formed_)
      fail(ErrorType::kValidation, messages::kExistsOutsideTransaction);
  }

  // A statement that bind() refused takes no part in the checks of the whole batch.
  bool is_well_formed() const { return is_well_formed_; }
  bool is_read() const { return input_->statement().is_read(); }
  // Storage's key of the item; empty if the statement has failed.
  std::string_view item_key() const { return error_ ? std::string_view() : item_key_; }

  // Reports, in AWS's words, that a retry may succeed (AWS API reference, BatchStatementError).
  void postpone() {
    if (!error_) error_ = Error{"ThrottlingError", std::string(messages::kBatchTooLong), {}};
  }

  void deny(const std::string& why) { fail(ErrorType::kAccessDenied, why); }

  // Fails as if the table had no units left.
  void leave_out() { fail(ErrorType::kProvisionedThroughputExceeded, messages::kTableExceeded); }

  // Finds the table and the item.
  void prepare(const Request& request) {
    if (error_) return;
    attempt([&] {
      try {
        table_ = pin_table(request, input_->statement().table());
      } catch (const MissingTable& missing) {
        request.databases.record_missing(request.caller, missing.table());
        table_name_ = input_->statement().table();
        throw;
      }
      is_read() ? prepare_read() : prepare_write(request);
    });
  }

  void run(const Request& request, TableCapacities& capacities) {
    if (error_) return;
    table_name_ = table_->schema.name;
    attempt([&] { is_read() ? read(request, capacities) : write(request, capacities); });
  }

  // Adds the units of a refused write, if another statement succeeded on its table (captured facts
  // 3, P56).
  void add_refused_units(TableCapacities& capacities) const {
    if (refused_units_ == 0) return;
    ConsumedCapacity* const capacity = capacities.find(*table_);
    if (capacity != nullptr) capacity->refused += refused_units_;
  }

  void append(json::Writer& writer, storage::Effort& effort) const {
    writer.begin_object();
    if (error_) append_error(writer);
    if (!table_name_.empty()) {
      writer.key("TableName");
      writer.string(table_name_);
    }
    if (item_) {
      writer.key("Item");
      append_item(writer, *item_, effort, json::SetOrder::kByHash);
    }
    writer.end_object();
  }

 private:
  using Kind = expressions::Statement::Kind;

  struct Error {
    std::string_view code;
    std::string message;
    std::string item;  // JSON; empty: none
  };

  void fail(ErrorType type, std::string_view message) {
    if (!error_) error_ = Error{short_code(type), std::string(message), {}};
  }

  template <typename Work>
  void attempt(Work work) {
    try {
      work();
    } catch (const ApiError& error) {
      fail(error.type(), error.message());
      if (error.member().name == "Item") error_->item = error.member().value;
    } catch (const expressions::ExpressionError& error) {
      fail(ErrorType::kValidation, error.message());
    }
  }

  void append_error(json::Writer& writer) const {
    writer.key("Error");
    writer.begin_object();
    writer.key("Code");
    writer.string(error_->code);
    writer.key("Message");
    writer.string(error_->message);
    if (!error_->item.empty()) {
      writer.key("Item");
      writer.raw() += error_->item;
    }
    writer.end_object();
  }

  void prepare_read() {
    const expressions::Statement& statement = input_->statement();
    const storage::TableSchema& schema = table_->schema;
    const expressions::ReadPlan plan = plan_table_read(schema, statement);
    auto key = find_only_key(schema, statement, plan);
    if (!key) fail_validation(messages::kBatchReadWithoutKey);
    check_key_types(plan, schema.key);
    key_ = *std::move(key);
    set_key(read_item_key(schema, key_, item_key_));
  }

  void prepare_write(const Request& request) {
    write_.emplace(table_, *input_, request.effort);
    item_key_ = write_->item_key();
    if (write_->problem() && !write_->problem_names_table()) refuse_if(write_->problem());
    set_key(write_->problem());
  }

  // A problem that is found at the table's item names the table.
  void set_key(const Problem& problem) {
    if (!problem) return;
    table_name_ = table_->schema.name;
    refuse_if(problem);
  }

  void read(const Request& request, TableCapacities& capacities) {
    request.metering.admit(*table_, UnitUse::kRead, key_);
    const storage::StoredItem item =
        request.database.get(*table_, item_key_, view_of_read(request.database, parameters_));
    if (item) {
      const expressions::SelectedColumns* columns = input_->statement().columns();
      item_ = columns != nullptr ? columns->apply(item.view(), request.effort)
                                 : storage::Item(item.view());
    }
    const double units = item_read_units(*table_, item, parameters_.boolean("ConsistentRead"));
    request.metering.read_item(*table_, key_, item.size(), units);
    capacities.of(*table_).table += units;
  }

  void write(const Request& request, TableCapacities& capacities) {
    std::size_t stored = 0;
    const auto decide = [&](const storage::StoredItem& current) {
      stored = current.size();
      return (*write_)(current);
    };
    try {
      const storage::WriteOutcome outcome =
          write_or_throw(request, {table_, item_key_, decide}, write_->key(),
                         returns_item_on_failure(parameters_), json::SetOrder::kByHash);
      item_ = write_->returned_item(outcome);
      ConsumedCapacity capacity;
      add_write(outcome, capacity);
      capacities.of(*table_).add(capacity);
    } catch (const ApiError& error) {
      const bool inserts = error.type() == ErrorType::kDuplicateItem;
      if (inserts || error.type() == ErrorType::kConditionalCheckFailed) {
        const std::size_t sent = inserts ? storage::item_size(input_->statement().item()) : 0;
        refused_units_ = write_units(std::max(stored, sent));
      }
      throw;
    }
  }

  Parameters parameters_;
  std::optional<StatementInput> input_;
  bool is_well_formed_ = false;
  std::optional<Error> error_;
  storage::TablePtr table_;
  std::string_view table_name_;  // in the answer; empty: not there
  std::string item_key_;
  storage::Item key_;  // of a read
  std::optional<StatementWrite> write_;
  double refused_units_ = 0;
  std::optional<storage::Item> item_;
};

// Whether the statements write. Throws ValidationException if some write and others read.
bool writes_items(const std::deque<BatchMember>& members) {
  bool reads = false;
  bool writes = false;
  for (const BatchMember& member : members) {
    if (!member.is_well_formed()) continue;
    (member.is_read() ? reads : writes) = true;
  }
  if (!reads || !writes) return writes;
  fail_validation(messages::kMixedBatch);
}

// Finds the items of all statements. Throws ValidationException if two have the same.
void prepare_all(const Request& request, std::deque<BatchMember>& members) {
  std::size_t number = 0;
  DistinctTexts keys(members.size());
  for (BatchMember& member : members) {
    if (request.report != nullptr) {
      if (const std::string* const why = request.report->denial_of(number)) member.deny(*why);
      if (request.report->leaves_out(number++)) member.leave_out();
    }
    member.prepare(request);
    const std::string_view key = member.item_key();
    if (!key.empty() && !keys.add(key)) fail_validation(messages::kDuplicateKeys);
  }
}

// Runs at least one statement. Postpones those that would begin after too much work has been done.
void run_all(const Request& request, std::deque<BatchMember>& members,
             TableCapacities& capacities) {
  const storage::Effort& effort = request.effort;
  const std::uint64_t begun = effort.spent();
  const auto first = &members.front();
  for (BatchMember& member : members) {
    const bool goes_on = effort.spent() - begun < kMaxBatchSteps && !effort.is_stopping();
    if (&member == first || goes_on) {
      member.run(request, capacities);
    } else {
      member.postpone();
    }
  }
  for (const BatchMember& member : members) member.add_refused_units(capacities);
}

void batch_execute_statement(Request& request) {
  const Parameters parameters(request.input);
  std::deque<BatchMember> members;
  for (const json::Value member : parameters.value("Statements").array()) {
    members.emplace_back(member).bind(request);
  }
  if (writes_items(members)) request.effort.leave();  // each statement is a separate commit
  request.metering.begin_consuming();
  TableCapacities capacities;
  prepare_all(request, members);
  run_all(request, members, capacities);

  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Responses");
  writer.begin_array();
  for (const BatchMember& member : members) member.append(writer, request.effort);
  writer.end_array();
  const CapacityDetail detail = capacity_detail(parameters);
  if (detail != CapacityDetail::kNone && !capacities.entries().empty()) {
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
