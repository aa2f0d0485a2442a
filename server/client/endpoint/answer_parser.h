#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/client/endpoint/http_connection.h"

namespace magneto::server::client {

// Reads one answer of HTTP/1.1, final or interim, by Beast.
class AnswerParser final : public boost::beast::http::basic_parser<false> {
 public:
  using ErrorCode = boost::beast::error_code;

  // `body` gets what the answer has for one, up to so many bytes.
  AnswerParser(AnswerBody& body, std::size_t longest_body);

  // How many of the bytes were the answer's; what it did not take yet is to be given again, with more
  // behind it. 0 and no error: it needs more. Not after is_done().
  std::size_t feed(std::string_view bytes, ErrorCode& error);
  // No byte comes any more.
  void end(ErrorCode& error);

  // 101 (Switching Protocols) is final.
  bool is_interim() const { return status() < 200 && status() != 101; }
  int status() const { return answer_.status; }
  // X-Amz-Crc32 is there and says otherwise.
  bool has_other_checksum() const;
  // Without its body.
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
