#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/insights/insights.h"
#include "storage/table/item_write.h"
#include "storage/table/table.h"

namespace magneto::api {

enum class KeyEvent : std::uint8_t { kAccess, kThrottle };

// The keys that one attempt to make a call used, for tables with contributor insights. They are
// passed to Insights when the attempt has ended, unless the call is repeated. An attempt that
// touches no such table costs next to nothing.
class KeyUsage {
 public:
  // `insights` must outlive this object.
  explicit KeyUsage(Insights& insights) : insights_(insights) {}
  KeyUsage(const KeyUsage&) = delete;
  KeyUsage& operator=(const KeyUsage&) = delete;

  // Whether to note used keys of the table, or of its index unless that is nullptr. Reads of local
  // indexes count for the table. Costs one load if insights are enabled nowhere in the table.
  static bool wants(const storage::Table& table, const storage::Index* index, KeyEvent event) {
    if (table.schema.contributor_insights.empty()) [[likely]] {
      return false;
    }
    return is_wanted(table, index, event);
  }

  // `attributes`: an item, an index entry, or the known part of a key. Notes nothing without a
  // partition key. Call this only if wants() returns true.
  void add(const storage::Table& table, const storage::Index* index, KeyEvent event,
           storage::ItemView attributes);
  // Takes only the attributes of the partition key, in schema order.
  void add(const storage::Table& table, const storage::Index* index, KeyEvent event,
           std::span<const storage::AttributeView> partition);

  // Counts the notes. Call this after the last attempt.
  void count() {
    if (noted_ != nullptr) [[unlikely]] {
      count_noted();
    }
  }

  // Returns the attributes of a noted key, in schema order.
  static std::vector<storage::AttributeView> attributes_of(std::string_view key);

  // The insights enabled for the table, or for its global index unless that is nullptr; nullptr if
  // there are none.
  static const storage::ContributorInsights* find(const storage::TableSchema& schema,
                                                  const storage::IndexSchema* index);
  Insights& insights() { return insights_; }

 private:
  struct Noted {
    std::vector<CountedKeys> places;
    std::vector<KeyUse> notes;
    std::string bytes;
  };

  static bool is_wanted(const storage::Table& table, const storage::Index* index, KeyEvent event);
  std::uint32_t place_of(const storage::Table& table, const storage::Index* index);
  void add_note(std::uint32_t place, KeyRule rule, std::size_t begin);
  void count_noted();

  Insights& insights_;
  std::unique_ptr<Noted> noted_;  // nullptr: no notes
};

// Notes the keys that a write used: of the item, and of the changed entries of global indexes. A
// write whose condition failed counts like the write that it would have made.
void record_written_keys(KeyUsage& notes, const storage::WriteOutcome& outcome,
                         storage::ItemView key);

}  // namespace magneto::api
