#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "storage/engine/postgres/group_queue.h"
#include "storage/engine/postgres/postgres_reads.h"

namespace magneto::storage {

// Reads of rows by key. A statement reads the rows of all reads that wait: a row in a group of ten
// costs the database about a third of a row alone. Thread-safe.
class ReadQueue final : public GroupQueue {
 public:
  // More turns make smaller groups. With fewer of them, a read waits for longer.
  static constexpr std::size_t kTurns = 2;
  // A read that alone has more keys is a group of its own.
  static constexpr std::size_t kGroupKeys = 100;

  ReadQueue(const RunRead& run, const Statements& statements);

  // As ReadRows.
  void read(ColumnFamily family, std::span<const std::string_view> keys, std::span<FoundRow> rows);

 private:
  struct Read final : Waiting {
    ColumnFamily family = {};
    std::span<const std::string_view> keys = {};
    std::span<FoundRow> rows = {};
  };
  static Read& read_of(Waiting* waiting) { return static_cast<Read&>(*waiting); }

  void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) override;
  void work(std::size_t turn, Group group) noexcept override;
  void read_group(Group group) const;

  const RunRead& run_;
  const Statements& statements_;
};

}  // namespace magneto::storage
