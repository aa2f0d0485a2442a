#include "storage/engine/rocksdb/wal_reservation.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "storage/engine/engine.h"
#include "storage/messages/directory_messages.h"
#include "storage/model/effort.h"

namespace magneto::storage {

namespace {

// The log's size for records of `bytes`: RocksDB cuts them into blocks of 32 KB with a header each.
constexpr std::uint64_t with_headers(std::uint64_t bytes) { return bytes + bytes / 1'024 + 64; }

// Removes the files whose path begins with `path`, except those with a number below `kept`.
void remove_segments(const std::filesystem::path& path, std::size_t kept) {
  const std::string name = path.filename().string();
  std::set<std::string> keep;
  for (std::size_t i = 0; i < kept; ++i) keep.insert(name + std::to_string(i));
  std::error_code error;
  std::filesystem::directory_iterator entry(path.parent_path(), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string found = entry->path().filename().string();
    if (found.starts_with(name) && !keep.contains(found)) ::unlink(entry->path().c_str());
  }
}

}  // namespace

WalReservation::WalReservation(std::string segment_path) : segment_path_(std::move(segment_path)) {
  remove_segments(segment_path_, kFewestSegments);
  while (is_supported_ && segments_.size() < wanted_segments_) {
    const int error = make_segment();
    is_supported_ = error != EOPNOTSUPP;
    if (error != 0 && is_supported_) {
      remove_segments(segment_path_, 0);
      throw EngineError(messages::space_not_allocated(path_of_segment(0),
                                                      std::generic_category().message(error)));
    }
  }
}

WalReservation::~WalReservation() { remove_segments(segment_path_, 0); }

WalReservation::Permit WalReservation::admit(std::uint64_t bytes, Purpose purpose) {
  if (!is_supported_) return Permit(this, 0);
  const Kept kept(purpose);
  const std::uint64_t share = kOneWrite + with_headers(bytes);
  if (fits(admitted_.fetch_add(share) + share, kept)) return Permit(this, share);
  release(share);
  return admit_slowly(share, kept);
}

bool WalReservation::fits(std::uint64_t admitted, Kept kept) const {
  const auto bytes = static_cast<std::int64_t>(admitted % kOneWrite);
  return admitted / kOneWrite + kept.segments <= segment_count_ && bytes + kept.room <= room_ &&
         bytes <= most_bytes_;
}

void WalReservation::release(std::uint64_t share) {
  admitted_.fetch_sub(share);
  if (waiting_ == 0) return;
  // a thread that checked before the release is waiting by now
  { const std::lock_guard lock(mutex_); }
  released_.notify_all();
}

WalReservation::Permit WalReservation::admit_slowly(std::uint64_t share, Kept kept) {
  const bool is_long = share % kOneWrite > kMostBytes;
  if (is_long) Effort::before_waiting();
  std::unique_lock lock(mutex_);
  ++waiting_;
  if (is_long && long_waiting_++ == 0) most_bytes_ = -1;
  Answer answer = try_to_admit(share, kept);
  while (answer == Answer::kWait) {
    if (!Effort::thread_may_wait()) {
      --waiting_;
      Effort::before_waiting();
      ++waiting_;
    }
    released_.wait(lock);
    answer = try_to_admit(share, kept);
  }
  if (is_long && --long_waiting_ == 0) {
    most_bytes_ = kMostBytes;
    released_.notify_all();
  }
  --waiting_;
  return Permit(answer == Answer::kAdmitted ? this : nullptr, share);
}

WalReservation::Answer WalReservation::try_to_admit(std::uint64_t share, Kept kept) {
  const std::uint64_t bytes = share % kOneWrite;
  if (long_waiting_ > 0 && bytes <= kMostBytes) return Answer::kWait;
  const std::uint64_t all = admitted_.fetch_add(share) + share;
  const std::size_t writes = std::min(all / kOneWrite, kMostSegments);
  wanted_segments_ = std::max(wanted_segments_, writes + kReservedSegments);
  replenish();
  if (fits(all, kept)) return Answer::kAdmitted;
  const bool is_alone = all == share;
  if (is_alone && make_room_for(bytes, kept)) return Answer::kAdmitted;
  admitted_.fetch_sub(share);
  return is_alone || segments_.size() <= kept.segments ? Answer::kFull : Answer::kWait;
}

// For a write that is admitted alone.
bool WalReservation::make_room_for(std::uint64_t bytes, Kept kept) {
  if (segments_.size() <= kept.segments) return false;
  const auto wanted = static_cast<std::int64_t>(bytes) + kept.room;
  if (room_ < wanted && !grow_current(static_cast<std::uint64_t>(wanted))) return false;
  const std::size_t last = segments_.size() - 1;  // the next to be taken
  if (segments_[last] < static_cast<std::uint64_t>(wanted)) {
    if (allocate_segment(last, static_cast<std::uint64_t>(wanted)) != 0) return false;
    segments_[last] = static_cast<std::uint64_t>(wanted);
  }
  return true;
}

std::uint64_t WalReservation::take_segment(const std::string& log_path) {
  const std::lock_guard lock(mutex_);
  if (segments_.empty()) return 0;
  const std::uint64_t allocated = segments_.back();
  segments_.pop_back();
  segment_count_ = segments_.size();
  return std::rename(path_of_segment(segments_.size()).c_str(), log_path.c_str()) == 0 ? allocated
                                                                                       : 0;
}

void WalReservation::set_current(PreallocatingLog& log, std::uint64_t allocated) {
  const std::lock_guard lock(mutex_);
  current_ = &log;
  room_ = static_cast<std::int64_t>(allocated);
  replenish();
}

void WalReservation::record_append(const PreallocatingLog& log, std::uint64_t bytes) {
  if (current_ != &log) return;
  const auto room = room_ -= static_cast<std::int64_t>(bytes);
  if (room >= static_cast<std::int64_t>(kAmple)) return;
  const std::lock_guard lock(mutex_);
  replenish();
}

void WalReservation::leave(const PreallocatingLog& log) {
  const std::lock_guard lock(mutex_);
  if (current_ != &log) return;
  current_ = nullptr;
  room_ = 0;
}

bool WalReservation::grow_current(std::uint64_t bytes) {
  PreallocatingLog* const log = current_;
  const std::uint64_t gained = log == nullptr ? 0 : log->allocate_ahead(bytes);
  room_ += static_cast<std::int64_t>(gained);
  return gained > 0;
}

void WalReservation::replenish() {
  while (segments_.size() < wanted_segments_ && make_segment() == 0) {
  }
  if (room_ < static_cast<std::int64_t>(kAmple)) grow_current(kAhead);
}

int WalReservation::make_segment() {
  const int error = allocate_segment(segments_.size(), kSegment);
  if (error != 0) return error;
  segments_.push_back(kSegment);
  segment_count_ = segments_.size();
  return 0;
}

int WalReservation::allocate_segment(std::size_t number, std::uint64_t bytes) const {
  const int file = ::open(path_of_segment(number).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  const auto size = static_cast<off_t>(bytes);
  const int error = ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size) == 0 ? 0 : errno;
  ::close(file);
  return error;
}

std::string WalReservation::path_of_segment(std::size_t number) const {
  return segment_path_ + std::to_string(number);
}

}  // namespace magneto::storage
