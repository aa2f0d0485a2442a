#include "server/transfer/endpoint/http_connection.h"

#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <new>
#include <utility>

#include "server/body_encoding.h"
#include "server/ignoring_case.h"
#include "server/transfer/endpoint/messages.h"

namespace magneto::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

class TrustedCertificates {
 public:
  ssl::context context{ssl::context::tls_client};
};

namespace {

// Where systems have the certificates that they trust: this program's OpenSSL is Debian's, wherever
// it runs.
constexpr const char* kBundles[] = {"/etc/ssl/certs/ca-certificates.crt",
                                    "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                    "/etc/ssl/cert.pem"};

// How soon it is seen that all is over.
constexpr std::chrono::milliseconds kLookTime{100};

using Kind = ConnectionError::Kind;
using Request = http::request<http::span_body<const char>>;
using Parser = http::response_parser<http::string_body>;
using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

// Whose certificate it must be. Names alone are told to the server (RFC 6066, 3).
void expect_host(SSL* tls, const std::string& host) {
  const std::string address = host.substr(0, host.find('%'));  // without an IPv6 zone
  ErrorCode no_address;
  asio::ip::make_address(address, no_address);
  const long done =
      no_address
          ? ::SSL_set1_host(tls, host.c_str()) * ::SSL_set_tlsext_host_name(tls, host.c_str())
          : ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(tls), address.c_str());
  if (done != 1) throw std::bad_alloc();
}

[[noreturn]] void refuse_certificate(const std::string& address, long why) {
  const char* const text = ::X509_verify_cert_error_string(why);
  const bool is_of_others =
      why == X509_V_ERR_HOSTNAME_MISMATCH || why == X509_V_ERR_IP_ADDRESS_MISMATCH;
  throw ConnectionError(Kind::kUntrusted, is_of_others
                                              ? messages::certificate_of_others(address, text)
                                              : messages::certificate_refused(address, text));
}

// Servers that send head and body apart (Python's) keep the body back until the head is acknowledged,
// which the system would put off for 40 ms. It forgets what it was told.
void acknowledge_at_once(PlainStream& stream) {
  const int on = 1;
  static_cast<void>(
      ::setsockopt(stream.socket().native_handle(), IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on));
}

void need_sendable(const OwnedField& field) {
  const auto is_sendable = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::ranges::all_of(field.value, is_sendable)) return;
  throw ConnectionError(Kind::kUnsendable, messages::unsendable_field(field.name));
}

// AWS sends a checksum of the body.
bool has_other_checksum(const http::response<http::string_body>& answer) {
  const auto field = answer.find("x-amz-crc32");
  if (field == answer.end()) return false;
  const auto text = field->value();
  std::uint32_t told = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), told);
  return error != std::errc() || end != text.data() + text.size() ||
         told != body_checksum(answer.body());
}

}  // namespace

std::shared_ptr<TrustedCertificates> load_certificates(const std::string& ca_file) {
  auto certificates = std::make_shared<TrustedCertificates>();
  ssl::context& context = certificates->context;
  context.set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  context.set_verify_mode(ssl::verify_peer);
  ErrorCode error;
  context.set_default_verify_paths(error);
  for (const char* const bundle : kBundles) {
    std::error_code missing;
    if (!std::filesystem::exists(bundle, missing)) continue;
    context.load_verify_file(bundle, error);
    break;
  }
  if (ca_file.empty()) return certificates;
  context.load_verify_file(ca_file, error);
  if (error) throw std::runtime_error(messages::unusable_ca_file(ca_file, error.message()));
  return certificates;
}

// One open connection; a failed one is thrown away.
struct HttpConnection::State {
  State(const EndpointUrl& url, TrustedCertificates* certificates, const ClientTimeouts& times,
        const std::function<bool()>& is_over)
      : address_(url.text()), timeouts_(times), is_over_(&is_over) {
    if (certificates == nullptr) {
      plain_.emplace(context_);
      connect(url, *plain_);
      return;
    }
    tls_.emplace(context_, certificates->context);
    expect_host(tls_->native_handle(), url.host);
    connect(url, beast::get_lowest_layer(*tls_));
    beast::get_lowest_layer(*tls_).expires_after(timeouts_.connect);
    const ErrorCode error =
        wait([&](auto done) { tls_->async_handshake(ssl::stream_base::client, std::move(done)); });
    if (!error) return;
    const long verified = ::SSL_get_verify_result(tls_->native_handle());
    if (verified != X509_V_OK) refuse_certificate(address_, verified);
    throw ConnectionError(Kind::kUnreachable, messages::cannot_connect(address_, error.message()));
  }

  HttpAnswer exchange(Request& request, std::size_t longest_answer,
                      const std::function<bool()>& is_over) {
    is_over_ = &is_over;
    return plain_ ? exchange_over(*plain_, request, longest_answer)
                  : exchange_over(*tls_, request, longest_answer);
  }

  // The server has closed it, or said something that nobody asked for.
  bool is_stale() {
    PlainStream& stream = plain_ ? *plain_ : beast::get_lowest_layer(*tls_);
    char byte = 0;
    const ssize_t size = ::recv(stream.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return size >= 0 || (errno != EAGAIN && errno != EINTR);
  }

  bool reusable = false;  // an exchange went well, and the server keeps the connection

 private:
  // Starts what takes a handler, and runs it to its end, or until all is over.
  template <typename Start>
  ErrorCode wait(Start start) {
    ErrorCode result = asio::error::operation_aborted;
    start([&](ErrorCode error, auto&&...) { result = error; });
    context_.restart();
    while (true) {
      context_.run_for(kLookTime);
      if (context_.stopped()) return result;
      if ((*is_over_)()) (plain_ ? *plain_ : beast::get_lowest_layer(*tls_)).close();
    }
  }

  void connect(const EndpointUrl& url, PlainStream& stream) {
    Tcp::resolver resolver(context_);
    ErrorCode error;
    const auto addresses = resolver.resolve(url.host, url.port, error);
    // One after the other, each with its own time: the first may lead nowhere.
    for (const auto& found : addresses) {
      stream.expires_after(timeouts_.connect);
      error = wait([&](auto done) { stream.async_connect(found.endpoint(), std::move(done)); });
      if (!error) break;
      stream.close();
    }
    if (error) {
      throw ConnectionError(Kind::kUnreachable,
                            messages::cannot_connect(address_, error.message()));
    }
    stream.socket().set_option(Tcp::no_delay(true), error);
  }

  template <typename Stream>
  HttpAnswer exchange_over(Stream& stream, Request& request, std::size_t longest_answer) {
    reusable = false;
    beast::get_lowest_layer(stream).expires_after(timeouts_.exchange);
    ErrorCode error = wait([&](auto done) { http::async_write(stream, request, std::move(done)); });
    acknowledge_at_once(beast::get_lowest_layer(stream));
    // What a server says before it hangs up on a request that is still being sent is heard.
    std::optional<Parser> read;
    const ErrorCode read_error = read_final(stream, longest_answer, read);
    if (read_error) {
      if (!error) error = read_error;
      throw ConnectionError(error == beast::error::timeout ? Kind::kTimedOut : Kind::kLost,
                            messages::lost_connection(address_, error.message()));
    }
    Parser& parser = *read;
    if (has_other_checksum(parser.get())) {
      throw ConnectionError(Kind::kLost,
                            messages::lost_connection(address_, messages::kOtherChecksum));
    }
    reusable = !error && parser.get().keep_alive() && buffer_.size() == 0;
    HttpAnswer answer{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
    for (const auto& field : parser.get()) {
      answer.fields.push_back({std::string(field.name_string()), std::string(field.value())});
    }
    return answer;
  }

  // Over answers that tell of another to come (RFC 9110, 15.2), a few at most.
  template <typename Stream>
  ErrorCode read_final(Stream& stream, std::size_t longest_answer, std::optional<Parser>& parser) {
    constexpr int kMostInterim = 8;
    for (int i = 0;; ++i) {
      parser.emplace();
      parser->body_limit(longest_answer);
      const ErrorCode error =
          wait([&](auto done) { http::async_read(stream, buffer_, *parser, std::move(done)); });
      if (error || i == kMostInterim) return error;
      const unsigned status = parser->get().result_int();
      if (status >= 200 || status == 101) return error;
    }
  }

  const std::string address_;
  const ClientTimeouts timeouts_;
  const std::function<bool()>* is_over_;  // of the call that is under way
  asio::io_context context_{1};
  std::optional<PlainStream> plain_;
  std::optional<TlsStream> tls_;
  beast::flat_buffer buffer_;
};

std::string_view HttpAnswer::field(std::string_view name) const {
  for (const OwnedField& found : fields) {
    if (equals_ignoring_case(found.name, name)) {
      return found.value;
    }
  }
  return {};
}

HttpConnection::HttpConnection(EndpointUrl url, std::shared_ptr<TrustedCertificates> certificates,
                               ClientTimeouts timeouts, std::size_t longest_answer)
    : url_(std::move(url)),
      certificates_(std::move(certificates)),
      timeouts_(timeouts),
      longest_answer_(longest_answer) {}

HttpConnection::~HttpConnection() = default;

HttpAnswer HttpConnection::send(std::string_view method, std::string_view target,
                                std::span<const OwnedField> fields, std::string_view body,
                                const std::function<bool()>& is_over, bool resends) {
  std::ranges::for_each(fields, need_sendable);
  Request request;
  request.version(11);
  request.method_string(method);
  request.target(target);
  for (const OwnedField& field : fields) request.set(field.name, field.value);
  request.body() = {body.data(), body.size()};
  request.prepare_payload();
  if (!resends && state_ != nullptr && state_->is_stale()) state_.reset();
  while (true) {
    const bool kept = state_ != nullptr;
    try {
      if (!kept) state_ = std::make_unique<State>(url_, certificates_.get(), timeouts_, is_over);
      HttpAnswer answer = state_->exchange(request, longest_answer_, is_over);
      if (!state_->reusable) state_.reset();
      return answer;
    } catch (const ConnectionError& error) {
      state_.reset();
      // Servers close what was idle for long.
      if (resends && kept && error.kind() == Kind::kLost && !is_over()) continue;
      throw;
    }
  }
}

}  // namespace magneto::server
