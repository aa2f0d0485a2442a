#include "server/client/endpoint/answer_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <system_error>

#include "server/formats/body_encoding.h"

namespace magneto::server::client {
namespace {

constexpr std::string_view kChecksumField = "X-Amz-Crc32";

}  // namespace

AnswerParser::AnswerParser(AnswerBody& body, std::size_t longest_body) : body_(body) {
  eager(true);
  body_limit(longest_body);
}

std::size_t AnswerParser::feed(std::string_view bytes, ErrorCode& error) {
  const std::size_t used = put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (error == boost::beast::http::error::need_more) error = {};
  return used;
}

void AnswerParser::end(ErrorCode& error) {
  if (got_some()) {
    put_eof(error);
  } else {
    error = boost::beast::http::error::end_of_stream;
  }
}

// AWS sends a checksum of the body.
bool AnswerParser::has_other_checksum() const {
  if (!has_checksum_) return false;
  const std::string_view text = answer_.field(kChecksumField);
  std::uint32_t told = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), told);
  return error != std::errc() || end != text.data() + text.size() || told != checksum_;
}

void AnswerParser::on_response_impl(int code, Text, int, ErrorCode&) { answer_.status = code; }

void AnswerParser::on_field_impl(Field, Text name, Text value, ErrorCode&) {
  answer_.fields.push_back({std::string(name), std::string(value)});
}

void AnswerParser::on_body_init_impl(const boost::optional<std::uint64_t>& size, ErrorCode&) {
  has_checksum_ = !answer_.field(kChecksumField).empty();
  if (!is_interim()) body_.begin(size.value_or(0));
}

std::size_t AnswerParser::on_body_impl(Text bytes, ErrorCode&) {
  const std::string_view taken(bytes.data(), bytes.size());
  if (has_checksum_) checksum_ = formats::body_checksum(taken, checksum_);
  body_.take(taken);
  return taken.size();
}

std::size_t AnswerParser::on_chunk_body_impl(std::uint64_t, Text bytes, ErrorCode& error) {
  return on_body_impl(bytes, error);
}

}  // namespace magneto::server::client
