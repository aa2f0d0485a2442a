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

// The keys that one attempt to make a call used, where contributor insights are enabled: told to
// Insights when it has ended, unless it is to be made again. An attempt that meets no such table costs
// next to nothing.
class KeyNotes {
 public:
  // `insights` outlives it.
  explicit KeyNotes(Insights& insights) : insights_(insights) {}
  KeyNotes(const KeyNotes&) = delete;
  KeyNotes& operator=(const KeyNotes&) = delete;

  // Whether keys used of the table, or of its index unless that is nullptr, are to be noted: what is
  // read of local indexes counts for the table. One load where nothing of the table is.
  static bool wants(const storage::Table& table, const storage::Index* index, KeyEvent event) {
    if (table.schema.contributor_insights.empty()) [[likely]] {
      return false;
    }
    return is_wanted(table, index, event);
  }

  // `attributes`: an item, an entry of the index, or as much of a key as is known. Without a
  // partition key nothing is noted. To be called where wants() says so.
  void add(const storage::Table& table, const storage::Index* index, KeyEvent event,
           storage::ItemView attributes);
  // The same with the attributes of the partition key alone, in their order.
  void add(const storage::Table& table, const storage::Index* index, KeyEvent event,
           std::span<const storage::AttributeView> partition);

  // The attempt is the last one.
  void count() {
    if (noted_ != nullptr) [[unlikely]] {
      count_noted();
    }
  }

  // Calls `found` with the attributes of a key as it was noted, in the order of the schema.
  static std::vector<storage::AttributeView> attributes_of(std::string_view key);

  // The insights enabled for the table, or for its global index unless that is nullptr; nullptr:
  // none.
  static const storage::ContributorInsights* find(const storage::TableSchema& schema,
                                                  const storage::IndexSchema* index);
  Insights& insights() { return insights_; }

 private:
  struct Noted {
    std::vector<CountedKeys> places;
    std::vector<KeyNote> notes;
    std::string bytes;
  };

  static bool is_wanted(const storage::Table& table, const storage::Index* index, KeyEvent event);
  std::uint32_t place_of(const storage::Table& table, const storage::Index* index);
  void add_note(std::uint32_t place, KeyRule rule, std::size_t begin);
  void count_noted();

  Insights& insights_;
  std::unique_ptr<Noted> noted_;  // nullptr: nothing
};

// What a write did to the item of this key, or a write whose condition failed would have done, and
// to entries of global indexes.
void note_written_keys(KeyNotes& notes, const storage::WriteOutcome& outcome,
                       storage::ItemView key);

}  // namespace magneto::api
