#include "storage/engine/postgres/postgres_cursor.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace magneto::storage {
namespace {

constexpr std::size_t kPageBytes = 1 << 20;  // the value that reaches it is read too
constexpr std::size_t kFirstRows = 128;
constexpr std::size_t kMostRows = 4096;
constexpr std::size_t kGrowth = 4;

class PostgresCursor final : public Cursor {
 public:
  PostgresCursor(RunRead run, const Statements& statements, const PostgresTree& tree,
                 std::string_view lower, std::string_view upper, Direction direction, ScanHint hint)
      : run_(std::move(run)),
        statements_(statements),
        family_(tree.family()),
        lower_(tree.lower_within(lower)),
        upper_(tree.upper_within(upper)),
        direction_(direction),
        rows_(hint.entries == 0 ? kFirstRows : std::min(hint.entries, kMostRows)),
        bytes_(hint.bytes == 0 ? kPageBytes : std::min(hint.bytes, kPageBytes)),
        at_end_(!upper_.empty() && lower_ >= upper_) {}

  bool next() override {
    if (++row_ < page_.rows()) return true;
    return !at_end_ && read_page();
  }
  std::string_view key() const override { return page_.bytes(row_, 0); }
  std::string_view value() const override { return page_.bytes(row_, 1); }

 private:
  bool read_page() {
    if (page_.rows() != 0) continue_behind(page_.bytes(page_.rows() - 1, 0));
    const bool has_upper = !upper_.empty();
    Arguments arguments;
    arguments.add_bytes(lower_);
    if (has_upper) arguments.add_bytes(upper_);
    arguments.add_number(static_cast<std::int64_t>(rows_));
    arguments.add_number(static_cast<std::int64_t>(bytes_));
    page_ = run_(statements_.scan(family_, direction_, has_upper), arguments);
    row_ = 0;
    at_end_ = page_.rows() < rows_ && bytes_of_page() < bytes_;
    // A walk that goes on reads more at once.
    rows_ = std::min(rows_ * kGrowth, kMostRows);
    bytes_ = kPageBytes;
    return page_.rows() != 0;
  }

  std::size_t bytes_of_page() const {
    std::size_t bytes = 0;
    for (std::size_t row = 0; row < page_.rows(); ++row) bytes += page_.bytes(row, 1).size();
    return bytes;
  }

  void continue_behind(std::string_view last) {
    if (direction_ == Direction::kForward) {
      lower_ = std::string(last) + '\0';
    } else {
      upper_ = last;
    }
  }

  const RunRead run_;
  const Statements& statements_;
  const ColumnFamily family_;
  std::string lower_;
  std::string upper_;
  const Direction direction_;
  std::size_t rows_;
  std::size_t bytes_;
  QueryResult page_;
  std::size_t row_ = 0;
  bool at_end_;  // no page follows this one
};

}  // namespace

std::unique_ptr<Cursor> make_postgres_cursor(RunRead run, const Statements& statements,
                                             const PostgresTree& tree, std::string_view lower,
                                             std::string_view upper, Direction direction,
                                             ScanHint hint) {
  return std::make_unique<PostgresCursor>(std::move(run), statements, tree, lower, upper, direction,
                                          hint);
}

}  // namespace magneto::storage
