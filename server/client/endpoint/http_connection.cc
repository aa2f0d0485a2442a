#include "server/client/endpoint/http_connection.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/error.hpp>
#include <optional>
#include <utility>

#include "server/client/endpoint/answer_parser.h"
#include "server/client/endpoint/messages.h"
#include "server/system/ignoring_case.h"

namespace magneto::server::client {
namespace {

using Fault = ConnectionError::Kind;

// The limit before a final answer. An endpoint has no use for more than a few.
constexpr int kMostInterimAnswers = 64;
constexpr int kSwitchingProtocols = 101;  // the bytes after it are not HTTP
// The number of bytes that one read takes. A head has at most half as many.
constexpr std::size_t kReadAtOnce = std::size_t{16} << 10;
// A body of at most this size is sent together with its head.
constexpr std::size_t kShortBody = std::size_t{16} << 10;

void need_sendable(const OwnedField& field) {
  const auto is_sendable = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::ranges::all_of(field.value, is_sendable)) return;
  throw ConnectionError(Fault::kUnsendable, messages::kUnsendableField(field.name));
}

std::string make_head(const HttpRequest& request) {
  std::ranges::for_each(request.fields, need_sendable);
  std::string head;
  head.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
  for (const OwnedField& field : request.fields) {
    head.append(field.name).append(": ").append(field.value).append("\r\n");
  }
  const std::size_t size = request.body.size();
  if (size > 0 || request.method == "POST" || request.method == "PUT") {
    head.append("Content-Length: ").append(std::to_string(size)).append("\r\n");
  }
  return head.append("\r\n");
}

class WholeAnswer final : public AnswerBody {
 public:
  explicit WholeAnswer(std::size_t longest) : longest_(longest) {}
  void begin(std::uint64_t size) override {
    text.clear();
    text.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(size, longest_)));
  }
  void take(std::string_view bytes) override { text.append(bytes); }

  std::string text;

 private:
  const std::size_t longest_;
};

// Reads answers from a stream, and keeps the bytes that were read too far.
class AnswerReader {
 public:
  AnswerReader(OutgoingStream& stream, Patience& patience) : stream_(stream), patience_(patience) {}

  // Reads one complete answer.
  void read(AnswerParser& parser, AnswerParser::ErrorCode& error) {
    while (!parser.is_done() && !error) {
      const std::size_t used = parser.feed({buffer_.data(), size_}, error);
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(used),
                buffer_.begin() + static_cast<std::ptrdiff_t>(size_), buffer_.begin());
      size_ -= used;
      if (parser.is_done() || error || used > 0) continue;
      if (size_ == buffer_.size()) {
        error = boost::beast::http::error::header_limit;
      } else if (!fill()) {
        return parser.end(error);
      }
    }
  }
  bool is_empty() const { return size_ == 0; }

 private:
  bool fill() {
    const std::size_t more = stream_.read(std::span(buffer_).subspan(size_), patience_);
    size_ += more;
    return more > 0;
  }

  OutgoingStream& stream_;
  Patience& patience_;
  std::array<char, kReadAtOnce> buffer_;
  std::size_t size_ = 0;
};

}  // namespace

std::string_view HttpAnswer::field(std::string_view name) const {
  for (const OwnedField& found : fields) {
    if (system::equals_ignoring_case(found.name, name)) {
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

HttpAnswer HttpConnection::send(const HttpRequest& request, const std::function<bool()>& is_over) {
  WholeAnswer whole(longest_answer_);
  HttpAnswer answer = send(request, is_over, whole);
  answer.body = std::move(whole.text);
  return answer;
}

HttpAnswer HttpConnection::send(const HttpRequest& request, const std::function<bool()>& is_over,
                                AnswerBody& into) {
  const std::string head = make_head(request);
  if (!request.resends && stream_ != nullptr && stream_->is_stale()) stream_.reset();
  while (true) {
    const bool kept = stream_ != nullptr;
    try {
      if (!kept) {
        stream_ = connect_stream(url_, certificates_.get(), timeouts_.connect, is_over);
      }
      Patience patience(timeouts_.exchange, is_over);
      return try_exchange(head, request.body, into, patience);
    } catch (const ConnectionError& error) {
      stream_.reset();
      // Servers close connections that were idle for long.
      if (request.resends && kept && error.kind() == Fault::kLost && !is_over()) continue;
      throw;
    }
  }
}

// Keeps the connection if it can be used again.
HttpAnswer HttpConnection::try_exchange(std::string_view head, std::string_view body,
                                        AnswerBody& into, Patience& patience) {
  std::optional<ConnectionError> unsent;
  try {
    if (body.size() <= kShortBody) {
      stream_->write(std::string(head).append(body), patience);
    } else {
      stream_->write(head, patience);
      stream_->write(body, patience);
    }
  } catch (const ConnectionError& error) {
    unsent = error;
  }
  const auto lose = [&](std::string_view why) {
    throw ConnectionError(Fault::kLost, messages::kLostConnection(url_.text(), why));
  };
  // A server may answer before it has the whole request, and then close the connection.
  AnswerReader reader(*stream_, patience);
  for (int interim = 0; interim <= kMostInterimAnswers; ++interim) {
    AnswerParser parser(into, longest_answer_);
    AnswerParser::ErrorCode error;
    try {
      reader.read(parser, error);
    } catch (const ConnectionError&) {
      if (unsent) throw *unsent;
      throw;
    }
    if (error && unsent) throw *unsent;
    if (error == boost::beast::http::error::body_limit) lose(messages::kAnswerTooLong);
    if (error == boost::beast::http::error::end_of_stream ||
        error == boost::beast::http::error::partial_message) {
      lose(messages::kClosedByEndpoint);
    }
    if (error) lose(messages::kMalformedAnswer(error.message()));
    if (parser.is_interim()) continue;
    if (parser.has_other_checksum()) lose(messages::kOtherChecksum);
    const bool goes_on = parser.keep_alive() && parser.status() != kSwitchingProtocols;
    if (unsent || !goes_on || !reader.is_empty()) stream_.reset();
    return std::move(parser.answer());
  }
  lose(messages::kManyInterimAnswers);
  return {};
}

}  // namespace magneto::server::client
