#include "api/fault_verdict.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/subjects/query_subject.h"
#include "api/subjects/request_parts.h"
#include "api/subjects/statement_subject.h"
#include "api/subjects/subject.h"

namespace magneto::api {
namespace {

// The table's name in a parameter, which is a name, or the ARN of a table or of a resource of the
// table.
std::string_view name_in(std::string_view text) {
  constexpr std::string_view kTable = ":table/";
  if (!text.starts_with("arn:")) return text;
  const std::size_t found = text.find(kTable);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + kTable.size());
  return text.substr(0, text.find('/'));
}

Reading reading_of(const RequestPart& part, const Subject& subject) {
  const Parameters parameters(part.members);
  const auto has_members = [&](std::string_view name) {
    const json::Value value = parameters.value(name);
    return !value.string().empty() || !value.object().empty() || !value.array().empty();
  };
  Reading reading{.consistent = parameters.boolean("ConsistentRead")};
  reading.filters =
      has_members("FilterExpression") || has_members("QueryFilter") || has_members("ScanFilter");
  if (subject.index().empty() || subject.schema() == nullptr) return reading;
  const storage::Index* const index = subject.schema()->find_index(subject.index());
  reading.fetches = index != nullptr && index->schema.kind == storage::IndexKind::kLocal &&
                    (parameters.string_or_empty("Select") == "ALL_ATTRIBUTES" ||
                     has_members("ProjectionExpression") || has_members("AttributesToGet"));
  return reading;
}

class Reader {
 public:
  Reader(const Operation& operation, const Request& request)
      : operation_(operation), request_(request) {}

  std::vector<Subject> read() {
    if (operation_.form == RequestForm::kResource) {
      read_resource();
    } else {
      for_each_part(operation_, request_, [&](const RequestPart& part) { add(part); });
    }
    return std::move(subjects_);
  }

 private:
  // If there are more members, the operation refuses the request.
  bool is_full() const { return subjects_.size() > FaultVerdict::kMaxMembers; }

  void add(const RequestPart& part) {
    const bool is_known = operation_.form == RequestForm::kTransaction &&
                          part.member < subjects_.size();  // by another kind of the same action
    if (is_full() || is_known || part.begins_table) return;
    if (part.statement) {
      subjects_.push_back(statement_subject(request_, part.statement));
      return;
    }
    const std::string_view table = name_in(part.table);
    if (table != last_name_) {
      last_name_ = table;
      last_ = table.empty() ? nullptr : table_named(request_, table);
    }
    subjects_.emplace_back(table, part.index, part.writes, last_, part.item);
    subjects_.back().set_reading(reading_of(part, subjects_.back()));
    if (operation_.name == "Query") add_queried_key(request_, subjects_.front());
    if (operation_.name == "Scan") subjects_.front().mark_scan();
  }

  // If an operation makes a table from another resource, the new table is the subject.
  void read_resource() {
    const Parameters parameters(request_.input);
    std::string_view named = target_table(operation_, request_);
    if (named.empty()) named = parameters.string_or_empty(operation_.resource);
    if (named.empty()) return;
    add({.table = named,
         .index = parameters.string_or_empty("IndexName"),
         .writes = operation_.writes});
  }

  const Operation& operation_;
  const Request& request_;
  std::vector<Subject> subjects_;
  std::string_view last_name_;
  storage::TablePtr last_;
};

}  // namespace

std::vector<Subject> subjects_of(const Operation& operation, const Request& request) {
  return Reader(operation, request).read();
}

}  // namespace magneto::api
