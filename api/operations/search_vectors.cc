#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "api/capacity/consumed_capacity.h"
#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/text_position.h"
#include "api/messages/read_messages.h"
#include "api/messages/vector_messages.h"
#include "api/operation.h"
#include "api/reads/item_output.h"
#include "api/reads/requested_projection.h"
#include "api/request/expression_inputs.h"
#include "api/request/table_lookup.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/vector_value.h"

// AWS API reference, SearchVectors; captured facts, "SearchVectors and vector indexes".
namespace magneto::api {

extern const Operation kSearchVectors;
namespace {

using storage::IndexSchema;
using storage::ResourceStatus;

constexpr std::int64_t kSearchVectorsMostResults = 100;
constexpr std::uint64_t kStepsOfAnElement = 20;  // for writing it as a number

constexpr Shape kTopKShape = with_min(kIntegerShape, 1);
constexpr Shape kSearchVectorShape =
    with_range(list_shape(kAttributeValueShape), 1, storage::kMaxVectorDimensions);
constexpr MemberShape kSearchVectorsMembers[] = {
    kSearchTableName,
    {"IndexName", &kResourceNameShape, Required::kYes},
    kReturnConsumedCapacity,
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    kProjectionExpression,
    {"SearchVector", &kSearchVectorShape, Required::kYes},
    {"SearchConditionExpression", &kStringShape},
    {"TopK", &kTopKShape, Required::kYes},
};
constexpr Shape kSearchVectorsInput = older_request(kSearchVectorsMembers);

constexpr std::string_view kSearchVectorsExpressions[] = {"ProjectionExpression",
                                                          "SearchConditionExpression"};
constexpr ExpressionRules kSearchVectorsRules{kSearchVectorsExpressions, {}, json::kBareDialect};

// The required members of a Rust structure, in its order.
enum class StrictType : std::uint8_t { kString, kSequence, kInt32 };
struct StrictMember {
  std::string_view name;
  StrictType type;
  std::string_view expected;
};
constexpr StrictMember kStrictMembers[] = {{"TableName", StrictType::kString, "a string"},
                                           {"IndexName", StrictType::kString, "a string"},
                                           {"SearchVector", StrictType::kSequence, "a sequence"},
                                           {"TopK", StrictType::kInt32, "i32"}};

bool is_of_type(json::Value value, StrictType type) {
  switch (type) {
    case StrictType::kString:
      return value.is_string();
    case StrictType::kSequence:
      return value.is_array();
    case StrictType::kInt32:
      return value.type() == json::Type::kNumber && value.is_whole();
  }
  return false;
}

// The name of the value's kind, as serde words it.
std::string kind_of(json::Value value) {
  switch (value.type()) {
    case json::Type::kBoolean:
      return messages::boolean_kind(value.boolean());
    case json::Type::kNumber:
      return value.is_whole() ? messages::integer_kind(value.truncated())
                              : messages::float_kind(value.number());
    case json::Type::kString:
      return messages::string_kind(value.string());
    case json::Type::kArray:
      return std::string(messages::kSequenceKind);
    case json::Type::kObject:
      return std::string(messages::kMapKind);
    case json::Type::kNull:
      break;
  }
  return std::string(messages::kNullKind);
}

[[noreturn]] void fail_type(json::Value value, const StrictMember& member, std::string_view body) {
  // A list or an object is refused at its beginning.
  const json::TextPosition place = value.is_array() || value.is_object()
                                       ? json::before_member(body, member.name)
                                       : json::end_of_member(body, member.name);
  fail_serialization(
      messages::unexpected_type(kind_of(value), member.expected, place.line, place.column));
}

// Refuses a number that does not fit in 32 bits.
void check_int32(json::Value value, const StrictMember& member, std::string_view body) {
  if (member.type != StrictType::kInt32) return;
  const std::int64_t number = value.truncated();
  if (number == static_cast<std::int32_t>(number)) return;
  const json::TextPosition place = json::end_of_member(body, member.name);
  fail_serialization(
      messages::unexpected_value(kind_of(value), member.expected, place.line, place.column));
}

// Reports the first problem in the text. Only nulls were captured; the other messages follow serde.
void deserialize(json::Value input, std::string_view body) {
  for (const json::Member given : input.object()) {
    const auto* member = std::ranges::find(kStrictMembers, given.name, &StrictMember::name);
    if (member == std::end(kStrictMembers)) continue;
    if (!is_of_type(given.value, member->type)) fail_type(given.value, *member, body);
    check_int32(given.value, *member, body);
  }
  for (const StrictMember& member : kStrictMembers) {
    if (input.object().find(member.name)) continue;
    const json::TextPosition place = json::end_of(body);
    fail_validation(messages::missing_member(member.name, place.line, place.column));
  }
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

std::vector<float> read_search_vector(json::Value list) {
  std::vector<float> vector;
  vector.reserve(list.array().size());
  for (const json::Value element : list.array()) {
    const storage::AttributeValue value = json::read_value(element, kSearchVectorsRules.dialect);
    const auto number = value && value.view().type() == storage::AttributeType::kNumber
                            ? storage::nearest_float(value.view().scalar_bytes())
                            : std::nullopt;
    if (!number) fail_validation(messages::kBadSearchVector);
    vector.push_back(*number);
  }
  return vector;
}

std::vector<expressions::KeyClause> clauses_of(
    const expressions::KeyConditionExpression& condition) {
  std::vector<expressions::KeyClause> clauses;
  try {
    clauses = condition.clauses();
  } catch (const expressions::ExpressionError&) {
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
    if (!clause.low || clause.low.type() != found->first.type) {
      fail_validation(messages::search_value_type(clause.attribute));
    }
    if (!found->second) search.filters.emplace_back(clause.attribute, clause.low);
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

void search_vectors(Request& request) {
  const Parameters parameters(request.input);
  const std::int64_t count = parameters.integer("TopK").value_or(0);
  if (count > kSearchVectorsMostResults)
    fail_validation(messages::top_k_out_of_range(count, kSearchVectorsMostResults));
  ExpressionInputs inputs(parameters, kSearchVectorsRules);
  inputs.read_placeholders();
  const auto condition = inputs.key_condition("SearchConditionExpression");
  const auto projection = inputs.projection();
  inputs.check_all_used();
  const auto clauses = condition ? clauses_of(*condition) : std::vector<expressions::KeyClause>();
  const std::vector<float> vector = read_search_vector(parameters.value("SearchVector"));

  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  const storage::Index& index = find_vector_index(*table, parameters.string_or_empty("IndexName"));
  if (vector.size() != index.schema.vector.dimensions) {
    fail_validation(messages::search_dimensions(vector.size(), index.schema.vector.dimensions));
  }
  if (!condition && !index.schema.key.partition.empty()) {
    fail_validation(messages::kNoSearchCondition);
  }
  storage::VectorSearch search{
      .query = vector, .count = static_cast<std::size_t>(count), .partition = {}, .filters = {}};
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
  request.metering.add_plan({found, found, bytes});
}

}  // namespace

constinit const Operation kSearchVectors{.name = "SearchVectors",
                                         .input = kSearchVectorsInput,
                                         .handle = &search_vectors,
                                         .deserialize = &deserialize,
                                         .form = RequestForm::kTableItems};

}  // namespace magneto::api
