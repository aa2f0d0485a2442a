#include "server/request_reader.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <optional>

namespace magneto::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

// Memory for a body is taken as its bytes arrive, not when a length is announced.
constexpr std::size_t kFirstReserve = 64 * 1024;

Method to_method(http::verb verb) {
  switch (verb) {
    case http::verb::post:
      return Method::kPost;
    case http::verb::get:
      return Method::kGet;
    case http::verb::head:
      return Method::kHead;
    case http::verb::options:
      return Method::kOptions;
    default:
      return Method::kOther;
  }
}

std::optional<Field> to_field(http::field name, beast::string_view text) {
  switch (name) {
    case http::field::content_type:
      return Field::kContentType;
    case http::field::content_encoding:
      return Field::kContentEncoding;
    case http::field::accept_encoding:
      return Field::kAcceptEncoding;
    case http::field::authorization:
      return Field::kAuthorization;
    case http::field::date:
      return Field::kDate;
    case http::field::origin:
      return Field::kOrigin;
    case http::field::access_control_request_headers:
      return Field::kCorsHeaders;
    case http::field::access_control_request_method:
      return Field::kCorsMethod;
    case http::field::expect:
      return Field::kExpect;
    case http::field::unknown:
      if (beast::iequals(text, "x-amz-target")) return Field::kTarget;
      if (beast::iequals(text, "x-amz-date")) return Field::kAmzDate;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

void RequestReader::on_request_impl(Verb verb, Text, Text uri, int version, ErrorCode&) {
  request_.method = to_method(verb);
  request_.http11 = version >= 11;
  request_.set(Field::kUri, {uri.data(), uri.size()});
}

void RequestReader::on_response_impl(int, Text, int, ErrorCode&) {}

void RequestReader::on_field_impl(Name name, Text name_text, Text value, ErrorCode&) {
  if (const std::optional<Field> field = to_field(name, name_text)) {
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

}  // namespace magneto::server
