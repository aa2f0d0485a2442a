#include "server/http/request_reader.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <optional>

#include "server/system/ignoring_case.h"

namespace magneto::server::http {
namespace {

namespace beast = boost::beast;
namespace beast_http = boost::beast::http;

// Memory for a body is allocated as its bytes arrive, not when its length is announced.
constexpr std::size_t kFirstReserve = 64 * 1024;
// The end of a request line: " HTTP/1.1" and CRLF.
constexpr std::size_t kVersionBytes = 11;
// The characters around a header field's name and value: ": " and CRLF.
constexpr std::size_t kFieldMarks = 4;

Method to_method(beast_http::verb verb) {
  switch (verb) {
    case beast_http::verb::post:
      return Method::kPost;
    case beast_http::verb::get:
      return Method::kGet;
    case beast_http::verb::head:
      return Method::kHead;
    case beast_http::verb::options:
      return Method::kOptions;
    case beast_http::verb::put:
      return Method::kPut;
    case beast_http::verb::delete_:
      return Method::kDelete;
    default:
      return Method::kOther;
  }
}

std::optional<Field> to_field(beast_http::field name, beast::string_view text) {
  switch (name) {
    case beast_http::field::host:
      return Field::kHost;
    case beast_http::field::content_type:
      return Field::kContentType;
    case beast_http::field::content_encoding:
      return Field::kContentEncoding;
    case beast_http::field::accept_encoding:
      return Field::kAcceptEncoding;
    case beast_http::field::authorization:
      return Field::kAuthorization;
    case beast_http::field::date:
      return Field::kDate;
    case beast_http::field::origin:
      return Field::kOrigin;
    case beast_http::field::access_control_request_headers:
      return Field::kCorsHeaders;
    case beast_http::field::access_control_request_method:
      return Field::kCorsMethod;
    case beast_http::field::expect:
      return Field::kExpect;
    case beast_http::field::if_none_match:
      return Field::kIfNoneMatch;
    case beast_http::field::accept:
      return Field::kAccept;
    case beast_http::field::unknown:
      if (system::equals_ignoring_case(text, "x-amz-target")) return Field::kTarget;
      if (system::equals_ignoring_case(text, "x-amz-date")) return Field::kAmzDate;
      if (system::equals_ignoring_case(text, "x-amz-region-set")) return Field::kRegionSet;
      if (system::equals_ignoring_case(text, "x-magneto-namespace")) return Field::kNamespace;
      if (system::equals_ignoring_case(text, "mcp-protocol-version")) {
        return Field::kProtocolVersion;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// Beast treats a body with an unknown coding as no body, so that its bytes would be the next
// request (RFC 9112, 11.2). Only "chunked" alone makes the end of a body clear. HTTP/1.0 has no
// such field (RFC 9112, 6.1).
beast::error_code check_transfer_encoding(beast::string_view value, bool http11) {
  constexpr beast::string_view kChunked = "chunked";
  if (!http11) return beast_http::error::bad_transfer_encoding;
  if (system::equals_ignoring_case(value, kChunked)) return {};
  const beast_http::token_list codings(value);
  const bool all_known = std::all_of(codings.begin(), codings.end(), [&](beast::string_view name) {
    return system::equals_ignoring_case(name, kChunked);
  });
  if (all_known) return beast_http::error::bad_transfer_encoding;
  return boost::system::errc::make_error_code(boost::system::errc::not_supported);
}

}  // namespace

int refusal_status(const beast::error_code& error) {
  if (error == beast_http::error::body_limit) return 413;
  // An unknown transfer coding (RFC 9112, 6.1).
  if (error == boost::system::errc::not_supported) return 501;
  return 400;
}

void RequestReader::skip_empty_lines(beast::flat_buffer& buffer) {
  while (buffer.size() > 0) {
    const char first = *static_cast<const char*>(buffer.cdata().data());
    if (first != '\r' && first != '\n') return;
    buffer.consume(1);
  }
}

RequestReader::Progress RequestReader::take(beast::flat_buffer& buffer) {
  while (buffer.size() > 0) {
    piece_ = static_cast<const char*>(buffer.cdata().data());
    const std::size_t size = put(buffer.cdata(), error_);
    done_ += size;
    buffer.consume(size);
    if (error_ == beast_http::error::need_more) break;
    if (error_) return Progress::kRefused;
    if (is_done()) return Progress::kWhole;
    if (size == 0) break;
  }
  if (buffer.size() <= kMaxHeadBytes) return Progress::kNeedsMore;
  // The head, a chunk's head or the trailer does not end.
  error_ = beast_http::error::header_limit;
  return Progress::kRefused;
}

bool RequestReader::wants_continue() {
  if (continued_ || !is_header_done() || body_started_ || !request_.http11) return false;
  continued_ = true;
  return system::equals_ignoring_case(request_.get(Field::kExpect), "100-continue");
}

// The number of bytes of the request up to the end of `text`, which must lie in `piece_`.
std::size_t RequestReader::bytes_through(Text text) const {
  return done_ + static_cast<std::size_t>(text.data() - piece_) + text.size();
}

void RequestReader::on_request_impl(Verb verb, Text, Text uri, int version, ErrorCode& error) {
  line_bytes_ = bytes_through(uri) + kVersionBytes;
  if (line_bytes_ > kMaxRequestLineBytes) {
    error = beast_http::error::header_limit;
    return;
  }
  request_.method = to_method(verb);
  request_.http11 = version >= 11;
  request_.set(Field::kUri, {uri.data(), uri.size()});
}

void RequestReader::on_response_impl(int, Text, int, ErrorCode&) {}

void RequestReader::on_field_impl(Name name, Text name_text, Text value, ErrorCode& error) {
  // Ignore the fields of a trailer: they come after the body that they would change.
  if (is_header_done()) return;
  if (bytes_through(name_text) + kFieldMarks + value.size() - line_bytes_ > kMaxFieldsBytes) {
    error = beast_http::error::header_limit;
    return;
  }
  if (keeps_fields_) {
    request_.keep({name_text.data(), name_text.size()}, {value.data(), value.size()});
  }
  if (name == Name::transfer_encoding) {
    error = check_transfer_encoding(value, request_.http11);
    return;
  }
  if (const std::optional<Field> field = to_field(name, name_text)) {
    // RFC 9112, 3.2: at most one Host.
    if (*field == Field::kHost && request_.has(Field::kHost)) error = beast_http::error::bad_field;
    request_.set(*field, {value.data(), value.size()});
  }
}

void RequestReader::on_header_impl(ErrorCode&) { request_.keep_alive = keep_alive(); }

void RequestReader::on_body_init_impl(const boost::optional<std::uint64_t>& size, ErrorCode&) {
  body_started_ = true;
  if (size) request_.body.reserve(std::min<std::size_t>(*size, kFirstReserve) + kBodySlack);
}

std::size_t RequestReader::on_body_impl(Text part, ErrorCode&) {
  request_.body.append(part.data(), part.size());
  return part.size();
}

void RequestReader::on_chunk_header_impl(std::uint64_t, Text, ErrorCode&) {}

std::size_t RequestReader::on_chunk_body_impl(std::uint64_t, Text part, ErrorCode& error) {
  return on_body_impl(part, error);
}

void RequestReader::on_finish_impl(ErrorCode&) {}

}  // namespace magneto::server::http
