#include "storage/engine/cache/cache_cursor.h"

#include <string>

namespace magneto::storage {
namespace {

class CacheCursor final : public Cursor {
 public:
  CacheCursor(const Engine& below, const Tree& tree, const CachedPartition& partition,
              std::string_view lower, std::string_view upper, Direction direction, ScanHint hint)
      : below_(below),
        tree_(tree),
        lower_(lower),
        upper_(upper),
        direction_(direction),
        hint_(hint),
        cached_(partition.records(), tree.prefix(), KeySpan(tree.prefix(), lower, upper), direction,
                hint) {}

  bool next() override {
    if (rest_ == nullptr) {
      if (cached_.next()) return true;
      if (!cached_.is_cut_off()) return false;
      const std::string& last = cached_.last_key();
      if (!last.empty() && direction_ == Direction::kForward) lower_ = last + '\0';
      if (!last.empty() && direction_ == Direction::kBackward) upper_ = last;
      rest_ = below_.scan(tree_, lower_, upper_, direction_, hint_);
    }
    return rest_->next();
  }

  std::string_view key() const override { return rest_ == nullptr ? cached_.key() : rest_->key(); }
  std::string_view value() const override {
    return rest_ == nullptr ? cached_.value() : rest_->value();
  }

 private:
  const Engine& below_;
  const Tree& tree_;
  std::string lower_;
  std::string upper_;
  const Direction direction_;
  const ScanHint hint_;
  MemoryCursor cached_;
  std::unique_ptr<Cursor> rest_;  // below, once the partition is evicted
};

}  // namespace

std::unique_ptr<Cursor> make_cache_cursor(const Engine& below, const Tree& tree,
                                          const CachedPartition& partition, std::string_view lower,
                                          std::string_view upper, Direction direction,
                                          ScanHint hint) {
  return std::make_unique<CacheCursor>(below, tree, partition, lower, upper, direction, hint);
}

}  // namespace magneto::storage
