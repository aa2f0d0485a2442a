#include "storage/engine/overlay/overlay_cursor.h"

#include <string>
#include <utility>

#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

// Removed keys that one step skips at most on a thread that must not work long.
constexpr int kShortRunOfRemoved = 512;

// Counts skipped keys. On a thread that must not take long, throws NeedsWorker after a long run of
// removed keys.
class Passed {
 public:
  void count() {
    if (++passed_ > kShortRunOfRemoved) Effort::before_waiting();
  }

 private:
  int passed_ = 0;
};

class OwnCursor final : public Cursor {
 public:
  explicit OwnCursor(std::unique_ptr<RecordCursor> own) : own_(std::move(own)) {}

  bool next() override {
    Passed passed;
    while (own_->next()) {
      if (!own_->is_tombstone()) return true;
      passed.count();
    }
    return false;
  }
  std::string_view key() const override { return own_->key(); }
  std::string_view value() const override { return own_->value(); }

 private:
  const std::unique_ptr<RecordCursor> own_;
};

class OverlayCursor final : public Cursor {
 public:
  OverlayCursor(std::unique_ptr<RecordCursor> own, std::unique_ptr<Cursor> below,
                Direction direction)
      : own_(std::move(own)),
        below_(std::move(below)),
        is_forward_(direction == Direction::kForward) {}

  bool next() override {
    Passed passed;
    while (advance()) {
      if (!at_own_ || !own_->is_tombstone()) return true;
      passed.count();
    }
    return false;
  }
  std::string_view key() const override { return at_own_ ? own_key_ : below_->key(); }
  std::string_view value() const override { return at_own_ ? own_->value() : below_->value(); }

 private:
  // Moves to the next key of either cursor.
  bool advance() {
    if (!is_started_ || at_own_) step_own();
    if (!is_started_ || !at_own_ || at_both_) has_below_ = below_->next();
    is_started_ = true;
    at_both_ = false;
    if (!has_own_ || !has_below_) {
      at_own_ = has_own_;
      return has_own_ || has_below_;
    }
    const int order = own_key_.compare(below_->key());
    at_both_ = order == 0;
    at_own_ = at_both_ || (order < 0) == is_forward_;
    return true;
  }
  void step_own() {
    has_own_ = own_->next();
    if (has_own_) own_key_ = own_->key();
  }

  const std::unique_ptr<RecordCursor> own_;
  const std::unique_ptr<Cursor> below_;
  const bool is_forward_;
  std::string own_key_;
  bool is_started_ = false;
  bool has_own_ = false;
  bool has_below_ = false;
  bool at_own_ = false;
  bool at_both_ = false;
};

}  // namespace

std::unique_ptr<Cursor> make_overlay_cursor(std::unique_ptr<RecordCursor> own,
                                            std::unique_ptr<Cursor> below, Direction direction) {
  return std::make_unique<OverlayCursor>(std::move(own), std::move(below), direction);
}

std::unique_ptr<Cursor> make_overlay_cursor(std::unique_ptr<RecordCursor> own) {
  return std::make_unique<OwnCursor>(std::move(own));
}

}  // namespace magneto::storage
