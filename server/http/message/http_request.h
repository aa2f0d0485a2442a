#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/signing/header_field.h"

namespace magneto::api {
class Namespace;
}  // namespace magneto::api

namespace magneto::server::system {
struct OwnPort;
}  // namespace magneto::server::system

namespace magneto::server::client {
struct Credential;
}  // namespace magneto::server::client

namespace magneto::server::http {

enum class Method : std::uint8_t { kPost, kGet, kHead, kOptions, kPut, kDelete, kOther };

// The parts of a request's head that the server uses. Other header fields are kept for signatures
// only.
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
  kNamespace,  // X-Magneto-Namespace
  kIfNoneMatch,
  kAccept,
  kProtocolVersion,  // MCP-Protocol-Version
};
inline constexpr std::size_t kFieldCount = 18;

// The signer of a request, once the signature was verified.
struct Signer {
  std::shared_ptr<const client::Credential> credential;  // nullptr if not verified
  std::string region;
};

// The head and body of one request. Reusable, so that a busy connection allocates nothing.
class HttpRequest {
 public:
  Method method = Method::kOther;
  bool http11 = true;
  bool keep_alive = true;
  std::string body;
  Signer signer;
  // The port of its own namespace that it came through, valid while its connection lives. Null for
  // the main port.
  const system::OwnPort* own_port = nullptr;
  // The namespace that was found for it, held until the request is answered. Null if none was
  // looked for.
  std::shared_ptr<api::Namespace> chosen;
  int descriptor = -1;  // of the connection

  // The value without surrounding blanks; empty if the field is missing. Valid until clear().
  std::string_view get(Field field) const {
    const Span span = spans_[static_cast<std::size_t>(field)];
    return {text_.data() + span.offset, span.size};
  }
  bool has(Field field) const { return spans_[static_cast<std::size_t>(field)].present; }

  // Copies the value. Of a repeated field, the first value counts.
  void set(Field field, std::string_view value) {
    Span& span = spans_[static_cast<std::size_t>(field)];
    if (span.present) return;
    span = {text_.size(), value.size(), true};
    text_.append(value);
  }

  void remove(Field field) { spans_[static_cast<std::size_t>(field)] = {}; }

  // Keeps a header field by its name, in addition to those of set().
  void keep(std::string_view name, std::string_view value) {
    kept_.push_back({text_.size(), name.size(), value.size()});
    text_.append(name).append(value);
  }
  // The fields of keep(), in their order. Valid until clear().
  std::vector<client::HeaderField> kept_fields() const {
    std::vector<client::HeaderField> fields;
    fields.reserve(kept_.size());
    for (const KeptSpan& kept : kept_) {
      const std::string_view text = std::string_view(text_).substr(kept.offset);
      fields.push_back({text.substr(0, kept.name), text.substr(kept.name, kept.value)});
    }
    return fields;
  }

  // Bytes of memory that it occupies. A short body counts with its size, a long one with its
  // capacity.
  std::size_t bytes() const {
    return text_.capacity() + kept_.capacity() * sizeof(KeptSpan) +
           (body.size() <= kShortBody ? body.size() : body.capacity());
  }

  void clear() {
    method = Method::kOther;
    http11 = true;
    keep_alive = true;
    text_.clear();
    spans_ = {};
    kept_.clear();
    signer.credential.reset();
    own_port = nullptr;
    chosen.reset();
    body.clear();
  }

 private:
  static constexpr std::size_t kShortBody = 64 * 1024;

  struct Span {
    std::size_t offset = 0;
    std::size_t size = 0;
    bool present = false;
  };

  struct KeptSpan {
    std::size_t offset = 0;
    std::size_t name = 0;   // bytes
    std::size_t value = 0;  // bytes, directly after the name
  };

  std::string text_;
  std::vector<KeptSpan> kept_;
  std::array<Span, kFieldCount> spans_{};
};

}  // namespace magneto::server::http
