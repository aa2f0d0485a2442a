#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/notes.h"

namespace magneto::server::feeds {

// The bounds for a feed that continues in a stream. A stored position after `end` belongs to
// records that are gone: with the store's last moments, or through a restore of an earlier state.
// Then the feed continues at `end`. But if the position is also after `now`, the clock was set
// back. New records may then come before the position, so all are sent again from `begin` on.
struct PositionBounds {
  std::uint64_t begin;
  std::uint64_t end;  // of the stream
  std::uint64_t now;  // of records that are created now

  std::uint64_t go_on(std::uint64_t kept) const {
    if (kept <= end) return kept;
    return kept > now ? begin : end;
  }
};

// Reads the text of stored positions: one line, with a space between two of them. Ignores further
// lines. Returns nullopt if the line is damaged.
std::optional<std::vector<std::uint64_t>> parse_positions(std::string_view text);

// Stores how far each feed was sent, over restarts. The store has a note for each feed,
// "<folder>/<feed>.position". If a note is lost, damaged or cannot be written, records are sent
// again, but never left out. Thread-safe.
class DeliveryPositions {
 public:
  using Warn = std::function<void(std::string_view what)>;

  // With nullptr for `notes`, nothing is stored. Removes notes that were not written for two days.
  DeliveryPositions(std::shared_ptr<storage::Notes> notes, std::string folder, Warn warn);

  // Returns 0, the first position, if none is stored, or if the note is damaged, with a warning.
  // Throws storage::EngineError.
  std::uint64_t load(const std::string& feed) const;
  void store(const std::string& feed, std::uint64_t position) { store_all(feed, {&position, 1}); }
  // For a feed with several positions. Returns an empty list if none are stored, and `if_damaged`
  // alone if the note is damaged, with a warning. Throws storage::EngineError.
  std::vector<std::uint64_t> load_all(const std::string& feed, std::uint64_t if_damaged) const;
  void store_all(const std::string& feed, std::span<const std::uint64_t> positions);
  void forget(const std::string& feed);

 private:
  std::string name_of(const std::string& feed) const;
  void remove_old();

  const std::shared_ptr<storage::Notes> notes_;
  const std::string folder_;
  const Warn warn_;
};

}  // namespace magneto::server::feeds
