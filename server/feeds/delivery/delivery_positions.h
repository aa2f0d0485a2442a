#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::feeds {

// Where in a stream a feed may go on. A kept position behind `end` is of records that are gone: with
// the store's last moments, or by a restore of what it was before. Then the feed goes on at `end`,
// unless the position lies behind `now` too, since the clock was set back. What was written since
// may lie before that position, and all is sent again, from `begin` on.
struct PositionBounds {
  std::uint64_t begin;
  std::uint64_t end;  // of the stream
  std::uint64_t now;  // of records that are made now

  std::uint64_t go_on(std::uint64_t kept) const {
    if (kept <= end) return kept;
    return kept > now ? begin : end;
  }
};

// How far each feed was sent, over restarts: a small file for each in a folder, replaced whole. One
// that is lost, or cannot be written, makes records be sent again, never left out. For one thread at
// a time.
class DeliveryPositions {
 public:
  using Warn = std::function<void(std::string_view what)>;

  // An empty folder: nothing is kept. Files that nobody has written for two days are removed.
  DeliveryPositions(std::string folder, Warn warn);

  // 0, the first, where none is kept.
  std::uint64_t load(const std::string& feed) const;
  void store(const std::string& feed, std::uint64_t position) { store_all(feed, {&position, 1}); }
  // Of a feed that has several; none where none are kept.
  std::vector<std::uint64_t> load_all(const std::string& feed) const;
  void store_all(const std::string& feed, std::span<const std::uint64_t> positions);
  void forget(const std::string& feed);

 private:
  std::string path_of(const std::string& feed) const;

  const std::string folder_;
  const Warn warn_;
};

}  // namespace magneto::server::feeds
