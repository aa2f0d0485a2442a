#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/call_report.h"
#include "api/reads/page.h"
#include "api/reads/read_target.h"
#include "api/statements/statement_token.h"
#include "expressions/partiql/key_plan.h"
#include "expressions/partiql/statement.h"
#include "storage/database.h"
#include "storage/table/read_range.h"

namespace magneto::api {

// Executes a SELECT as reads: of one item, of key ranges as Query reads them, or of everything as
// Scan does.
class StatementRead {
 public:
  // Makes the checks that need the table. Throws ValidationException as ApiError or
  // ExpressionError. `target`: the table or index of the statement. `statement` is bound and must
  // outlive this object.
  StatementRead(storage::Database& database, ReadTarget target,
                const expressions::Statement& statement, bool consistent);

  const ReadTarget& target() const { return target_; }

  struct Outcome {
    ConsumedCapacity capacity;
    std::optional<StatementStart> next;  // set if there may be more items
    CallReport::Plan plan;
  };
  // Continues after `start`. Reads at most `limit` items, 1 MB, ten key ranges and the work of one
  // page. Calls `found` with the columns of each item that meets the WHERE clause. Throws
  // ValidationException for an invalid start.
  Outcome read(const StatementStart* start, std::optional<std::int64_t> limit,
               storage::Effort& effort, absl::FunctionRef<void(storage::ItemView item)> found,
               KeyUsage* notes = nullptr);
  // The partition key, if all reads use the same one; otherwise empty. Valid as long as this
  // object.
  std::span<const storage::AttributeView> partition() const;

 private:
  // A range of keys. Reads of one partition do not overlap.
  struct KeyRead {
    storage::AttributeView partition;
    storage::ReadRange range;
  };

  void check_columns();
  void check_ordering() const;
  void check_ordered_partitions(const expressions::ReadPlan& plan) const;
  const expressions::Statement::Ordering* ordering_of(std::string_view attribute) const;
  void read_all();
  void read_keys(const expressions::ReadPlan& plan);
  bool names_item(const expressions::ReadPlan& plan) const;
  storage::ReadRange range_of(const expressions::KeyedRead& read) const;
  void join_overlaps();
  void order_reads();
  void start_behind(const StatementStart& start);
  void record_item(KeyUsage* notes) const;
  Outcome read_item(storage::Effort& effort, absl::FunctionRef<void(storage::ItemView item)> found,
                    KeyUsage* notes);

  storage::Database& database_;
  const expressions::Statement& statement_;
  ReadTarget target_;
  const bool consistent_;
  bool returns_whole_items_ = false;
  std::optional<std::string> item_key_;                  // set if the only read is of one item
  std::vector<storage::AttributeView> item_key_values_;  // the attributes of that key
  std::vector<KeyRead> reads_;
  const expressions::Condition* filter_ = nullptr;
  storage::Direction direction_ = storage::Direction::kForward;
};

}  // namespace magneto::api
