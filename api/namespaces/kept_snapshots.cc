#include "api/namespaces/kept_snapshots.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "api/messages/namespace_messages.h"
#include "api/namespaces/namespace_error.h"
#include "api/namespaces/namespace_name.h"

namespace magneto::api {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using SystemTime = std::chrono::system_clock::time_point;

// A note consists of lines with a word, a space and a value. Numbers are in milliseconds; only the
// frozen time is in microseconds.
constexpr std::string_view kOf = "namespace ";
constexpr std::string_view kCreated = "created ";
constexpr std::string_view kOffset = "offset ";
constexpr std::string_view kFrozenAt = "frozen ";

std::string note_of(const NamedSnapshot& snapshot) {
  const auto line = [](std::string_view word, const std::string& value) {
    return std::string(word) + value + "\n";
  };
  const auto created = std::chrono::floor<milliseconds>(snapshot.created.time_since_epoch());
  const auto offset = std::chrono::floor<milliseconds>(snapshot.contents.clock_offset);
  std::string note = line(kOf, snapshot.of) + line(kCreated, std::to_string(created.count())) +
                     line(kOffset, std::to_string(offset.count()));
  if (const auto& at = snapshot.contents.frozen_at) {
    const auto stood = std::chrono::floor<microseconds>(at->time_since_epoch());
    note += line(kFrozenAt, std::to_string(stood.count()));
  }
  return note;
}

// The value in that line; nullopt if there is none.
std::optional<std::string_view> find_line(std::string_view note, std::string_view word) {
  while (!note.empty()) {
    const std::string_view line = note.substr(0, note.find('\n'));
    if (line.starts_with(word)) return line.substr(word.size());
    note.remove_prefix(std::min(note.size(), line.size() + 1));
  }
  return std::nullopt;
}

std::optional<std::int64_t> find_number(std::string_view note, std::string_view word) {
  const std::optional<std::string_view> text = find_line(note, word);
  if (!text) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  const bool is_whole = error == std::errc() && end == text->data() + text->size();
  return is_whole ? std::optional(number) : std::nullopt;
}

// Whether a clock can show that time.
bool is_time(std::int64_t since_epoch, std::int64_t in_a_second) {
  using std::chrono::seconds;
  using storage::Clock;
  const auto first = std::chrono::floor<seconds>(Clock::kFirst.time_since_epoch()).count();
  const auto last = std::chrono::ceil<seconds>(Clock::kLast.time_since_epoch()).count();
  return since_epoch / in_a_second >= first && since_epoch / in_a_second <= last;
}

// nullptr if the note is invalid.
NamedSnapshotPtr read(const storage::SavedSnapshots::Saved& saved) {
  const auto of = find_line(saved.note, kOf);
  const auto created = find_number(saved.note, kCreated);
  const auto offset = find_number(saved.note, kOffset);
  const auto stood = find_number(saved.note, kFrozenAt);
  const bool is_whole = is_namespace_name(saved.name) && of && created && offset;
  if (!is_whole || !is_time(*created, milliseconds::period::den) ||
      !is_time(std::abs(*offset), milliseconds::period::den) ||
      (stood && !is_time(*stood, microseconds::period::den))) {
    return nullptr;
  }
  NamespaceSnapshot contents{.store = nullptr, .clock_offset = milliseconds(*offset)};
  if (stood) contents.frozen_at = storage::Clock::TimePoint(microseconds(*stood));
  return std::make_shared<const NamedSnapshot>(
      NamedSnapshot{.name = saved.name,
                    .of = std::string(*of),
                    .created = SystemTime(milliseconds(*created)),
                    .contents = std::move(contents),
                    .is_saved = true});
}

// Converts errors of the disk to NamespaceError.
template <typename Action>
auto on_disk(const Action& action) {
  try {
    return action();
  } catch (const storage::EngineError& error) {
    throw NamespaceError(NamespaceError::Kind::kFailed, error.what());
  }
}

}  // namespace

std::vector<NamedSnapshotPtr> KeptSnapshots::load() const {
  std::vector<NamedSnapshotPtr> found;
  for (const storage::SavedSnapshots::Saved& saved : saved_->list()) {
    NamedSnapshotPtr snapshot = found.size() < Snapshots::kMost ? read(saved) : nullptr;
    if (snapshot != nullptr) {
      found.push_back(std::move(snapshot));
    } else if (options_.report_warning) {
      options_.report_warning(messages::unusable_snapshot(saved.name));
    }
  }
  return found;
}

void KeptSnapshots::save(storage::Databases& main, const NamedSnapshot& snapshot) {
  on_disk([&] { storage::SavedSnapshots::save(main, snapshot.name, note_of(snapshot)); });
}

void KeptSnapshots::remove(const NamedSnapshot& snapshot) {
  storage::StoreSnapshotPtr closed;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  if (const auto found = open_.find(snapshot.name); found != open_.end()) {
    closed = found->second.lock();
    std::erase(last_used_, closed);
    open_.erase(found);
  }
  on_disk([&] { saved_->remove(snapshot.name); });
}

NamespaceSnapshot KeptSnapshots::open(const NamedSnapshot& snapshot) {
  storage::StoreSnapshotPtr closed;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  NamespaceSnapshot contents = snapshot.contents;
  if (const auto found = open_.find(snapshot.name); found != open_.end()) {
    contents.store = found->second.lock();
  }
  if (contents.store == nullptr) {
    std::erase_if(open_, [](const auto& open) { return open.second.expired(); });
    if (open_.size() >= kMostOpen) {
      throw NamespaceError(NamespaceError::Kind::kFull, messages::too_many_open(kMostOpen));
    }
    contents.store = on_disk([&] { return saved_->open(snapshot.name); });
    open_[snapshot.name] = contents.store;
  }
  std::erase(last_used_, contents.store);
  last_used_.push_back(contents.store);
  if (last_used_.size() > kMostIdle) {
    closed = std::move(last_used_.front());
    last_used_.pop_front();
  }
  return contents;
}

std::unique_ptr<storage::Databases> KeptSnapshots::restore(const NamedSnapshot& snapshot,
                                                           const storage::Clock& clock) {
  return on_disk([&] { return saved_->restore(snapshot.name, clock); });
}

}  // namespace magneto::api
