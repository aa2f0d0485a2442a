#include <span>

#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/messages/read_messages.h"
#include "api/operation.h"
#include "api/reads/page.h"
#include "api/reads/read_selection.h"
#include "api/reads/read_target.h"
#include "api/reads/requested_projection.h"
#include "api/reads/start_key.h"
#include "api/request/expression_inputs.h"
#include "api/request/legacy_inputs.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {

extern const Operation kQuery;

namespace {

constexpr MemberShape kQueryMembers[] = {
    kSelect,
    kIndexName,
    kReturnConsumedCapacity,
    kQueryFilter,
    kItemTableName,
    kConditionalOperator,
    kAttributesToGet,
    kPageLimit,
    kKeyConditions,
    kExclusiveStartKey,
    kConsistentRead,
    {"ScanIndexForward", &kFlagShape},
    kKeyConditionExpression,
    kFilterExpression,
    kProjectionExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr CurrentCheck kQueryBounds[] = {
    {"Limit", Wording::kHidden},
    {"TableName", Wording::kCurrentEmpty},
};
constexpr CurrentCheck kQueryChecks[] = {
    {"TableName", Wording::kName},
    {"ReturnConsumedCapacity", Wording::kOlder},
    {"IndexName", Wording::kOlder},
    {"AttributesToGet", Wording::kOlder},
};
constexpr CurrentStage kQueryStages[] = {{kQueryBounds}, {kQueryChecks}};
constexpr Shape kQueryInput = staged_request(kQueryMembers, kQueryStages);

constexpr std::string_view kQueryExpressions[] = {"ProjectionExpression", "FilterExpression",
                                                  "KeyConditionExpression"};
constexpr std::string_view kQueryLegacy[] = {"AttributesToGet", "QueryFilter",
                                             "ConditionalOperator", "KeyConditions"};
constexpr ExpressionRules kQueryRules{kQueryExpressions, kQueryLegacy, json::kBareDialect};

// A Query already selects by the key, so its filter must not name key attributes (AWS API
// reference, "FilterExpression").
void check_filter_attributes(const ReadTarget& target, const expressions::Condition& filter,
                             std::string_view parameter) {
  for (const std::string_view attribute : filter.attributes()) {
    if (!target.key().contains(attribute)) continue;
    fail_validation(messages::filtered_key(parameter, attribute));
  }
}

void check_form(const expressions::KeyConditionExpression& expression) {
  try {
    expression.check_form();
  } catch (const expressions::ExpressionError& error) {
    fail_expression("KeyConditionExpression", kQueryRules.dialect, error);
  }
}

storage::KeyCondition condition_on(const ReadTarget& target,
                                   const expressions::KeyConditionExpression& expression) {
  try {
    return expression.against(target.key());
  } catch (const expressions::ExpressionError& error) {
    fail_expression("KeyConditionExpression", kQueryRules.dialect, error);
  }
}

// Refuses impossible key values, as GetItem does.
void check_key_sizes(const storage::KeySchema& key, const storage::KeyCondition& condition) {
  const auto check = [](const std::vector<storage::KeyAttribute>& attributes,
                        std::span<const storage::AttributeView> values, bool is_partition) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      check_key_value(attributes[i].name, values[i], is_partition);
    }
  };
  check(key.partition, condition.partition, true);
  check(key.sort, condition.sort_equal, false);
  if (condition.sort_operator == storage::SortOperator::kEqual) {
    check_key_value(key.sort[condition.sort_equal.size()].name, condition.low, false);
  }
}

// The parameters of a Query. Legacy parameters are converted to the expressions that replaced them.
class QueryInputs {
 public:
  // In AWS's order (captured facts 3, Q1).
  explicit QueryInputs(const Request& request)
      : parameters_(request.input),
        inputs_(parameters_, kQueryRules, request.layer),
        legacy_(parameters_, inputs_.dialect()) {
    check_attribute_names(parameters_);
    start_ = read_start_key(parameters_, inputs_.dialect(), StartKeyUse::kQueried);
    inputs_.read_placeholders();
    legacy_.check_operator("QueryFilter");
    query_filter_ = legacy_.filter("QueryFilter");
    check_attributes_differ(parameters_);
    read_key_condition();
    filter_expression_ = inputs_.condition("FilterExpression");
    projection_ = requested_projection(parameters_, inputs_);
    inputs_.check_all_used();
    check_form(*key_condition_);
    select_ = checked_select(parameters_, request.layer);
  }

  const Parameters& parameters() const { return parameters_; }

  // The key range to read: that of the condition, after the start key. `partition` receives the
  // values of the partition key; nullptr if they are not needed.
  storage::ReadRange range(const ReadTarget& target, storage::Direction direction,
                           std::vector<storage::AttributeView>* partition) const {
    if (start_) check_start_key_partition(target, *start_);
    legacy_.check_indexable(target.key());
    const storage::KeyCondition condition = condition_on(target, *key_condition_);
    check_key_sizes(target.key(), condition);
    if (partition != nullptr) {
      partition->assign(condition.partition.begin(), condition.partition.end());
    }
    if (start_) {
      check_start_key_sort(target, *start_);
      check_start_key_within(target, *start_, condition);
    }
    storage::ReadRange range = storage::ReadRange::matching(*target.table, target.index, condition);
    if (start_) range.continue_after(target.entry_key_of(*start_), direction);
    return range;
  }

  // Checks filter, projection and Select against the target, and enters them into `page`.
  void choose(const ReadTarget& target, PageRequest& page) const {
    const storage::TableSchema& schema = target.table->schema;
    const expressions::Condition* const filter = first_given(query_filter_, filter_expression_);
    if (projection_) check_keys_are_scalars(schema, projection_->nested_attributes());
    if (filter != nullptr) {
      check_filter_attributes(target, *filter, query_filter_ ? "QueryFilter" : "Filter Expression");
    }
    select_attributes(target, select_, projection_, page);
    if (filter == nullptr) return;
    check_filter_is_projected(target, filter->attributes());
    check_keys_are_scalars(schema, filter->nested_attributes());
    page.filter = filter;
  }

 private:
  void read_key_condition() {
    key_condition_ = inputs_.key_condition();
    if (!key_condition_) key_condition_ = legacy_.key_conditions();
    if (!key_condition_) {
      fail_validation(messages::kNoKeyCondition);
    }
  }

  Parameters parameters_;
  ExpressionInputs inputs_;
  LegacyInputs legacy_;
  std::optional<expressions::Condition> query_filter_;
  Select select_ = Select::kDefault;
  std::optional<storage::Item> start_;
  std::optional<expressions::KeyConditionExpression> key_condition_;
  std::optional<expressions::Condition> filter_expression_;
  std::optional<expressions::Projection> projection_;
};

void query(Request& request) {
  const QueryInputs inputs(request);
  const Parameters& parameters = inputs.parameters();
  const bool consistent = parameters.boolean("ConsistentRead");
  const ReadTarget target = pin_read_target(request, parameters.string_or_empty("TableName"),
                                            parameters.string_or_empty("IndexName"), consistent);
  const storage::Direction direction = parameters.boolean("ScanIndexForward", true)
                                           ? storage::Direction::kForward
                                           : storage::Direction::kBackward;
  std::vector<storage::AttributeView> partition;
  PageRequest page{
      .target = target,
      .range = inputs.range(target, direction,
                            request.metering.enforces_throughput() ? &partition : nullptr),
      .direction = direction,
      .limit = parameters.integer("Limit"),
      .consistent = consistent,
      .partition = partition};
  // A result of at most one item has no pages, because no start key would be accepted after it.
  if (target.is_table_without_sort_key()) page.limit.reset();
  inputs.choose(target, page);
  append_page_response(request, parameters, page);
}

}  // namespace

constinit const Operation kQuery{.name = "Query",
                                 .input = kQueryInput,
                                 .handle = &query,
                                 .form = RequestForm::kTableItems,
                                 .answers_much = true};

}  // namespace magneto::api
