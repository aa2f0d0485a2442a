#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "api/capacity/consumed_capacity.h"
#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/messages/key_messages.h"
#include "api/messages/read_messages.h"
#include "api/messages/request_messages.h"
#include "api/messages/vector_messages.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/reads/requested_projection.h"
#include "api/request/expression_inputs.h"
#include "api/request/table_lookup.h"
#include "api/validation/constraint.h"
#include "api/validation/parameter_shapes.h"
#include "api/validation/shape_checker.h"
#include "api/validation/strict_types.h"
#include "expressions/messages.h"
#include "storage/model/number.h"
#include "storage/model/vector_value.h"

// AWS API reference, SearchVectors; captured facts, "SearchVectors and vector indexes"; captured
// facts 3, "SearchVectors".
namespace magneto::api {

extern const Operation kSearchVectors;
namespace {

using storage::IndexSchema;
using storage::ResourceStatus;

constexpr std::int64_t kSearchVectorsMostResults = 100;
constexpr std::uint64_t kStepsOfAnElement = 20;  // for writing it as a number

// check_members() words the constraints.
constexpr Shape kSearchVectorShape = list_shape(kAttributeValueShape);
constexpr MemberShape kSearchVectorsMembers[] = {
    {"TableName", &kStringShape, Required::kYes},
    {"IndexName", &kStringShape, Required::kYes},
    {"ReturnConsumedCapacity", &kStringShape},
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    kProjectionExpression,
    {"SearchVector", &kSearchVectorShape, Required::kYes},
    {"SearchConditionExpression", &kStringShape},
    {"TopK", &kIntegerShape, Required::kYes},
};
constexpr Shape kSearchVectorsInput = older_request(kSearchVectorsMembers);

constexpr std::string_view kSearchVectorsExpressions[] = {"ProjectionExpression",
                                                          "SearchConditionExpression"};
constexpr ExpressionRules kSearchVectorsRules{.expressions = kSearchVectorsExpressions,
                                              .non_expressions = {},
                                              .dialect = json::kBareDialect,
                                              .order = PlaceholderOrder::kValuesFirst};

// Constraints whose violations are reported together, without the value.
void check_hidden_members(json::Object input) {
  std::vector<std::string> problems;
  const auto check = [&](std::string_view name, const Shape& shape, std::string_view measure) {
    const json::Value value = input.find(name);
    const bool is_below = below_minimum(value, shape);
    if (!is_below && !above_maximum(value, shape)) return;
    problems.push_back(
        messages::hidden_value_at(name, is_below ? messages::at_least(measure, shape.min)
                                                 : messages::at_most(measure, shape.max)));
  };
  check("IndexName", with_range(kStringShape, 3, 255), "length");
  check("SearchVector", with_min(kSearchVectorShape, 1), "length");
  check("TopK", with_min(kIntegerShape, 1), "value");
  check("TableName", with_min(kStringShape, 1), "length");
  if (!problems.empty()) fail_validation(joined_violations(problems));
}

// Captured facts 3, V3: each stage answers alone.
void check_members(json::Object input) {
  check_hidden_members(input);
  const json::Value table = input.find("TableName");
  const auto fail_name = [&](const std::string& constraint) {
    fail_validation(messages::value_at(table.string(), "tableName", constraint));
  };
  const Shape& names = kTableNameOrArnShape;
  if (below_minimum(table, names)) fail_name(messages::at_least("length", names.min));
  if (above_maximum(table, names)) fail_name(messages::at_most("length", names.max));
  if (!matches_pattern(table.string(), names)) fail_name(messages::pattern(names.pattern->text));
  const json::Value detail = input.find("ReturnConsumedCapacity");
  if (detail.is_string() && !is_enum_value(detail.string(), kConsumedCapacityShape)) {
    fail_validation(messages::value_at(detail.string(), "returnConsumedCapacity",
                                       messages::enum_values(kConsumedCapacityValues)));
  }
  const std::int64_t count = input.find("TopK").truncated();
  if (count > kSearchVectorsMostResults) {
    fail_validation(messages::top_k_out_of_range(count, kSearchVectorsMostResults));
  }
}

void deserialize(json::Value input, std::string_view body) {
  check_strict_types(input, body, kSearchVectorsInput);
  check_members(input.object());
}

// The index of that name, if it can be searched.
const storage::Index& find_vector_index(const storage::Table& table, std::string_view name) {
  const storage::Index* const index = table.find_index(name);
  const bool is_there = index != nullptr && index->schema.kind == storage::IndexKind::kVector &&
                        index->schema.status != ResourceStatus::kDeleting;
  const bool is_allocated =
      is_there && (index->schema.status != ResourceStatus::kCreating || index->schema.backfilling);
  if (!is_allocated) fail_validation(messages::index_not_found(name));
  if (index->schema.backfilling) fail_validation(messages::backfilling_vector_index(name));
  return *index;
}

// `digits`: a number without its exponent.
bool has_too_many_digits(std::string_view digits) {
  constexpr std::string_view kNotZero = "123456789";
  constexpr std::ptrdiff_t kMost = 38;
  const std::size_t first = digits.find_first_of(kNotZero);
  if (first == std::string_view::npos) return false;
  const std::string_view significant =
      digits.substr(first, digits.find_last_of(kNotZero) - first + 1);
  return std::ranges::count_if(significant, [](char c) { return c != '.'; }) > kMost;
}

// A number that is too small counts as zero, even one that DynamoDB does not store.
std::optional<float> search_number(std::string_view text) {
  using storage::NumberError;
  NumberError error{};
  if (const auto number = storage::Number::parse(text, error)) {
    return storage::nearest_float(number->bytes());
  }
  if (error == NumberError::kNotANumber || error == NumberError::kTooManyDigits) {
    return std::nullopt;
  }
  const std::size_t end = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, end);
  if (has_too_many_digits(digits)) return std::nullopt;
  const bool is_zero = digits.find_first_of("123456789") == std::string_view::npos;
  const bool is_tiny =
      error == NumberError::kUnderflow || text.substr(std::min(end, text.size())).find('-') == 1;
  if (is_zero || is_tiny) return 0.0F;
  return std::nullopt;
}

std::vector<float> read_search_vector(json::Value list) {
  std::vector<float> vector;
  vector.reserve(list.array().size());
  for (const json::Value element : list.array()) {
    const json::Member only = *element.object().begin();
    const auto number = only.name == "N" ? search_number(only.value.string()) : std::nullopt;
    if (!number) fail_validation(messages::kBadSearchVector);
    vector.push_back(*number);
  }
  return vector;
}

void refuse_foreign_types(json::Value values) {
  for (const json::Member member : values.object()) {
    if (has_foreign_type(member.value)) fail_validation(messages::kForeignType);
  }
}

std::vector<expressions::KeyClause> clauses_of(
    const expressions::KeyConditionExpression& condition) {
  std::vector<expressions::KeyClause> clauses;
  try {
    clauses = condition.clauses();
  } catch (const expressions::ExpressionError& error) {
    namespace reasons = expressions::messages;
    if (error.message() == reasons::kNestedKeyAttribute) fail_validation(messages::kNestedSearch);
    if (error.message() == reasons::kRepeatedKeyAttribute) {
      fail_validation(messages::kRepeatedSearch);
    }
    fail_validation(messages::kSearchComparator);
  }
  for (const expressions::KeyClause& clause : clauses) {
    if (clause.comparison != storage::SortOperator::kEqual) {
      fail_validation(messages::kSearchComparator);
    }
  }
  return clauses;
}

// Each clause must name an attribute of the SearchSchema, and every HASH attribute needs a clause.
void apply_condition(const IndexSchema& index, const std::vector<expressions::KeyClause>& clauses,
                     storage::VectorSearch& search) {
  const auto& elements = index.vector.search_schema;
  for (const expressions::KeyClause& clause : clauses) {
    const auto found = std::ranges::find_if(
        elements, [&](const auto& element) { return element.first.name == clause.attribute; });
    if (found == elements.end()) fail_validation(messages::not_in_search_schema(clause.attribute));
    const auto& [attribute, is_hash] = *found;
    if (!clause.low || clause.low.type() != attribute.type) {
      fail_validation(
          messages::search_value_type(clause.attribute, clause.low.type(), attribute.type));
    }
    if (is_hash && clause.low.type() != storage::AttributeType::kNumber &&
        clause.low.scalar_bytes().empty()) {
      fail_validation(messages::empty_key_value(clause.low.type(), clause.attribute));
    }
    if (!is_hash) search.filters.emplace_back(clause.attribute, clause.low);
  }
  for (const storage::KeyAttribute& attribute : index.key.partition) {
    const auto found =
        std::ranges::find(clauses, attribute.name, &expressions::KeyClause::attribute);
    if (found == clauses.end()) fail_validation(messages::missing_search_hash(attribute.name));
    search.partition.push_back(found->low);
  }
}

bool is_projected(const storage::TableSchema& table, const IndexSchema& index,
                  std::string_view attribute) {
  if (index.projection.type == storage::ProjectionType::kAll) return true;
  if (attribute == index.vector.attribute || table.key.contains(attribute)) return true;
  const auto is_it = [attribute](const auto& element) { return element.first.name == attribute; };
  return std::ranges::any_of(index.vector.search_schema, is_it) ||
         std::ranges::find(index.projection.non_key_attributes, attribute) !=
             index.projection.non_key_attributes.end();
}

// Whether the projection names the vector. Throws ValidationException if it names an attribute that
// the index does not project.
bool wants_vectors(const storage::TableSchema& table, const IndexSchema& index,
                   const expressions::Projection& projection) {
  bool wanted = false;
  for (const std::string_view attribute : projection.attributes()) {
    if (!is_projected(table, index, attribute)) {
      fail_validation(messages::not_in_vector_index(index.name, attribute));
    }
    wanted = wanted || attribute == index.vector.attribute;
  }
  return wanted;
}

// The shortest decimal form of a finite value.
std::string_view shortest(float value, std::span<char> buffer) {
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

// The item with the index's copy of its vector, which differs from the item's vector if that has
// more digits.
storage::Item with_vector(const storage::VectorResult& result, const std::string& attribute) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  for (const storage::NamedAttribute& member : result.item.view()) {
    writer.name(member.name);
    writer.value(member.value);
  }
  writer.name(attribute);
  writer.begin_list();
  for (const float element : result.vector) {
    std::array<char, 32> buffer{};
    storage::NumberError error{};
    writer.number(
        storage::Number::parse(shortest(element, buffer), error).value_or(storage::Number()));
  }
  writer.end_list();
  writer.end_item();
  return storage::Item(std::move(bytes));
}

class Answer {
 public:
  Answer(Request& request, const std::optional<expressions::Projection>& projection,
         const IndexSchema& index)
      : effort_(request.effort), projection_(projection), index_(index), writer_(request.output) {}

  json::Writer& writer() { return writer_; }

  void add(const storage::VectorResult& result, bool has_vector) {
    writer_.begin_object();
    writer_.key("Item");
    if (!projection_) {
      append_item(writer_, result.item.view(), effort_);
    } else if (has_vector) {
      effort_.spend(kStepsOfAnElement * result.vector.size());
      const storage::Item whole = with_vector(result, index_.vector.attribute);
      append_item(writer_, projection_->apply(whole, effort_), effort_);
    } else {
      append_item(writer_, projection_->apply(result.item.view(), effort_), effort_);
    }
    writer_.key("Score");
    std::array<char, 32> buffer{};
    writer_.raw().append(shortest(result.score, buffer));
    writer_.end_object();
  }

 private:
  storage::Effort& effort_;
  const std::optional<expressions::Projection>& projection_;
  const IndexSchema& index_;
  json::Writer writer_;
};

void append_consumed(json::Writer& writer, std::size_t bytes) {
  writer.key("ConsumedCapacity");
  writer.begin_object();
  writer.key("VectorSearchRequestBytes");
  writer.number(static_cast<double>(bytes));
  writer.end_object();
}

// The order of the checks: captured facts 3, V4 to V6.
void search_vectors(Request& request) {
  const Parameters parameters(request.input);
  const std::vector<float> vector = read_search_vector(parameters.value("SearchVector"));
  refuse_foreign_types(parameters.value("ExpressionAttributeValues"));
  ExpressionInputs inputs(parameters, kSearchVectorsRules);
  inputs.read_placeholders();
  const auto condition = inputs.key_condition("SearchConditionExpression");
  const auto clauses = condition ? clauses_of(*condition) : std::vector<expressions::KeyClause>();
  const auto projection = inputs.projection();
  inputs.check_all_used();

  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  const storage::Index& index = find_vector_index(*table, parameters.string_or_empty("IndexName"));
  if (vector.size() != index.schema.vector.dimensions) {
    fail_validation(messages::search_dimensions(vector.size(), index.schema.vector.dimensions));
  }
  if (!condition && !index.schema.key.partition.empty()) {
    fail_validation(messages::kNoSearchCondition);
  }
  storage::VectorSearch search{
      .query = vector,
      .count = static_cast<std::size_t>(parameters.integer("TopK").value_or(0)),
      .partition = {},
      .filters = {}};
  apply_condition(index.schema, clauses, search);
  if (projection) search.wants_vectors = wants_vectors(table->schema, index.schema, *projection);

  const std::vector<storage::VectorResult> results =
      request.database.search_vectors(*table, index, search, request.effort);
  Answer answer(request, projection, index.schema);
  json::Writer& writer = answer.writer();
  writer.begin_object();
  writer.key("SearchResults");
  writer.begin_array();
  std::size_t bytes = vector.size() * sizeof(float);
  for (const storage::VectorResult& result : results) {
    answer.add(result, search.wants_vectors);
    bytes += result.item.size();
  }
  writer.end_array();
  if (capacity_detail(parameters) != CapacityDetail::kNone) append_consumed(writer, bytes);
  writer.end_object();
  const auto found = static_cast<std::int64_t>(results.size());
  request.metering.add_plan(*table, {found, found, bytes});
}

}  // namespace

constinit const Operation kSearchVectors{.name = "SearchVectors",
                                         .input = kSearchVectorsInput,
                                         .handle = &search_vectors,
                                         .deserialize = &deserialize,
                                         .form = RequestForm::kTableItems};

}  // namespace magneto::api
