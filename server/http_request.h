#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::server {

enum class Method : std::uint8_t { kPost, kGet, kHead, kOptions, kOther };

// The parts of a request's head that matter here; other header fields are not kept.
enum class Field : std::uint8_t {
  kUri,  // path and query as sent
  kHost,
  kTarget,  // X-Amz-Target
  kContentType,
  kContentEncoding,
  kAcceptEncoding,
  kAuthorization,
  kAmzDate,    // X-Amz-Date
  kRegionSet,  // X-Amz-Region-Set
  kDate,
  kOrigin,
  kCorsHeaders,  // Access-Control-Request-Headers
  kCorsMethod,   // Access-Control-Request-Method
  kExpect,
};
inline constexpr std::size_t kFieldCount = 14;

// One request: its head and body. Made to be reused, so that a busy connection allocates nothing.
class HttpRequest {
 public:
  Method method = Method::kOther;
  bool http11 = true;
  bool keep_alive = true;
  std::string body;

  // The value without surrounding blanks; empty when the field is missing. Valid until clear().
  std::string_view get(Field field) const {
    const Span span = spans_[static_cast<std::size_t>(field)];
    return {text_.data() + span.offset, span.size};
  }
  bool has(Field field) const { return spans_[static_cast<std::size_t>(field)].present; }

  // Keeps a copy. The first value of a repeated field counts.
  void set(Field field, std::string_view value) {
    Span& span = spans_[static_cast<std::size_t>(field)];
    if (span.present) return;
    span = {text_.size(), value.size(), true};
    text_.append(value);
  }

  void remove(Field field) { spans_[static_cast<std::size_t>(field)] = {}; }

  // Memory it occupies; of a short body only what was written to.
  std::size_t bytes() const {
    return text_.capacity() + (body.size() <= kShortBody ? body.size() : body.capacity());
  }

  void clear() {
    method = Method::kOther;
    http11 = true;
    keep_alive = true;
    text_.clear();
    spans_ = {};
    body.clear();
  }

 private:
  static constexpr std::size_t kShortBody = 64 * 1024;

  struct Span {
    std::size_t offset = 0;
    std::size_t size = 0;
    bool present = false;
  };

  std::string text_;
  std::array<Span, kFieldCount> spans_{};
};

}  // namespace magneto::server
