#include "storage/engine/cache/resident_copies.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace magneto::storage {

namespace {

// What a record takes: itself, its place in a node that is half to wholly full, and the allocator's
// own bytes.
std::int64_t footprint(const Record& record) {
  constexpr std::size_t kOverhead = sizeof(Record) + 32;
  return static_cast<std::int64_t>(kOverhead + record.key().size() + record.value().size());
}

}  // namespace

ResidentCopy::ResidentCopy(std::shared_ptr<ResidentCopies> copies, std::string_view prefix)
    : copies_(std::move(copies)), records_(prefix, copies_->pool()) {
  records_.set_closed(true);
}

ResidentCopy::~ResidentCopy() {
  if (bytes_ > 0) ++copies_->room_made_;
  count(-bytes_);
}

std::optional<StoredValue> ResidentCopy::get(std::string_view key) const {
  if (!is_resident()) return std::nullopt;
  const std::optional<Record*> record = records_.find(key);
  if (!record) return std::nullopt;
  return value_of(*record);
}

bool ResidentCopy::wants_load() {
  const std::uint32_t now = copies_->room_made_.load(std::memory_order_relaxed);
  return requested_at_.load(std::memory_order_relaxed) != now && requested_at_.exchange(now) != now;
}

void ResidentCopy::clear() {
  std::unique_lock lock(records_.mutex());
  if (bytes_ > 0) ++copies_->room_made_;
  if (state(word_) == kLoading) set_state(kAway);
  const RecordTree dropped = records_.take_all();
  count(-bytes_);
  lock.unlock();
}

bool ResidentCopy::begin_loading() {
  std::uint32_t idle = kAway;
  return word_.compare_exchange_strong(idle, kLoading);
}

void ResidentCopy::set_state(State state_now) {
  word_ += state_now - state(word_);
  records_.set_closed(state_now != kResident);
  if (state_now != kLoading) removed_while_loading_.clear();
  if (state_now != kAway) return;
  copies_->free_later(records_.take_all());
  count(-bytes_);
}

void ResidentCopy::put(Record* record, Record*& replaced) {
  std::int64_t added = footprint(*record);
  replaced = records_.put(record);
  if (replaced != nullptr) added -= footprint(*replaced);
  count(added);
}

void ResidentCopy::remove(std::string_view key, Record*& removed) {
  if (state(word_) == kLoading) removed_while_loading_.emplace(key);
  removed = records_.remove(key);
  if (removed != nullptr) count(-footprint(*removed));
}

void ResidentCopy::count(std::int64_t bytes) {
  bytes_ += bytes;
  copies_->bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

// While a tree of the batch is on disk alone, or loading, readers of the others wait until the
// commit is through in both places: what is read on disk must not be newer than what is read after
// it in memory.
void ResidentCommit::enter() {
  bool is_all_resident = true;
  const std::span<const WriteBatch::Operation> operations = batch_.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    ResidentCopy* copy = copies_[i];
    records_.push_back(nullptr);
    if (copy == nullptr) continue;
    ResidentCopy::State state = ResidentCopy::state(copy->word_);
    if (std::find(entered_.begin(), entered_.end(), copy) == entered_.end()) {
      state = ResidentCopy::state(copy->word_.fetch_add(ResidentCopy::kCommit));
      entered_.push_back(copy);
    }
    is_all_resident &= state == ResidentCopy::kResident;
    if (state != ResidentCopy::kAway && !operations[i].is_delete) {
      records_[i] = copy->records_.make_record(operations[i].key, operations[i].value);
    }
  }
  if (!is_all_resident) lock_for_commit();
}

void ResidentCommit::lock_for_commit() {
  MemoryTreeLocks::Trees trees = this->trees();
  if (trees.empty()) return;
  if (waits_) {
    kept_off_ = trees;
    for (MemoryTree* tree : kept_off_) tree->add_waiting_writer();
  }
  locks_.emplace(std::move(trees));
}

// The copies that may hold something; which do is decided under their locks.
MemoryTreeLocks::Trees ResidentCommit::trees() const {
  MemoryTreeLocks::Trees trees;
  for (ResidentCopy* copy : entered_) {
    if (ResidentCopy::state(copy->word_) != ResidentCopy::kAway) trees.push_back(&copy->records_);
  }
  return trees;
}

// No copy that was away when the commit entered can have begun to load since.
void ResidentCommit::apply() {
  if (!locks_) {
    MemoryTreeLocks::Trees trees = this->trees();
    if (trees.empty()) return;
    locks_.emplace(std::move(trees));
  }
  const std::span<const WriteBatch::Operation> operations = batch_.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    ResidentCopy* copy = copies_[i];
    if (copy == nullptr || ResidentCopy::state(copy->word_) == ResidentCopy::kAway) continue;
    if (operations[i].is_delete) {
      copy->remove(operations[i].key, records_[i]);
    } else {
      copy->put(std::exchange(records_[i], nullptr), records_[i]);
    }
  }
}

ResidentCommit::~ResidentCommit() {
  locks_.reset();
  for (MemoryTree* tree : kept_off_) tree->remove_waiting_writer();
  for (Record* record : records_) {
    if (record != nullptr) record->release();
  }
  for (ResidentCopy* copy : entered_) {
    if (copy->is_resident() && copy->copies_->is_over_budget()) copy->copies_->give_up(*copy);
    copy->word_.fetch_sub(ResidentCopy::kCommit);
  }
}

ResidentCopies::ResidentCopies(std::uint64_t budget, Source source)
    : budget_(static_cast<std::int64_t>(budget)),
      source_(std::move(source)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void ResidentCopies::request(std::weak_ptr<Tree> tree) {
  {
    std::lock_guard lock(mutex_);
    requested_.push_back(std::move(tree));
  }
  changed_.notify_all();
}

void ResidentCopies::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return requested_.empty() && !is_loading_; });
}

void ResidentCopies::stop() {
  thread_.request_stop();
  thread_.join();
}

void ResidentCopies::give_up(ResidentCopy& copy) {
  std::lock_guard lock(copy.records_.mutex());
  if (ResidentCopy::state(copy.word_) != ResidentCopy::kAway) copy.set_state(ResidentCopy::kAway);
}

void ResidentCopies::free_later(RecordTree contents) {
  {
    std::lock_guard lock(mutex_);
    dropped_.push_back(std::move(contents));
  }
  changed_.notify_all();
}

void ResidentCopies::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return !requested_.empty() || !dropped_.empty(); };
  while (changed_.wait(lock, stop, has_work)) {
    std::vector<RecordTree> dropped = std::exchange(dropped_, {});
    std::weak_ptr<Tree> requested;
    if (!requested_.empty()) {
      requested = std::move(requested_.back());
      requested_.pop_back();
      is_loading_ = true;
    }
    lock.unlock();
    dropped.clear();
    if (const TreePtr tree = requested.lock()) load(*tree, stop);
    lock.lock();
    is_loading_ = false;
    changed_.notify_all();
  }
}

// What cannot be read stays away: whoever reads it on disk is told why.
void ResidentCopies::load(Tree& tree, const std::stop_token& stop) {
  constexpr int kAttempts = 200;
  constexpr std::chrono::milliseconds kPause(1);
  ResidentCopy& copy = *source_.copy_of(tree);
  const auto size = static_cast<std::int64_t>(source_.estimate(tree));
  if (bytes_.load(std::memory_order_relaxed) + size > budget_) return;
  for (int attempt = 0; !copy.begin_loading(); ++attempt) {
    const bool is_away = ResidentCopy::state(copy.word_) == ResidentCopy::kAway;
    if (!is_away || stop.stop_requested()) return;
    if (attempt == kAttempts) {
      copy.requested_at_ = 0;
      return;
    }
    std::this_thread::sleep_for(kPause);
  }
  try {
    const std::unique_ptr<Cursor> cursor = source_.scan(tree);
    while (load_chunk(copy, *cursor)) {
      if (stop.stop_requested() || is_over_budget()) return give_up(copy);
    }
  } catch (const EngineError&) {
    give_up(copy);
  }
}

// False when the load has ended: the copy is resident, does not fit, or was emptied meanwhile. What
// commits have put or removed since the load began is newer than what the cursor finds.
bool ResidentCopies::load_chunk(ResidentCopy& copy, Cursor& cursor) {
  constexpr std::size_t kChunk = 256;
  std::vector<std::pair<std::string, Record*>> chunk;
  bool at_end = false;
  while (chunk.size() < kChunk && !at_end) {
    at_end = !cursor.next();
    if (at_end) break;
    chunk.emplace_back(cursor.key(), copy.records_.make_record(cursor.key(), cursor.value()));
  }
  std::vector<Record*> dropped;
  bool goes_on = !at_end;
  {
    std::lock_guard lock(copy.records_.mutex());
    const bool is_loading = ResidentCopy::state(copy.word_) == ResidentCopy::kLoading;
    for (auto& [key, record] : chunk) {
      if (!is_loading || copy.records_.contains(key) || copy.removed_while_loading_.contains(key)) {
        dropped.push_back(record);
      } else {
        Record* replaced = nullptr;
        copy.put(record, replaced);
      }
    }
    if (!is_loading) goes_on = false;
    if (is_loading && at_end) {
      copy.set_state(is_over_budget() ? ResidentCopy::kAway : ResidentCopy::kResident);
    }
  }
  for (Record* record : dropped) record->release();
  return goes_on;
}

}  // namespace magneto::storage
