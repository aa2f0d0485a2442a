#include "storage/engine/postgres/read_queue.h"

#include "storage/model/effort.h"

namespace magneto::storage {

ReadQueue::ReadQueue(const RunRead& run, const Statements& statements)
    : run_(run), statements_(statements) {
  for (std::size_t i = 0; i < kTurns; ++i) add_turn();
}

void ReadQueue::read(ColumnFamily family, std::span<const std::string_view> keys,
                     std::span<FoundRow> rows) {
  Effort::before_waiting();
  Read read;
  read.family = family;
  read.keys = keys;
  read.rows = rows;
  wait_for(read);
}

void ReadQueue::take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) {
  const ColumnFamily family = read_of(waiting.front()).family;
  std::size_t keys = 0;
  std::erase_if(waiting, [&](Waiting* next) {
    if (read_of(next).family != family) return false;
    if (!group.empty() && keys + read_of(next).keys.size() > kGroupKeys) return false;
    keys += read_of(next).keys.size();
    group.push_back(next);
    return true;
  });
}

void ReadQueue::work(std::size_t /*turn*/, Group group) noexcept {
  try {
    read_group(group);
  } catch (...) {
    for (Waiting* const waiting : group) waiting->failure = std::current_exception();
  }
}

void ReadQueue::read_group(Group group) const {
  const Read& first = read_of(group.front());
  if (group.size() == 1) return read_rows(run_, statements_, first.family, first.keys, first.rows);
  std::vector<std::string_view> keys;
  for (Waiting* const waiting : group) {
    keys.insert(keys.end(), read_of(waiting).keys.begin(), read_of(waiting).keys.end());
  }
  Arguments arguments;
  arguments.add_array(keys);
  const FoundRows found(run_(statements_.read(first.family), arguments));
  for (Waiting* const waiting : group) {
    const Read& read = read_of(waiting);
    for (std::size_t i = 0; i < read.keys.size(); ++i) read.rows[i] = found.find(read.keys[i]);
  }
}

}  // namespace magneto::storage
