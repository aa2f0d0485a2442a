#include "storage/notes.h"

#include <mutex>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/engine/store_format.h"
#include "storage/messages/record_messages.h"

namespace magneto::storage {
namespace {

std::string note_key(std::string_view name) { return std::string(kNotePrefix).append(name); }

}  // namespace

Notes::Home Notes::home_in(std::shared_ptr<Engine> engine) {
  TreePtr tree = engine->open_tree(ColumnFamily::kSystem, std::string(kNotePrefix));
  return {std::move(engine), std::move(tree)};
}

std::vector<std::string> Notes::Home::names(std::string_view prefix) const {
  const std::string lower = note_key(prefix);
  const auto cursor = engine->scan(*tree, lower, prefix_successor(lower), Direction::kForward);
  std::vector<std::string> found;
  while (cursor->next()) found.emplace_back(cursor->key().substr(kNotePrefix.size()));
  return found;
}

std::optional<std::string> Notes::Home::get(std::string_view name) const {
  const PinnedValue value = engine->get(*tree, note_key(name));
  return value ? std::optional<std::string>(value.bytes()) : std::nullopt;
}

void Notes::Home::commit(WriteBatch& batch, Durability durability) const {
  if (durability == Durability::kPower) batch.set_synced();
  engine->commit(batch);
}

void Notes::Home::put(std::string_view name, std::string bytes, Durability durability) const {
  WriteBatch batch;
  batch.put(tree, note_key(name), std::move(bytes));
  commit(batch, durability);
}

Notes::Notes(std::shared_ptr<Engine> engine)
    : home_(home_in(std::move(engine))), count_(home_.names("").size()) {}

// Once for each engine, since an engine may have to wait for it.
void Notes::raise_format() const {
  if (has_format_) return;
  home_.engine->require_format(StoreFormat::kOfNotes);
  has_format_ = true;
}

bool Notes::is_durable() const {
  const std::shared_lock lock(mutex_);
  return home_.engine->is_durable();
}

std::optional<std::string> Notes::get(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  return home_.get(name);
}

std::vector<std::string> Notes::names(std::string_view prefix) const {
  const std::shared_lock lock(mutex_);
  return home_.names(prefix);
}

// False if no note has that name.
bool Notes::replace(std::string_view name, std::string& bytes, Durability durability) const {
  const std::shared_lock lock(mutex_);
  if (!home_.get(name)) return false;
  raise_format();
  home_.put(name, std::move(bytes), durability);
  return true;
}

void Notes::put(std::string_view name, std::string bytes, Durability durability) {
  if (name.empty() || name.size() > kMaxNameSize || bytes.size() > kMaxSize) {
    throw EngineError(messages::kNoteOutOfBounds);
  }
  if (replace(name, bytes, durability)) return;
  const std::lock_guard lock(mutex_);
  const bool is_new = !home_.get(name);
  if (is_new && home_.engine->group() != nullptr) {  // other servers make and remove notes too
    count_ = home_.names("").size();
  }
  if (is_new && count_ >= kMaxCount) throw EngineError(messages::kNoteOutOfBounds);
  raise_format();
  home_.put(name, std::move(bytes), durability);
  count_ += is_new ? 1 : 0;
}

void Notes::remove(std::string_view name, Durability durability) {
  const std::lock_guard lock(mutex_);
  if (!home_.get(name)) return;
  WriteBatch batch;
  batch.remove(home_.tree, note_key(name));
  home_.commit(batch, durability);
  if (count_ > 0) --count_;
}

void Notes::move_to(std::shared_ptr<Engine> engine, const std::function<void()>& make_current) {
  const std::lock_guard lock(mutex_);
  Home next = home_in(std::move(engine));
  if (count_ > 0) next.engine->require_format(StoreFormat::kOfNotes);
  WriteBatch batch;
  for (const std::string& name : next.names("")) batch.remove(next.tree, note_key(name));
  std::size_t bytes = 0;
  for (const std::string& name : home_.names("")) {
    if (bytes >= kMaxSize) {
      next.commit(batch, Durability::kProcess);
      batch.clear();
      bytes = 0;
    }
    std::string note = home_.get(name).value();
    bytes += note.size();
    batch.put(next.tree, note_key(name), std::move(note));
  }
  if (!batch.empty()) next.commit(batch, Durability::kPower);
  make_current();
  home_ = std::move(next);
  has_format_ = count_ > 0;
}

}  // namespace magneto::storage
