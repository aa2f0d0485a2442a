#include "api/costs/cost_marks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "api/costs/key_uses.h"
#include "api/journal/read_runs.h"
#include "api/messages/control_messages.h"
#include "api/messages/cost_messages.h"

namespace magneto::api {
namespace {

void mark(std::string_view kind, std::string sentence, CostRow& row) {
  row.kinds.push_back(kind);
  row.marks.push_back({kind, row.name, std::move(sentence)});
}

void mark_reads(CostRow& row) {
  const CostSums& sums = row.sums;
  if (row.scans) {
    mark(kScanMark,
         messages::scans_of_pattern(row.operation, row.table, sums.calls, sums.items_read), row);
  }
  const bool is_wide = sums.items_read >= kWideFilter * std::max(sums.items_returned, 1.0);
  if (row.reading.filters && is_wide) {
    mark(kWideFilterMark,
         messages::reads_too_much(row.operation, row.table, std::llround(sums.items_read),
                                  std::llround(sums.items_returned)),
         row);
  }
}

// Each pattern with its longest run.
void mark_runs(const AccessPatterns& patterns, std::span<const Journal::Record> records,
               std::vector<CostRow>& rows) {
  std::vector<std::size_t> longest(rows.size());
  std::vector<std::string> sentences(rows.size());
  for (const ReadRun& run : find_read_runs(records, kMarkedReadRun)) {
    const auto record = std::ranges::lower_bound(
        records, run.records.front(), {}, [](const Journal::Record& one) { return one->number; });
    const std::size_t place = patterns.place_of(**record);
    if (place >= rows.size() || run.keys <= longest[place]) continue;
    longest[place] = run.keys;
    sentences[place] = messages::n_plus_one(run.operation, run.table, run.keys);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (longest[i] != 0) mark(kReadRunMark, std::move(sentences[i]), rows[i]);
  }
}

// A key is at most so long in a sentence, and ends with a whole character of UTF-8.
std::string shown(const std::string& key) {
  constexpr std::size_t kMostBytes = 200;
  if (key.size() <= kMostBytes) return key;
  std::size_t end = kMostBytes;
  while ((static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U) --end;
  return key.substr(0, end) + "...";
}

std::string sentence_of(const HotKey& key) {
  std::string place(key.table);
  if (!key.index.empty()) place.append("/").append(key.index);
  if (key.exceeds_partition()) {
    return messages::hot_partition(shown(key.key), place, key.read_units, key.write_units);
  }
  return messages::hot_key(shown(key.key), place, key.share, key.uses);
}

}  // namespace

std::vector<CostMark> mark_rows(const AccessPatterns& patterns,
                                std::span<const Journal::Record> records,
                                std::vector<CostRow>& rows) {
  for (CostRow& row : rows) mark_reads(row);
  mark_runs(patterns, records, rows);
  const auto pattern_at = [&](std::size_t place) -> KeyUses::Pattern {
    const CostRow& row = rows[place];
    const PatternForm& form = patterns.patterns()[place].form;
    return {form.table, form.index, row.average(row.calls_per_second)};
  };
  std::vector<CostMark> of_tables;
  for (const HotKey& key : patterns.keys().find_hot(pattern_at)) {
    of_tables.push_back({kHotKeyMark, {}, sentence_of(key)});
    for (const std::size_t place : key.patterns) {
      std::vector<std::string_view>& kinds = rows[place].kinds;
      if (std::ranges::find(kinds, kHotKeyMark) == kinds.end()) kinds.push_back(kHotKeyMark);
    }
  }
  return of_tables;
}

}  // namespace magneto::api
