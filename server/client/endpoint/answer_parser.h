#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/client/endpoint/http_connection.h"

namespace magneto::server::client {

// Parses one answer of HTTP/1.1, final or interim, with Beast.
class AnswerParser final : public boost::beast::http::basic_parser<false> {
 public:
  using ErrorCode = boost::beast::error_code;

  // `body` gets the body of the answer. A body of more than `longest_body` bytes is an error.
  AnswerParser(AnswerBody& body, std::size_t longest_body);

  // Returns the number of bytes that the parser has used. Pass the unused ones again, followed by
  // more. 0 without an error means that it needs more. Do not call it after is_done().
  std::size_t feed(std::string_view bytes, ErrorCode& error);
  // Call this when no more bytes can arrive.
  void end(ErrorCode& error);

  // 101 (Switching Protocols) is final.
  bool is_interim() const { return status() < 200 && status() != 101; }
  int status() const { return answer_.status; }
  // Whether X-Amz-Crc32 does not match the body.
  bool has_other_checksum() const;
  // The answer without its body.
  HttpAnswer& answer() { return answer_; }

 private:
  using Text = boost::beast::string_view;
  using Field = boost::beast::http::field;

  void on_request_impl(boost::beast::http::verb, Text, Text, int, ErrorCode&) override {}
  void on_response_impl(int code, Text reason, int version, ErrorCode& error) override;
  void on_field_impl(Field name, Text name_text, Text value, ErrorCode& error) override;
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& size, ErrorCode& error) override;
  std::size_t on_body_impl(Text bytes, ErrorCode& error) override;
  void on_chunk_header_impl(std::uint64_t, Text, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t rest, Text bytes, ErrorCode& error) override;
  void on_finish_impl(ErrorCode&) override {}

  AnswerBody& body_;
  HttpAnswer answer_;
  bool has_checksum_ = false;
  std::uint32_t checksum_ = 0;
};

}  // namespace magneto::server::client
