#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace magneto::server {

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
  void store(const std::string& feed, std::uint64_t position);
  void forget(const std::string& feed);

 private:
  std::string path_of(const std::string& feed) const;

  const std::string folder_;
  const Warn warn_;
};

}  // namespace magneto::server
