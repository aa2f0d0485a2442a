#include "storage/engine/cache/resident_cursor.h"

#include <string>
#include <utility>

namespace magneto::storage {
namespace {

using ScanDisk = std::function<std::unique_ptr<Cursor>(std::string_view, std::string_view)>;

class ResidentCursor final : public Cursor {
 public:
  ResidentCursor(const ResidentCopy& copy, std::string_view prefix, std::string_view lower,
                 std::string_view upper, Direction direction, ScanDisk scan_disk)
      : lower_(lower),
        upper_(upper),
        direction_(direction),
        scan_disk_(std::move(scan_disk)),
        copy_(copy.records(), prefix, KeySpan(prefix, lower, upper), direction) {}

  bool next() override {
    if (disk_ == nullptr) {
      if (copy_.next()) return true;
      if (!copy_.is_cut_off()) return false;
      const std::string& last = copy_.last_key();
      if (!last.empty() && direction_ == Direction::kForward) lower_ = last + '\0';
      if (!last.empty() && direction_ == Direction::kBackward) upper_ = last;
      disk_ = scan_disk_(lower_, upper_);
    }
    return disk_->next();
  }

  std::string_view key() const override { return disk_ == nullptr ? copy_.key() : disk_->key(); }
  std::string_view value() const override {
    return disk_ == nullptr ? copy_.value() : disk_->value();
  }

 private:
  std::string lower_;
  std::string upper_;
  const Direction direction_;
  const ScanDisk scan_disk_;
  MemoryCursor copy_;
  std::unique_ptr<Cursor> disk_;
};

}  // namespace

std::unique_ptr<Cursor> make_resident_cursor(const ResidentCopy& copy, std::string_view prefix,
                                             std::string_view lower, std::string_view upper,
                                             Direction direction, ScanDisk scan_disk) {
  return std::make_unique<ResidentCursor>(copy, prefix, lower, upper, direction,
                                          std::move(scan_disk));
}

}  // namespace magneto::storage
