#pragma once

#include <string_view>
#include <utility>

namespace magneto::storage {

// Bytes read from an engine, kept alive without a copy. Movable; false if nothing was found.
class PinnedValue {
 public:
  using Release = void (*)(void* owner);

  PinnedValue() = default;
  PinnedValue(std::string_view bytes, void* owner, Release release)
      : bytes_(bytes), owner_(owner), release_(release) {}
  PinnedValue(PinnedValue&& other) noexcept { swap(other); }
  PinnedValue& operator=(PinnedValue&& other) noexcept {
    PinnedValue moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~PinnedValue() {
    if (release_ != nullptr) release_(owner_);
  }

  explicit operator bool() const { return bytes_.data() != nullptr; }
  std::string_view bytes() const { return bytes_; }

 private:
  void swap(PinnedValue& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(owner_, other.owner_);
    std::swap(release_, other.release_);
  }

  std::string_view bytes_;
  void* owner_ = nullptr;
  Release release_ = nullptr;
};

}  // namespace magneto::storage
