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

// A SELECT as the reads it comes to: of one item, of runs of keys as Query reads them, or of
// everything as Scan does.
class StatementRead {
 public:
  // Makes the checks that need the table. Throws ValidationException as ApiError or ExpressionError.
  // `target`: what the statement reads. `statement` is bound and must outlive this.
  StatementRead(storage::Database& database, ReadTarget target,
                const expressions::Statement& statement, bool consistent);

  const ReadTarget& target() const { return target_; }

  struct Outcome {
    ConsumedCapacity capacity;
    std::optional<StatementStart> next;  // when there may be more
    CallReport::Plan plan;
  };
  // Reads on behind `start`, at most `limit` items, 1 MB, ten runs of keys and the work of one
  // page, and calls `found` with the columns of each item that meets the WHERE clause. Throws
  // ValidationException for a start that cannot be.
  Outcome read(const StatementStart* start, std::optional<std::int64_t> limit,
               storage::Effort& effort, absl::FunctionRef<void(storage::ItemView item)> found,
               KeyNotes* notes = nullptr);
  // The partition key, where all that is read has the same; else nothing. Valid as long as this.
  std::span<const storage::AttributeView> partition() const;

 private:
  // A run of keys. Reads of one partition do not overlap.
  struct KeyRead {
    storage::AttributeView partition;
    storage::ReadRange range;
    bool excludes_sort_keys;
  };

  void check_columns();
  void check_ordering(bool keyed) const;
  void read_all();
  void read_keys(const expressions::ReadPlan& plan);
  bool names_item(const expressions::ReadPlan& plan) const;
  storage::ReadRange range_of(const expressions::KeyedRead& read) const;
  void join_overlaps();
  void order_reads();
  void start_behind(const StatementStart& start);
  void note_item(KeyNotes* notes) const;
  Outcome read_item(storage::Effort& effort, absl::FunctionRef<void(storage::ItemView item)> found,
                    KeyNotes* notes);

  storage::Database& database_;
  const expressions::Statement& statement_;
  ReadTarget target_;
  const bool consistent_;
  bool returns_whole_items_ = false;
  std::optional<std::string> item_key_;                  // the reads come to one item of the table
  std::vector<storage::AttributeView> item_key_values_;  // that key's attributes
  std::vector<KeyRead> reads_;
  const expressions::Condition* filter_ = nullptr;
  storage::Direction direction_ = storage::Direction::kForward;
};

}  // namespace magneto::api
