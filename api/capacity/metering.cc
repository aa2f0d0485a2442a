#include "api/capacity/metering.h"

#include <utility>

namespace magneto::api {

namespace {

ConsumedCapacity capacity_of(const storage::WriteOutcome& outcome) {
  ConsumedCapacity capacity;
  if (outcome.rejected) {
    capacity.table = write_units(charged_write_size(outcome));
  } else {
    add_write(outcome, capacity);
  }
  return capacity;
}

}  // namespace

// Notes the key once for each table or index.
template <typename Key>
void Metering::record_each(const storage::Table& table, const Throttled& throttled,
                           const Key& key) const {
  if (keys_ == nullptr) return;
  const storage::Index* last = nullptr;
  bool is_first = true;
  for (const auto [index, limit] : throttled) {
    if (!is_first && index == last) continue;
    is_first = false;
    last = index;
    if (KeyUsage::wants(table, index, KeyEvent::kThrottle)) {
      keys_->add(table, index, KeyEvent::kThrottle, key);
    }
  }
}

void Metering::enforce(const storage::Table& table, UnitUse use, storage::ItemView key) const {
  const Throttled found = find_throttles(table, use, key);
  if (!found.empty()) throw throughput_exceeded(table, found, use);
}

void Metering::enforce(const storage::Table& table, const storage::Index* index, UnitUse use,
                       PartitionKey partition) const {
  const Throttled found = limiter_->throttled(table, index, use, digest_of(partition));
  if (found.empty()) return;
  if (!partition.empty()) record_each(table, found, partition);
  throw throughput_exceeded(table, found, use);
}

void Metering::read_item(const storage::Table& table, storage::ItemView key, std::size_t bytes,
                         double units) const {
  record_read(table, nullptr, key);
  consume_read(table, key, units);
  consume(table, {units, {}}, UnitUse::kRead, {1, bytes == 0 ? 0 : 1, bytes});
}

void Metering::read_page(const storage::Table& table, const storage::Index* index,
                         PartitionKey partition, const ConsumedCapacity& capacity,
                         const CallReport::Plan& plan) const {
  if (limiter_ != nullptr && !partition.empty()) {
    effort_.stay();
    limiter_->count_read(table, index, digest_of(partition), capacity.total());
  }
  consume(table, capacity, UnitUse::kRead, plan);
}

void Metering::wrote(const storage::WriteOutcome& outcome, storage::ItemView key) const {
  record_written(outcome, key);
  consume_written(outcome, key);
  if (report_ == nullptr && limiter_ == nullptr) return;
  consume(*outcome.table, capacity_of(outcome), UnitUse::kWrite);
}

Throttled Metering::find_throttles(const storage::Table& table, UnitUse use,
                                   storage::ItemView key) const {
  Throttled found =
      limiter_->throttled(table, nullptr, use, digest_of(table.schema.key.partition, key));
  record_each(table, found, key);
  return found;
}

Throttled Metering::find_read_throttles(const storage::Table& table) const {
  return limiter_->throttled(table, nullptr, UnitUse::kRead);
}

Throttled Metering::find_throttled_entries(const storage::Table& table,
                                           const storage::StoredItem& current,
                                           const storage::WriteDecision& decision) const {
  const bool puts = decision.kind == storage::WriteDecision::Kind::kPut;
  if (!puts && decision.kind != storage::WriteDecision::Kind::kDelete) return {};
  const storage::ItemView before = current.view();
  const storage::ItemView after = decision.item.view();
  Throttled found = limiter_->throttled_entries(table, before, after);
  // Usually the entry keeps its key. If it moves, the new entry is noted.
  if (!found.empty()) record_each(table, found, puts ? after : before);
  return found;
}

void Metering::record_throttled(const storage::Table& table, const Throttled& throttled,
                                storage::ItemView key) const {
  record_each(table, throttled, key);
}

void Metering::consume(const storage::Table& table, const ConsumedCapacity& capacity, UnitUse use,
                       const CallReport::Plan& plan) const {
  if (report_ != nullptr && use == UnitUse::kRead) {
    report_->add_read(table.schema.name, capacity.total(), plan);
  } else if (report_ != nullptr) {
    report_->add_written(table.schema.name, capacity.total());
  }
  if (limiter_ == nullptr) return;
  effort_.stay();
  limiter_->consume(table, capacity, use);
}

void Metering::consume_read(const storage::Table& table, storage::ItemView key,
                            double units) const {
  if (limiter_ == nullptr) return;
  effort_.stay();
  limiter_->count_read(table, nullptr, digest_of(table.schema.key.partition, key), units);
}

void Metering::consume_written(const storage::WriteOutcome& outcome, storage::ItemView key,
                               double table_factor) const {
  if (limiter_ == nullptr) return;
  effort_.stay();
  limiter_->count_write(outcome, key, table_factor);
}

storage::WriteDecision ThrottledWrite::operator()(const storage::StoredItem& current) const {
  storage::WriteDecision decision = write_.decide(current);
  found_ = metering_.find_throttled_entries(*write_.table, current, decision);
  return found_.empty() ? std::move(decision) : storage::WriteDecision::reject();
}

}  // namespace magneto::api
