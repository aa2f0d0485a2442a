#include "server/delivery/delivery_positions.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "server/delivery/messages.h"

namespace magneto::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".position";
// Records are kept for one.
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
  if (folder_.empty()) return 0;
  std::ifstream file(path_of(feed));
  std::string text;
  std::getline(file, text);
  std::uint64_t position = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, position);
  return error == std::errc() && stop == end ? position : 0;
}

void DeliveryPositions::store(const std::string& feed, std::uint64_t position) {
  if (folder_.empty()) return;
  const std::string path = path_of(feed);
  const std::string fresh = path + ".new";
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!error) {
    std::ofstream file(fresh, std::ios::trunc);
    file << position << '\n';
    file.close();
    if (file.fail()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(fresh, path, error);
  if (error) warn_(messages::unwritable_position(path, error.message()));
}

void DeliveryPositions::forget(const std::string& feed) {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove(path_of(feed), ignored);
}

}  // namespace magneto::server
