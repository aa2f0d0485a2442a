#include "api/journal/read_runs.h"

#include <absl/container/btree_map.h>

#include <iterator>
#include <set>
#include <utility>

namespace magneto::api {
namespace {

class RunFinder {
 public:
  explicit RunFinder(std::int64_t limit) : limit_(limit) {}

  void add(const JournalRecord& record) {
    if (record.tables.size() != 1) return;
    OpenRun& run = runs_[{record.tables.front(), record.access_key}];
    const bool reads_one_key = record.operation == "GetItem" || record.operation == "Query" ||
                               (record.operation == "ExecuteStatement" && !record.is_scan &&
                                record.keys.size() == 1 && !record.keys.front().writes);
    const bool goes_on = run.operation == record.operation && run.index == record.index;
    if (!goes_on) finish(record.tables.front(), run);
    if (!reads_one_key || record.keys.size() != 1) return;
    run.operation = record.operation;
    run.index = record.index;
    run.keys.insert(record.keys.front().key);
    run.records.push_back(record.number);
  }

  std::vector<ReadRun> end() {
    for (auto& [of, run] : runs_) finish(of.first, run);
    return std::move(found_);
  }

 private:
  struct OpenRun {
    std::string_view operation;
    std::string_view index;
    std::set<std::string_view> keys;
    std::vector<std::uint64_t> records;
  };

  void finish(std::string_view table, OpenRun& run) {
    if (std::ssize(run.keys) >= limit_) {
      found_.push_back({run.operation, table, run.keys.size(), std::move(run.records)});
    }
    run = {};
  }

  const std::int64_t limit_;
  absl::btree_map<std::pair<std::string_view, std::string_view>, OpenRun> runs_;
  std::vector<ReadRun> found_;
};

}  // namespace

std::vector<ReadRun> find_read_runs(std::span<const Journal::Record> records, std::int64_t limit) {
  RunFinder finder(limit);
  for (const Journal::Record& record : records) finder.add(*record);
  return finder.end();
}

}  // namespace magneto::api
