#include "api/costs/access_patterns.h"

#include <algorithm>

#include "api/operation.h"

namespace magneto::api {
namespace {

using Access = JournalRecord::Access;

PatternForm pattern_form(const JournalRecord& record, const Access& access) {
  return {.operation = record.operation,
          .verb = access.verb,
          .table = record.tables[access.table],
          .index = access.index,
          .key = access.form,
          .reading = access.reading,
          .scans = access.scans};
}

bool is_throttle(std::string_view error) {
  return error == "ProvisionedThroughputExceededException" || error == "ThrottlingException" ||
         error == "RequestLimitExceeded";
}

bool uses_items(std::string_view operation) {
  const Operation* const found = find_operation(operation);
  return found != nullptr && found->form != RequestForm::kResource;
}

// The part of a request's use that belongs to one of its accesses.
JournalRecord::Use use_of(const JournalRecord& record, const Access& access) {
  JournalRecord::Use use{record.read_units, record.write_units, record.plan.read,
                         record.plan.returned};
  if (!record.uses.empty()) use = record.uses[access.table];
  return use;
}

// The members of all accesses to the table of this one.
double members_of_table(const JournalRecord& record, const Access& access) {
  double members = 0;
  for (const Access& other : record.accesses) {
    if (other.table == access.table) members += other.members;
  }
  return members;
}

void count(const JournalRecord& record, const JournalRecord::Use& use, double share,
           AccessPattern& pattern) {
  const bool succeeded = record.status == 200;
  ++pattern.calls;
  pattern.errors += succeeded ? 0 : 1;
  pattern.throttles += !succeeded && is_throttle(record.error) ? 1 : 0;
  pattern.served += succeeded || use.read_units > 0 || use.write_units > 0 ? 1 : 0;
  pattern.items_read += share * static_cast<double>(use.items_read);
  pattern.items_returned += share * static_cast<double>(use.items_returned);
  pattern.read_units += share * use.read_units;
  pattern.write_units += share * use.write_units;
}

}  // namespace

std::string pattern_name(const PatternForm& form) {
  std::string name(form.operation);
  if (!form.verb.empty()) name.append(" ").append(form.verb);
  name.append(" ").append(form.table);
  if (!form.index.empty()) name.append("/").append(form.index);
  if (!form.key.empty()) name.append(": ").append(form.key);
  std::string more;
  const auto add = [&more](bool is_set, std::string_view word) {
    if (is_set) more.append(more.empty() ? "" : ", ").append(word);
  };
  add(form.reading.filters, "filter");
  add(form.reading.consistent, "consistent");
  add(form.reading.fetches, "fetch");
  if (!more.empty()) name.append(" (").append(more).append(")");
  return name;
}

void AccessPatterns::add(const JournalRecord& record) {
  if (!uses_items(record.operation) || record.accesses.empty()) {
    ++other_requests_;
    return;
  }
  ++requests_;
  for (std::size_t i = 0; i < record.accesses.size(); ++i) {
    const Access& access = record.accesses[i];
    const std::string& table = record.tables[access.table];
    if (!only_table_.empty() && table != only_table_) continue;
    const std::size_t place = find(pattern_form(record, access), record);
    const JournalRecord::Use use = use_of(record, access);
    const double share = access.members / members_of_table(record, access);
    count(record, use, share, place == kMost ? other_ : patterns_[place]);
    if (place != kMost) keys_.add(record, i, place, use, share / access.members);
  }
}

std::size_t AccessPatterns::find(const PatternForm& form, const JournalRecord& record) {
  const auto found = places_.find(form);
  if (found != places_.end()) return found->second;
  if (patterns_.size() == kMost) return kMost;
  places_.emplace(form, patterns_.size());
  patterns_.push_back({.form = form, .first = &record});
  return patterns_.size() - 1;
}

std::size_t AccessPatterns::place_of(const JournalRecord& record) const {
  if (record.accesses.empty()) return patterns_.size();
  const auto found = places_.find(pattern_form(record, record.accesses.front()));
  return found == places_.end() ? patterns_.size() : found->second;
}

}  // namespace magneto::api
