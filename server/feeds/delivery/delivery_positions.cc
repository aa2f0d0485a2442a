#include "server/feeds/delivery/delivery_positions.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "server/feeds/delivery/messages.h"

namespace magneto::server::feeds {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".position";
// Streams keep records for one day.
constexpr std::chrono::hours kKept{48};

}  // namespace

DeliveryPositions::DeliveryPositions(std::string folder, Warn warn)
    : folder_(std::move(folder)), warn_(std::move(warn)) {
  if (folder_.empty()) return;
  std::error_code error;
  const auto oldest = fs::file_time_type::clock::now() - kKept;
  fs::directory_iterator entry(folder_, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const bool is_old = entry->path().extension() == kSuffix &&
                        fs::last_write_time(entry->path(), ignored) < oldest && !ignored;
    if (is_old) fs::remove(entry->path(), ignored);
  }
}

std::string DeliveryPositions::path_of(const std::string& feed) const {
  return folder_ + "/" + feed + kSuffix;
}

std::uint64_t DeliveryPositions::load(const std::string& feed) const {
  const std::vector<std::uint64_t> positions = load_all(feed);
  return positions.size() == 1 ? positions.front() : 0;
}

std::vector<std::uint64_t> DeliveryPositions::load_all(const std::string& feed) const {
  if (folder_.empty()) return {};
  std::ifstream file(path_of(feed));
  std::string text;
  std::getline(file, text);
  std::vector<std::uint64_t> positions;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const auto [stop, error] = std::from_chars(at, end, positions.emplace_back());
    if (error != std::errc() || (stop != end && *stop != ' ')) return {};
    if (stop == end) return positions;
    at = stop + 1;
  }
}

void DeliveryPositions::store_all(const std::string& feed,
                                  std::span<const std::uint64_t> positions) {
  if (folder_.empty()) return;
  const std::string path = path_of(feed);
  const std::string fresh = path + ".new";
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!error) {
    std::ofstream file(fresh, std::ios::trunc);
    for (const std::uint64_t& position : positions) {
      file << (&position == positions.data() ? "" : " ") << position;
    }
    file << '\n';
    file.close();
    if (file.fail()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(fresh, path, error);
  if (error) warn_(messages::kUnwritablePosition(path, error.message()));
}

void DeliveryPositions::forget(const std::string& feed) {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove(path_of(feed), ignored);
}

}  // namespace magneto::server::feeds
