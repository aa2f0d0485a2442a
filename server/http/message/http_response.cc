#include "server/http/message/http_response.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "server/formats/body_encoding.h"
#include "server/system/random_bytes.h"

namespace magneto::server::http {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "200 OK";
    case 304:
      return "304 Not Modified";
    case 400:
      return "400 Bad Request";
    case 403:
      return "403 Forbidden";
    case 404:
      return "404 Not Found";
    case 405:
      return "405 Method Not Allowed";
    case 413:
      return "413 Request Entity Too Large";
    case 415:
      return "415 Unsupported Media Type";
    case 500:
      return "500 Internal Server Error";
    case 501:
      return "501 Not Implemented";
    case 503:
      return "503 Service Unavailable";
    default:
      return {};
  }
}

void append_length(std::uint64_t number, std::string& out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

void append_status_line(int status, std::string& head) {
  head.append("HTTP/1.1 ");
  if (const std::string_view reason = reason_of(status); !reason.empty()) {
    head.append(reason);
  } else {
    append_length(static_cast<std::uint64_t>(status), head);
    head.append(" Status");
  }
}

void append_cors(const HttpRequest& request, const HttpResponse& response, std::string& head) {
  head.append("Access-Control-Allow-Origin: ").append(response.allowed_origin).append("\r\n");
  if (response.allowed_origin != "*") head.append("Vary: Origin\r\n");
  if (!response.preflight) {
    head.append(
        "Access-Control-Expose-Headers: "
        "x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32,Content-Encoding,Date\r\n");
    return;
  }
  if (request.has(Field::kCorsHeaders)) {
    head.append("Access-Control-Allow-Headers: ").append(request.get(Field::kCorsHeaders));
    head.append("\r\n");
  }
  if (request.has(Field::kCorsMethod)) {
    head.append("Access-Control-Allow-Methods: ").append(request.get(Field::kCorsMethod));
    head.append("\r\n");
  }
  // Captured facts, error wire format; captured facts 2, HTTP.
  head.append(
      "Access-Control-Expose-Headers: "
      "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date\r\n"
      "Access-Control-Max-Age: 172800\r\n");
}

// Eight digits of a request id, 0 to 9 and A to V, from the lower 40 bits; one in each byte.
constexpr std::uint64_t eight_digits(std::uint64_t bits) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101ULL;
  // Five bits for each byte.
  bits = (bits & 0xF'FFFFULL) | (bits & 0xFF'FFF0'0000ULL) << 12;
  bits = (bits & 0x0000'03FF'0000'03FFULL) | (bits & 0x000F'FC00'000F'FC00ULL) << 6;
  bits = (bits & 0x001F'001F'001F'001FULL) | (bits & 0x03E0'03E0'03E0'03E0ULL) << 3;
  // The letters lie seven behind the digits.
  const std::uint64_t letters = (bits + kOnes * (0x80 - 10)) >> 7 & kOnes;
  return bits + kOnes * '0' + letters * ('A' - '9' - 1);
}

}  // namespace

void HttpResponse::clear() {
  status = 200;
  content_type = {};
  body.clear();
  allowed_origin = {};
  content_encoding = {};
  fields = {};
  preflight = close = retry = false;
  sdk_retry_after.reset();
  report.clear();
}

RequestIdSource::RequestIdSource() { system::fill_with_random_bytes(state_.data(), sizeof state_); }

RequestId RequestIdSource::next() {
  RequestId id;
  // The last eight digits overlap those before.
  constexpr std::size_t kLast = std::tuple_size_v<RequestId> - sizeof(std::uint64_t);
  for (std::size_t at = 0; at < kLast; at += sizeof(std::uint64_t)) {
    const std::uint64_t digits = eight_digits(next_random());
    std::memcpy(id.data() + at, &digits, sizeof digits);
  }
  const std::uint64_t last = eight_digits(next_random());
  std::memcpy(id.data() + kLast, &last, sizeof last);
  return id;
}

// xoshiro256++
std::uint64_t RequestIdSource::next_random() {
  const std::uint64_t random = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return random;
}

std::string_view DateHeader::now() {
  const std::time_t second = std::time(nullptr);
  if (second != second_) {
    second_ = second;
    std::tm parts{};
    gmtime_r(&second, &parts);
    std::strftime(text_.data(), text_.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  }
  return {text_.data(), 29};
}

void format_head(const HttpRequest& request, const HttpResponse& response,
                 std::string_view request_id, std::string_view date, std::string& head) {
  // Nearly every answer begins in the same way.
  constexpr std::string_view kBegin = "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: ";
  if (response.status == 200) {
    head.assign(kBegin);
  } else {
    head.clear();
    append_status_line(response.status, head);
    head.append("\r\nServer: Server\r\nDate: ");
  }
  head.append(date);
  if (!response.content_type.empty()) {
    head.append("\r\nContent-Type: ").append(response.content_type);
  }
  if (response.status != 304) {  // with 304 it would be the length of the body that is not sent
    head.append("\r\nContent-Length: ");
    append_length(response.body.size(), head);
  }
  if (response.close) {
    head.append("\r\nConnection: close");
  } else if (!request.http11) {
    head.append("\r\nConnection: keep-alive");
  }
  if (!response.content_encoding.empty()) {
    head.append("\r\nContent-Encoding: ").append(response.content_encoding);
  }
  if (response.retry) head.append("\r\nRetry-After: 1");
  if (response.sdk_retry_after) [[unlikely]] {
    head.append("\r\nx-amz-retry-after: ");
    append_length(static_cast<std::uint64_t>(response.sdk_retry_after->count()), head);
  }
  head.append("\r\nx-amzn-RequestId: ").append(request_id);
  if (!response.preflight) {
    head.append("\r\nx-amz-crc32: ");
    append_length(formats::body_checksum(response.body), head);
  }
  head.append("\r\n");
  if (!response.fields.empty()) head.append(response.fields);
  if (!response.allowed_origin.empty()) append_cors(request, response, head);
  head.append("\r\n");
}

}  // namespace magneto::server::http
