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
#include "storage/model/narrow.h"

namespace magneto::api {

extern const Operation kScan;

namespace {

// AWS API reference, Scan.
constexpr Shape kSegmentShape = with_range(kIntegerShape, 0, 999'999);
constexpr Shape kTotalSegmentsShape = with_range(kIntegerShape, 1, 1'000'000);

constexpr MemberShape kScanMembers[] = {
    kSelect,
    kIndexName,
    {"TotalSegments", &kTotalSegmentsShape},
    kReturnConsumedCapacity,
    kItemTableName,
    kConditionalOperator,
    kScanFilter,
    {"Segment", &kSegmentShape},
    kPageLimit,
    kAttributesToGet,
    kExclusiveStartKey,
    kConsistentRead,
    kFilterExpression,
    kProjectionExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr CurrentCheck kScanBounds[] = {
    {"Limit", Wording::kHidden},
    {"Segment", Wording::kHidden},
    {"TotalSegments", Wording::kHidden},
    {"TableName", Wording::kCurrentEmpty},
};
constexpr CurrentCheck kScanChecks[] = {
    {"TableName", Wording::kName},
    {"ReturnConsumedCapacity", Wording::kOlder},
    {"IndexName", Wording::kOlder},
    {"AttributesToGet", Wording::kOlder},
};
constexpr CurrentStage kScanStages[] = {{kScanBounds}, {kScanChecks}};
constexpr Shape kScanInput = staged_request(kScanMembers, kScanStages);

constexpr std::string_view kScanExpressions[] = {"ProjectionExpression", "FilterExpression"};
constexpr std::string_view kScanLegacy[] = {"AttributesToGet", "ScanFilter", "ConditionalOperator"};
constexpr ExpressionRules kScanRules{kScanExpressions, kScanLegacy, json::kBareDialect};

struct Segment {
  std::uint32_t number = 0;
  std::uint32_t total = 1;
};

Segment checked_segment(const Parameters& parameters) {
  const auto number = parameters.integer("Segment");
  const auto total = parameters.integer("TotalSegments");
  if (number && !total) {
    fail_validation(messages::kSegmentWithoutTotal);
  }
  if (total && !number) {
    fail_validation(messages::kTotalWithoutSegment);
  }
  if (!number) return {};
  if (*number >= *total) {
    fail_validation(messages::kSegmentTooHigh);
  }
  return {storage::narrow<std::uint32_t>(*number), storage::narrow<std::uint32_t>(*total)};
}

// Moves the beginning of a segment's range behind a checked start key.
void begin_after(const ReadTarget& target, Segment segment, const storage::Item& start,
                 storage::ReadRange& range) {
  storage::EntryKey key = target.entry_key_of(start);
  if (!range.contains(key)) {
    fail_validation(messages::start_in_other_segment(segment.total, segment.number));
  }
  range.continue_after(std::move(key), storage::Direction::kForward);
}

// A new on-demand table with one small item is charged four units, so each partition's share is
// rounded up separately. This has been observed only for whole on-demand tables (captured facts 2,
// "Query, Scan"; the rule is inferred).
bool rounds_partitions(const ReadTarget& target, Segment segment) {
  return target.index == nullptr && segment.total == 1 &&
         target.table->schema.billing == storage::BillingMode::kPayPerRequest;
}

// The parameters of a Scan, in AWS's order (captured facts 3, N3 to N11).
class ScanInputs {
 public:
  explicit ScanInputs(const Request& request)
      : parameters_(request.input),
        inputs_(parameters_, kScanRules, request.layer),
        legacy_(parameters_, inputs_.dialect()) {
    check_attribute_names(parameters_);
    start_ = read_start_key(parameters_, inputs_.dialect(), StartKeyUse::kScanned);
    inputs_.read_placeholders();
    legacy_.check_operator("ScanFilter");
    scan_filter_ = legacy_.filter("ScanFilter");
    check_attributes_differ(parameters_);
    filter_expression_ = inputs_.condition("FilterExpression");
    projection_ = requested_projection(parameters_, inputs_);
    inputs_.check_all_used();
    select_ = checked_select(parameters_, request.layer);
    segment_ = checked_segment(parameters_);
  }

  const Parameters& parameters() const { return parameters_; }

  storage::ReadRange segment_of(const ReadTarget& target) const {
    return storage::ReadRange::of_segment(*target.table, target.index, segment_.number,
                                          segment_.total);
  }

  // Checks Select, the start key and the expressions against the target, and enters them into
  // `page`.
  void choose(const ReadTarget& target, PageRequest& page) const {
    select_attributes(target, select_, projection_, page);
    if (start_) {
      check_start_key_types(target, *start_, parameters_.value("ExclusiveStartKey").object());
      check_scan_start_key(target, *start_);
      begin_after(target, segment_, *start_, page.range);
    }
    page.rounds_partitions = rounds_partitions(target, segment_);
    page.filter = first_given(scan_filter_, filter_expression_);
    const storage::TableSchema& schema = target.table->schema;
    if (projection_) check_keys_are_scalars(schema, projection_->nested_attributes());
    if (page.filter != nullptr) check_keys_are_scalars(schema, page.filter->nested_attributes());
  }

 private:
  Parameters parameters_;
  ExpressionInputs inputs_;
  LegacyInputs legacy_;
  std::optional<storage::Item> start_;
  std::optional<expressions::Condition> scan_filter_;
  std::optional<expressions::Condition> filter_expression_;
  std::optional<expressions::Projection> projection_;
  Select select_ = Select::kDefault;
  Segment segment_;
};

void scan(Request& request) {
  const ScanInputs inputs(request);
  const Parameters& parameters = inputs.parameters();
  const bool consistent = parameters.boolean("ConsistentRead");
  const ReadTarget target = pin_read_target(request, parameters.string_or_empty("TableName"),
                                            parameters.string_or_empty("IndexName"), consistent);
  PageRequest page{.target = target,
                   .range = inputs.segment_of(target),
                   .limit = parameters.integer("Limit"),
                   .consistent = consistent};
  inputs.choose(target, page);
  append_page_response(request, parameters, page);
}

}  // namespace

constinit const Operation kScan{.name = "Scan",
                                .input = kScanInput,
                                .handle = &scan,
                                .form = RequestForm::kTableItems,
                                .answers_much = true};

}  // namespace magneto::api
