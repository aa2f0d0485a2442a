#pragma once

#include <string_view>
#include <utility>

namespace magneto::storage {

// Bytes read from an engine, kept alive without a copy. Movable; false when nothing was found.
class StoredValue {
 public:
  using Release = void (*)(void* owner);

  StoredValue() = default;
  StoredValue(std::string_view bytes, void* owner, Release release)
      : bytes_(bytes), owner_(owner), release_(release) {}
  StoredValue(StoredValue&& other) noexcept { swap(other); }
  StoredValue& operator=(StoredValue&& other) noexcept {
    StoredValue moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~StoredValue() {
    if (release_ != nullptr) release_(owner_);
  }

  explicit operator bool() const { return bytes_.data() != nullptr; }
  std::string_view bytes() const { return bytes_; }

 private:
  void swap(StoredValue& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(owner_, other.owner_);
    std::swap(release_, other.release_);
  }

  std::string_view bytes_;
  void* owner_ = nullptr;
  Release release_ = nullptr;
};

}  // namespace magneto::storage
