#include "api/transactions/transaction.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/json_writer.h"
#include "api/messages/transaction_messages.h"
#include "api/messages/write_messages.h"
#include "api/reads/item_output.h"
#include "api/request/distinct_texts.h"
#include "api/storage_refusal.h"
#include "api/transactions/request_digest.h"
#include "api/transactions/transaction_capacity.h"
#include "api/writes/item_collection_metrics.h"
#include "expressions/expression_error.h"
#include "storage/encoding/partition_hash.h"
#include "storage/model/limits.h"

namespace magneto::api {

using storage::StoredItem;
using storage::TransactionResult;
using storage::WriteDecision;
using storage::WriteOutcome;

namespace {

// The items of a transaction are held while its expressions are evaluated, so this limits the time:
// to 0.6 s at most.
constexpr std::uint64_t kMaxTransactionSteps = 100'000'000;

constexpr std::string_view kFailedCondition = "ConditionalCheckFailed";

// AWS API reference, "CancellationReason".
CancellationReason throttled_reason(const storage::Table& table, const Throttled& throttled) {
  const bool is_provisioned = table.schema.billing == storage::BillingMode::kProvisioned;
  return {short_code(is_provisioned ? ErrorType::kProvisionedThroughputExceeded
                                    : ErrorType::kThrottling),
          std::string(throttled_message(table, throttled)),
          {}};
}

// Cancels the transaction if the table of an action has no units left.
void throttle_all(const Request& request, std::size_t count,
                  absl::FunctionRef<const storage::Table&(std::size_t action)> table_of,
                  absl::FunctionRef<storage::ItemView(std::size_t action)> key_of, UnitUse use) {
  if (!request.metering.enforces_throughput()) return;
  std::vector<CancellationReason> reasons(count);
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Throttled found = request.metering.find_throttles(table_of(i), use, key_of(i));
    if (found.empty()) continue;
    reasons[i] = throttled_reason(table_of(i), found);
    any = true;
  }
  if (any) fail_cancelled(reasons);
}

void throttle_all(const Request& request, std::span<const TransactionAction> actions, UnitUse use) {
  throttle_all(
      request, actions.size(),
      [&](std::size_t i) -> const storage::Table& { return *actions[i].table; },
      [&](std::size_t i) { return actions[i].key.view(); }, use);
}

// Runs the decisions of a transaction's actions, and records why an action is refused.
class Decisions {
 public:
  Decisions(std::span<TransactionAction> actions, const Request& request)
      : actions_(actions),
        request_(request),
        effort_(request.effort),
        begun_(effort_.spent()),
        reasons_(actions.size()),
        is_unmet_(actions.size()) {}

  // May be called again for the same action.
  WriteDecision decide(std::size_t number, const StoredItem& current) {
    enforce_throughput();
    reasons_[number] = {};
    const TransactionAction& action = actions_[number];
    if (effort_.spent() - begun_ > kMaxTransactionSteps) {
      fail_validation(messages::kTransactionTooLong);
    }
    try {
      WriteDecision decision = action.decide(current);
      is_unmet_[number] = action.fails_beside_others && !current;
      if (decision.kind == WriteDecision::Kind::kReject) record_failed_condition(number, current);
      if (!is_within_throughput(number, current, decision)) return WriteDecision::reject();
      return decision;
    } catch (const ApiError& error) {
      reasons_[number] = reason_of(error);
    } catch (const expressions::ExpressionError& error) {
      reasons_[number] = {kValidationReason, error.message(), {}};
    }
    return WriteDecision::reject();
  }

  // The reasons of a transaction that one of them cancels.
  std::span<const CancellationReason> reasons_of_cancelled() {
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      if (is_unmet_[i] && reasons_[i].code == CancellationReason().code) {
        record_failed_condition(i, {});
      }
    }
    return reasons_;
  }
  bool has_failed_condition() const {
    return std::ranges::find(reasons_, kFailedCondition, &CancellationReason::code) !=
           reasons_.end();
  }

 private:
  void record_failed_condition(std::size_t number, const StoredItem& current) {
    CancellationReason& reason = reasons_[number];
    reason.code = kFailedCondition;
    reason.message = messages::kConditionFailed;
    if (!actions_[number].returns_item || !current) return;
    json::Writer writer(reason.item);
    append_item(writer, current.view(), effort_, actions_[number].order_of_sets);
  }

  // Runs at the first decision, because a transaction that only repeats an earlier one makes no
  // decision.
  void enforce_throughput() {
    if (is_held_) return;
    throttle_all(request_, actions_, UnitUse::kWrite);
    is_held_ = true;
  }

  bool is_within_throughput(std::size_t number, const StoredItem& current,
                            const WriteDecision& decision) {
    if (!request_.metering.enforces_throughput()) return true;
    const storage::Table& table = *actions_[number].table;
    const Throttled found = request_.metering.find_throttled_entries(table, current, decision);
    if (!found.empty()) reasons_[number] = throttled_reason(table, found);
    return found.empty();
  }

  std::span<TransactionAction> actions_;
  const Request& request_;
  storage::Effort& effort_;
  const std::uint64_t begun_;
  std::vector<CancellationReason> reasons_;
  std::vector<bool> is_unmet_;
  bool is_held_ = false;
};

// Captured facts 2, "Transactions": the bytes in the request count, not the stored bytes.
void check_payload(std::span<const TransactionAction> actions) {
  std::size_t payload = 0;
  for (const TransactionAction& action : actions) payload += action.payload;
  if (payload > storage::kMaxTransactionSize) {
    fail_validation(messages::large_payload(payload));
  }
}

// A client's token, qualified by account and region: other clients may use the same token.
std::string qualified_token(const Caller& caller, std::string_view token) {
  std::string qualified(caller.home_account());
  return qualified.append("/").append(caller.home_region()).append("/").append(token);
}

TransactionResult run(Request& request, std::span<TransactionAction> actions, Decisions& decisions,
                      std::string_view token, const TransactionContent& content) {
  std::vector<std::function<WriteDecision(const StoredItem&)>> decide;
  decide.reserve(actions.size());
  std::vector<storage::ItemWrite> writes;
  writes.reserve(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    decide.emplace_back(
        [&decisions, i](const StoredItem& current) { return decisions.decide(i, current); });
    writes.push_back({actions[i].table, actions[i].item_key, decide.back()});
  }
  if (token.empty()) return request.database.transact({writes});
  const auto hash_of_format_2 = [&content] {
    std::string text;
    json::append_compact(content.value, text);
    return storage::fingerprint(text);
  };
  const auto receipt = [actions](std::span<const WriteOutcome> outcomes) {
    return encode_receipt(actions, outcomes);
  };
  const std::string owner = qualified_token(request.caller, token);
  const storage::ClientToken client_token{
      owner,
      {digest_request(content.value, content.shape, request.effort), hash_of_format_2},
      receipt};
  return request.database.transact({writes, &client_token});
}

TransactionResult run_or_cancel(Request& request, std::span<TransactionAction> actions,
                                Decisions& decisions, std::string_view token,
                                const TransactionContent& content) {
  try {
    return run(request, actions, decisions, token, content);
  } catch (const storage::OutOfMemoryBudget& full) {
    std::vector<CancellationReason> reasons(actions.size());
    reasons[full.write()] = reason_of(refusal_of(full).value());
    fail_cancelled(reasons);
  }
}

void append_metrics(json::Writer& writer, Request& request,
                    std::span<const TransactionAction> actions) {
  writer.key("ItemCollectionMetrics");
  writer.begin_object();
  absl::flat_hash_set<const storage::Table*> seen;
  for (const TransactionAction& first : actions) {
    const storage::Table* table = first.table.get();
    if (!has_item_collections(*table) || !seen.insert(table).second) continue;
    const std::string& partition = table->schema.key.partition.front().name;
    DistinctTexts collections(actions.size());
    writer.escaped_key(table->schema.name);
    writer.begin_array();
    for (const TransactionAction& action : actions) {
      if (action.table.get() != table) continue;
      if (!collections.add(action.key.view().find(partition).bytes())) continue;
      append_collection_metrics(writer, request.database, *table, action.key);
    }
    writer.end_array();
  }
  writer.end_object();
}

// Cancels the transaction because other transactions hold the flagged items.
[[noreturn]] void fail_conflicts(const std::vector<bool>& conflicts) {
  std::vector<CancellationReason> reasons(conflicts.size());
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    if (conflicts[i]) {
      reasons[i] = {"TransactionConflict", std::string(messages::kItemIsHeld), {}};
    }
  }
  fail_cancelled(reasons);
}

// Charges a transaction that a condition cancelled. Its writes were prepared, so they cost units
// (AWS developer guide, "Capacity considerations for transactional workloads"): as many as writes
// whose condition failed.
void consume_prepared(const Request& request, std::span<const TransactionAction> actions,
                      std::span<const WriteOutcome> outcomes) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const double units = kTransactionFactor * write_units(charged_write_size(outcomes[i]));
    request.metering.consume(*actions[i].table, {units, {}}, UnitUse::kWrite);
    request.metering.consume_written(outcomes[i], actions[i].key, kTransactionFactor);
  }
}

// Notes every item of a transaction that was committed, or that a condition cancelled.
void record_outcome(const Request& request, std::span<const TransactionAction> actions,
                    const TransactionResult& result) {
  const bool is_done = result.kind == TransactionResult::Kind::kCommitted;
  const bool is_refused =
      result.kind == TransactionResult::Kind::kCancelled && result.conflicts.empty();
  const bool is_read_again = result.kind == TransactionResult::Kind::kRepeated;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const TransactionAction& action = actions[i];
    if (is_done) {
      request.metering.record_written(result.outcomes[i], action.key);
      request.metering.consume_written(result.outcomes[i], action.key, kTransactionFactor);
    }
    if (is_refused || is_read_again) {
      request.metering.record_read(*action.table, nullptr, action.key);
    }
  }
}

}  // namespace

void run_transaction(Request& request, const Parameters& parameters,
                     std::span<TransactionAction> actions, const TransactionContent& content,
                     json::Writer& writer) {
  check_distinct_items(actions.size(),
                       [&](std::size_t i) { return std::string_view(actions[i].item_key); });
  check_payload(actions);
  cancel_if_invalid(actions.size(),
                    [&](std::size_t i) -> const CancellationReason& { return actions[i].problem; });
  expect_collection_metrics(request, parameters);
  Decisions decisions(actions, request);
  const TransactionResult result = run_or_cancel(
      request, actions, decisions, parameters.string_or_empty("ClientRequestToken"), content);
  request.effort.stay();
  // A repeat writes nothing.
  if (result.kind == TransactionResult::Kind::kRepeated) {
    throttle_all(request, actions, UnitUse::kRead);
  }
  record_outcome(request, actions, result);
  const CapacityDetail detail = capacity_detail(parameters);
  switch (result.kind) {
    case TransactionResult::Kind::kCommitted:
      report_written_capacity(request, writer, actions, result.outcomes, detail);
      break;
    case TransactionResult::Kind::kRepeated:
      report_repeated_capacity(request, writer, actions, result.receipt, detail);
      break;
    case TransactionResult::Kind::kCancelled:
      if (!result.conflicts.empty()) fail_conflicts(result.conflicts);
      if (decisions.has_failed_condition()) consume_prepared(request, actions, result.outcomes);
      fail_cancelled(decisions.reasons_of_cancelled(), content.told);
    case TransactionResult::Kind::kMismatch:
      throw ApiError(ErrorType::kIdempotentParameterMismatch, messages::kOtherRequestOfToken);
    case TransactionResult::Kind::kInProgress:
      throw ApiError(ErrorType::kTransactionInProgress, messages::kTokenInProgress);
    case TransactionResult::Kind::kRefused:
      throw ApiError(ErrorType::kRequestLimitExceeded, messages::kTooManyTokens);
  }
  if (wants_collection_metrics(parameters)) append_metrics(writer, request, actions);
}

std::vector<StoredItem> read_together(
    const Request& request,
    std::span<const std::pair<const storage::Table*, std::string_view>> item_keys,
    absl::FunctionRef<storage::ItemView(std::size_t read)> key_of) {
  throttle_all(
      request, item_keys.size(),
      [&](std::size_t i) -> const storage::Table& { return *item_keys[i].first; }, key_of,
      UnitUse::kRead);
  storage::Database& database = request.database;
  std::vector<std::string_view> keys;
  for (const auto& [table, key] : item_keys) keys.push_back(key);
  const std::vector<bool> conflicts = database.conflicts(keys);
  if (std::ranges::find(conflicts, true) != conflicts.end()) fail_conflicts(conflicts);
  std::vector<StoredItem> items = database.get_all(item_keys);
  std::size_t bytes = 0;
  for (const StoredItem& item : items) bytes += item.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    request.metering.record_read(*item_keys[i].first, nullptr, key_of(i));
  }
  if (bytes > storage::kMaxTransactionSize) {
    fail_validation(messages::kLargeItems);
  }
  return items;
}

}  // namespace magneto::api
