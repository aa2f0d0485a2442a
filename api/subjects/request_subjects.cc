#include "api/fault_verdict.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/subjects/query_subject.h"
#include "api/subjects/statement_subject.h"
#include "api/subjects/subject.h"

namespace magneto::api {
namespace {

// The table's name in a parameter: a name, or an ARN of the table or of what belongs to it.
std::string_view name_in(std::string_view text) {
  constexpr std::string_view kTable = ":table/";
  if (!text.starts_with("arn:")) return text;
  const std::size_t found = text.find(kTable);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + kTable.size());
  return text.substr(0, text.find('/'));
}

class Reader {
 public:
  Reader(const Operation& operation, const Request& request)
      : operation_(operation), request_(request), parameters_(request.input) {}

  std::vector<Subject> read() {
    switch (operation_.form) {
      case RequestForm::kResource:
      case RequestForm::kTableItems:
        read_one();
        break;
      case RequestForm::kBatch:
        if (operation_.writes) {
          read_writes();
        } else {
          read_keys_to_get();
        }
        break;
      case RequestForm::kTransaction:
        read_actions();
        break;
      case RequestForm::kOneStatement:
        subjects_.push_back(statement_subject(request_, request_.input));
        break;
      case RequestForm::kStatements:
        read_statements("Statements");
        break;
      case RequestForm::kTransactStatements:
        read_statements("TransactStatements");
        break;
    }
    return std::move(subjects_);
  }

 private:
  // What has more members is refused by its operation.
  bool is_full() const { return subjects_.size() > FaultVerdict::kMaxMembers; }

  void add(std::string_view named, bool writes, json::Value attributes,
           std::string_view index = {}) {
    if (is_full()) return;
    const std::string_view table = name_in(named);
    if (table != last_name_) {
      last_name_ = table;
      last_ = table.empty() ? nullptr : table_named(request_, table);
    }
    subjects_.emplace_back(table, index, writes, last_, attributes);
  }

  void read_one() {
    if (operation_.name == "ImportTable") {
      const Parameters made(parameters_.value("TableCreationParameters"));
      return add(made.string_or_empty("TableName"), true, {});
    }
    for (const std::string_view member : {"TableName", "TargetTableName", "ResourceArn", "TableArn",
                                          "StreamArn", "BackupArn", "ExportArn", "ImportArn"}) {
      const std::string_view named = parameters_.string_or_empty(member);
      if (named.empty()) continue;
      json::Value attributes = parameters_.value("Key");
      if (!attributes) attributes = parameters_.value("Item");
      add(named, operation_.writes, attributes, parameters_.string_or_empty("IndexName"));
      break;
    }
    if (subjects_.empty()) return;
    if (operation_.name == "Query") add_queried_key(request_, subjects_.front());
    if (operation_.name == "Scan") subjects_.front().mark_scan();
  }

  void read_keys_to_get() {
    for (const json::Member table : parameters_.value("RequestItems").object()) {
      if (table.value.is_null()) continue;
      for (const json::Value key : Parameters(table.value).value("Keys").array()) {
        add(table.name, false, key);
      }
    }
  }

  void read_writes() {
    for (const json::Member table : parameters_.value("RequestItems").object()) {
      for (const json::Value write : table.value.array()) {
        if (write.is_null()) continue;
        const Parameters kinds(write);
        json::Value attributes = Parameters(kinds.value("PutRequest")).value("Item");
        if (!attributes) attributes = Parameters(kinds.value("DeleteRequest")).value("Key");
        add(table.name, true, attributes);
      }
    }
  }

  void read_actions() {
    for (const json::Value action : parameters_.value("TransactItems").array()) {
      bool found = false;
      for (const std::string_view kind : {"Get", "Put", "Update", "Delete", "ConditionCheck"}) {
        const json::Value given = Parameters(action).value(kind);
        if (!given || found) continue;
        found = true;
        const Parameters members(given);
        add(members.string_or_empty("TableName"), kind != "Get" && kind != "ConditionCheck",
            members.value(kind == "Put" ? "Item" : "Key"));
      }
      if (!found) add({}, false, {});
    }
  }

  void read_statements(std::string_view list) {
    for (const json::Value statement : parameters_.value(list).array()) {
      if (is_full()) return;
      subjects_.push_back(statement_subject(request_, statement));
    }
  }

  const Operation& operation_;
  const Request& request_;
  const Parameters parameters_;
  std::vector<Subject> subjects_;
  std::string_view last_name_;
  storage::TablePtr last_;
};

}  // namespace

std::vector<Subject> subjects_of(const Operation& operation, const Request& request) {
  return Reader(operation, request).read();
}

}  // namespace magneto::api
