#include "server/feeds/delivery/delivery_positions.h"

#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "server/feeds/delivery/messages.h"

namespace magneto::server::feeds {
namespace {

using Durability = storage::Notes::Durability;

constexpr std::int64_t kMaxSeconds = 48 * 60 * 60;  // streams keep records for half as long

std::int64_t seconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::floor<std::chrono::seconds>(since).count();
}

// The second line is the time of the write. Files of earlier versions had no second line.
std::string with_time(const std::string& positions) {
  return absl::StrCat(positions, "\n", seconds_now(), "\n");
}

}  // namespace

std::optional<std::vector<std::uint64_t>> parse_positions(std::string_view text) {
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return std::nullopt;
  std::vector<std::uint64_t> positions;
  const char* at = text.data();
  const char* const end = at + line;
  while (true) {
    const auto [stop, error] = std::from_chars(at, end, positions.emplace_back());
    if (error != std::errc() || (stop != end && *stop != ' ')) return std::nullopt;
    if (stop == end) return positions;
    at = stop + 1;
  }
}

DeliveryPositions::DeliveryPositions(std::shared_ptr<storage::Notes> notes, std::string folder,
                                     Warn warn)
    : notes_(std::move(notes)), folder_(std::move(folder)), warn_(std::move(warn)) {
  if (notes_ == nullptr) return;
  try {
    remove_old();
  } catch (const storage::EngineError&) {  // the next start tries again
  }
}

void DeliveryPositions::remove_old() {
  for (const std::string& name : notes_->names(folder_ + "/")) {
    const std::string text = notes_->get(name).value_or("");
    const std::size_t line = text.find('\n');
    if (line == std::string::npos) continue;  // damaged: load_all() warns
    std::int64_t written = 0;
    if (!absl::SimpleAtoi(text.substr(line), &written)) {
      notes_->put(name, with_time(text.substr(0, line)), Durability::kProcess);
    } else if (written < seconds_now() - kMaxSeconds) {
      notes_->remove(name, Durability::kProcess);
    }
  }
}

std::string DeliveryPositions::name_of(const std::string& feed) const {
  return absl::StrCat(folder_, "/", feed, ".position");
}

std::uint64_t DeliveryPositions::load(const std::string& feed) const {
  const std::vector<std::uint64_t> positions = load_all(feed, 0);
  return positions.size() == 1 ? positions.front() : 0;
}

std::vector<std::uint64_t> DeliveryPositions::load_all(const std::string& feed,
                                                       std::uint64_t if_damaged) const {
  if (notes_ == nullptr) return {};
  const std::string name = name_of(feed);
  const std::optional<std::string> text = notes_->get(name);
  if (!text) return {};
  if (auto positions = parse_positions(*text)) return *std::move(positions);
  warn_(messages::kDamagedPosition(name));
  return {if_damaged};
}

void DeliveryPositions::store_all(const std::string& feed,
                                  std::span<const std::uint64_t> positions) {
  if (notes_ == nullptr) return;
  try {
    notes_->put(name_of(feed), with_time(absl::StrJoin(positions, " ")), Durability::kProcess);
  } catch (const storage::EngineError& error) {
    warn_(messages::kUnwritablePosition(error.what()));
  }
}

void DeliveryPositions::forget(const std::string& feed) {
  if (notes_ == nullptr) return;
  try {
    notes_->remove(name_of(feed), Durability::kProcess);
  } catch (const storage::EngineError&) {  // a later start removes the old note
  }
}

}  // namespace magneto::server::feeds
