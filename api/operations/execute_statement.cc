#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/statement_messages.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/reads/read_target.h"
#include "api/request/table_lookup.h"
#include "api/statements/statement_input.h"
#include "api/statements/statement_read.h"
#include "api/statements/statement_shapes.h"
#include "api/statements/statement_token.h"
#include "api/statements/statement_write.h"
#include "api/writes/conditional_write.h"
#include "api/writes/write_response.h"
#include "storage/encoding/partition_hash.h"

namespace magneto::api {

extern const Operation kExecuteStatement;

namespace {

constexpr Shape kNextTokenShape = with_range(kStringShape, 1, 32'768);

constexpr MemberShape kExecuteStatementMembers[] = {
    kReturnValuesOnConditionCheckFailure,
    {"Limit", &kPageLimitShape},
    kStatement,
    kReturnConsumedCapacity,
    kStatementParameters,
    kConsistentRead,
    {"NextToken", &kNextTokenShape},
};
constexpr Shape kExecuteStatementInput = older_request(kExecuteStatementMembers);

// A token belongs to a statement, its parameters, and its table or index.
std::uint64_t token_fingerprint(const StatementInput& input, const ReadTarget& target) {
  std::string text = std::to_string(input.fingerprint());
  text += ' ' + std::to_string(target.table->schema.number) + ' ';
  text += std::to_string(target.index != nullptr ? target.index->schema.number : 0);
  return storage::fingerprint(std::string_view(text));
}

void select(Request& request, const Parameters& parameters, const StatementInput& input) {
  const expressions::Statement& statement = input.statement();
  const bool consistent = parameters.boolean("ConsistentRead");
  StatementRead read(request.database,
                     pin_read_target(request, statement.table(), statement.index(), consistent,
                                     ReadWording::kStatement),
                     statement, consistent);
  std::optional<StatementStart> start;
  if (const auto token = parameters.string("NextToken")) {
    start = decode_statement_token(*token, token_fingerprint(input, read.target()));
    if (input.has_document_parameter()) fail_validation(messages::kForeignToken);
  }
  const ReadTarget& target = read.target();
  request.metering.admit(*target.table, target.index, UnitUse::kRead, read.partition());
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Items");
  ItemArray items(writer, request.effort, json::SetOrder::kByHash);
  StatementRead::Outcome outcome = read.read(
      start ? &*start : nullptr, parameters.integer("Limit"), request.effort,
      [&](storage::ItemView item) { items.add(item); }, request.metering.keys());
  items.finish();
  if (outcome.next) {
    writer.key("NextToken");
    writer.string(encode_statement_token(token_fingerprint(input, read.target()), *outcome.next));
    const storage::Item& last = outcome.next->last;
    if (!last.bytes().empty()) append_last_key(writer, target, last);
  }
  request.metering.read_page(*target.table, target.index, read.partition(), outcome.capacity,
                             outcome.plan);
  append_consumed_capacity(writer, parameters, *target.table, outcome.capacity);
  writer.end_object();
}

void write_statement_answer(Request& request, const Parameters& parameters,
                            const StatementInput& input) {
  const expressions::Statement& statement = input.statement();
  const StatementWrite write(pin_table(request, statement.table()), input, request.effort);
  refuse_if(write.problem());
  const storage::WriteOutcome outcome =
      write_or_throw(request, write.item_write(), write.key(), returns_item_on_failure(parameters),
                     json::SetOrder::kByHash);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Items");
  writer.begin_array();
  if (const auto item = write.returned_item(outcome)) {
    json::append_item(writer.raw(), *item, json::SetOrder::kByHash);
  }
  writer.end_array();
  append_written_capacity(writer, parameters, outcome);
  writer.end_object();
}

void execute_statement(Request& request) {
  const Parameters parameters(request.input);
  StatementInput input(parameters);
  input.parse();
  const expressions::Statement& statement = input.bind(request);
  if (statement.kind() == expressions::Statement::Kind::kExists) {
    fail_validation(messages::kExistsOutsideTransaction);
  }
  if (statement.is_read()) {
    select(request, parameters, input);
  } else {
    write_statement_answer(request, parameters, input);
  }
}

}  // namespace

constinit const Operation kExecuteStatement{.name = "ExecuteStatement",
                                            .input = kExecuteStatementInput,
                                            .handle = &execute_statement,
                                            .writes = true,
                                            .form = RequestForm::kOneStatement,
                                            .answers_much = true};

}  // namespace magneto::api
