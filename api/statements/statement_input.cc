#include "api/statements/statement_input.h"

#include <algorithm>
#include <array>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/statement_messages.h"
#include "api/messages/value_messages.h"
#include "api/request/arn.h"
#include "storage/encoding/partition_hash.h"
#include "storage/model/item_size.h"
#include "storage/model/number.h"
#include "storage/model/value_writer.h"

namespace magneto::api {

namespace {

void refuse_multi_attribute_index(const Request& request, const expressions::Statement& statement) {
  if (statement.index().empty()) return;
  const storage::TablePtr table = find_table(request, statement.table());
  if (table == nullptr) return;
  const storage::Index* index = table->find_index(statement.index());
  if (index == nullptr) return;
  const storage::KeySchema& key = index->schema.key;
  if (key.partition.size() <= 1 && key.sort.size() <= 1) return;
  fail_validation(messages::kMultiAttributeKeys);
}

}  // namespace

StatementInput::StatementInput(const Parameters& member)
    : text_(member.string_or_empty("Statement")), sent_(member.value("Parameters")) {
  if (!sent_) return;
  std::vector<std::size_t> ends;
  for (const json::Value value : sent_.array()) {
    if (!read_parameter(value, json::kStatementDialect)) {
      has_deep_parameter_ = true;
      is_too_deep_ = !read_parameter(value, json::kDeepStatementDialect);
      if (is_too_deep_) return;
    }
    ends.push_back(bytes_.size());
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    parameters_.emplace_back(std::string_view(bytes_).substr(begin, end - begin));
    begin = end;
  }
}

bool StatementInput::read_parameter(json::Value value, const json::ErrorDialect& dialect) {
  const std::size_t size = bytes_.size();
  storage::ValueWriter writer(bytes_);
  try {
    json::read_value(value, dialect, writer);
    return true;
  } catch (const ApiError& error) {
    if (error.message() != messages::kNestedTooDeep) throw;
    bytes_.resize(size);
    return false;
  }
}

void StatementInput::refuse_too_deep() const {
  if (is_too_deep_) fail_validation(messages::kNestedTooDeep);
}

const expressions::Statement& StatementInput::parse() {
  refuse_too_deep();
  return statement_.emplace(expressions::Statement::parse(text_));
}

const expressions::Statement& StatementInput::bind(const Request& request) {
  refuse_multi_attribute_index(request, *statement_);
  statement_->bind(parameters_);
  return *statement_;
}

std::size_t StatementInput::size() const {
  std::size_t size = text_.size();
  for (const storage::AttributeView parameter : parameters_) size += storage::value_size(parameter);
  return size;
}

std::uint64_t StatementInput::fingerprint() const {
  std::string numbers;
  if (sent_) {
    for (const json::Value value : sent_.array()) {
      if (const json::Value number = value.object().find("N"); number && !number.is_null()) {
        numbers += std::to_string(storage::java_scale(number.string())) + ' ';
      }
    }
  }
  return storage::fingerprint(std::array<std::string_view, 3>{text_, bytes_, numbers});
}

bool StatementInput::has_document_parameter() const {
  return std::ranges::any_of(parameters_, [](storage::AttributeView parameter) {
    return storage::is_document(parameter.type());
  });
}

}  // namespace magneto::api
