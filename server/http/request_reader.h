#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/http/message/http_request.h"

namespace magneto::server::http {

// AWS API reference, "Service, account, and table quotas": a request body has at most 16 MB.
inline constexpr std::size_t kMaxBodyBytes = 16 * 1024 * 1024;
// DynamoDB refuses longer heads with 400 (captured facts 2, HTTP): the request line, and the lines
// of all header fields together.
inline constexpr std::uint32_t kMaxRequestLineBytes = 16 * 1024;
inline constexpr std::uint32_t kMaxFieldsBytes = 16 * 1024;
// Includes the empty line at the end.
inline constexpr std::uint32_t kMaxHeadBytes = kMaxRequestLineBytes + kMaxFieldsBytes + 2;
// A JSON reader may read this many bytes past the body, so a body gets that much spare capacity.
inline constexpr std::size_t kBodySlack = 64;

// The HTTP status for a request that the reader refused with `error`.
int refusal_status(const boost::beast::error_code& error);

// Parses one request into `request`, which must outlive the reader. Use a new reader for each
// request. The length of the body must be unambiguous (RFC 9112, 6.3). The reader ignores the
// fields of a trailer.
class RequestReader final : public boost::beast::http::basic_parser<true> {
 public:
  explicit RequestReader(HttpRequest& request, bool keeps_fields = false)
      : request_(request), keeps_fields_(keeps_fields) {
    eager(true);
    // Beast also counts bytes that it has not parsed yet, so its count depends on how the bytes
    // arrive. This limit only bounds the memory.
    header_limit(kMaxHeadBytes);
    body_limit(kMaxBodyBytes);
  }

  enum class Progress : std::uint8_t { kNeedsMore, kWhole, kRefused };

  // Parses the bytes in the buffer, as far as the request has arrived.
  Progress take(boost::beast::flat_buffer& buffer);
  // Before a request's first byte: empty lines are ignored there (RFC 9112, 2.2).
  static void skip_empty_lines(boost::beast::flat_buffer& buffer);
  // The reason for a refusal.
  const boost::beast::error_code& error() const { return error_; }

  bool body_started() const { return body_started_; }
  // True once, when the client waits for "100 Continue" before it sends the body.
  bool wants_continue();

 private:
  using basic_parser::put;  // take() calls it
  using Verb = boost::beast::http::verb;
  using Name = boost::beast::http::field;
  using Text = boost::beast::string_view;
  using ErrorCode = boost::beast::error_code;

  void on_request_impl(Verb verb, Text method, Text uri, int version, ErrorCode& error) override;
  void on_response_impl(int status, Text reason, int version, ErrorCode& error) override;
  void on_field_impl(Name name, Text name_text, Text value, ErrorCode& error) override;
  void on_header_impl(ErrorCode& error) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>& size, ErrorCode& error) override;
  std::size_t on_body_impl(Text part, ErrorCode& error) override;
  void on_chunk_header_impl(std::uint64_t size, Text extensions, ErrorCode& error) override;
  std::size_t on_chunk_body_impl(std::uint64_t remaining, Text part, ErrorCode& error) override;
  void on_finish_impl(ErrorCode& error) override;

  std::size_t bytes_through(Text text) const;

  HttpRequest& request_;
  const bool keeps_fields_;
  const char* piece_ = nullptr;  // the bytes that are being parsed
  std::size_t done_ = 0;         // bytes of the request before `piece_`
  std::size_t line_bytes_ = 0;
  bool body_started_ = false;
  bool continued_ = false;
  ErrorCode error_;
};

}  // namespace magneto::server::http
