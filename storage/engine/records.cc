#include "storage/engine/records.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/engine/server_group.h"
#include "storage/model/effort.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

Records::Records(Engine& engine)
    : engine_(engine),
      tree_(engine.is_durable() ? engine.open_tree(ColumnFamily::kSystem, "") : nullptr) {}

PinnedValue Records::Change::get(std::string_view key) {
  return tree_ == nullptr ? PinnedValue() : scope_->get(*tree_, key);
}

void Records::announce(std::vector<std::string> keys) const {
  if (ServerGroup* const group = engine_.group()) group->announce(std::move(keys));
}

std::uint32_t Records::Change::next_number(std::string_view counter, std::uint32_t known) {
  std::uint32_t last = known;
  const PinnedValue stored = get(counter);
  if (stored.bytes().size() == sizeof last) last = std::max(last, read_uint32(stored.bytes()));
  const auto number = narrow<std::uint32_t>(std::uint64_t{last} + 1);
  std::string record;
  append_uint32(record, number);
  put(std::string(counter), std::move(record));
  return number;
}

void Records::Change::put(std::string key, std::string value) {
  if (tree_ != nullptr) batch_.put(tree_, std::move(key), std::move(value));
}

void Records::Change::remove(std::string key) {
  if (tree_ != nullptr) batch_.remove(tree_, std::move(key));
}

bool Records::change(std::vector<std::string> keys, Decide decide,
                     absl::FunctionRef<void()> done) const {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  for (;;) {
    Change change(tree_);
    if (are_stored()) change.scope_ = engine_.begin(views);
    if (!decide(change)) return false;
    if (!change.batch_.empty()) {
      if (change.scope_->commit(change.batch_) == CommitResult::kConflict) continue;
      Effort::record_change();
    }
    done();
    return true;
  }
}

}  // namespace magneto::storage
