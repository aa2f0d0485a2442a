#include "server/http/tls/tls_connection.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "server/http/tls/self_signed.h"
#include "server/http/tls/tls_credentials.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;

using Step = TlsConnection::Step;
using State = TlsConnection::State;

// A client of OpenSSL over memory.
class Client {
 public:
  explicit Client(int max_version = TLS1_3_VERSION) {
    SSL_CTX_set_max_proto_version(context_.get(), max_version);
    SSL_CTX_set_min_proto_version(context_.get(), max_version);
    SSL_CTX_set_security_level(context_.get(), 0);
    tls_ = SSL_new(context_.get());
    SSL_set_bio(tls_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(tls_);
  }
  ~Client() { SSL_free(tls_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  SSL* tls() { return tls_; }
  SSL_CTX* context() { return context_.get(); }
  bool shake_hands() { return SSL_do_handshake(tls_) == 1; }
  void write(std::string_view text) {
    std::size_t written = 0;
    EXPECT_EQ(SSL_write_ex(tls_, text.data(), text.size(), &written), 1);
  }
  std::string read() {
    std::string all;
    std::array<char, 4096> some;
    std::size_t size = 0;
    while (SSL_read_ex(tls_, some.data(), some.size(), &size) == 1) all.append(some.data(), size);
    return all;
  }
  bool is_closed() { return (SSL_get_shutdown(tls_) & SSL_RECEIVED_SHUTDOWN) != 0; }
  std::string sent() {
    std::string bytes(BIO_ctrl_pending(SSL_get_wbio(tls_)), '\0');
    std::size_t size = 0;
    if (!bytes.empty()) BIO_read_ex(SSL_get_wbio(tls_), bytes.data(), bytes.size(), &size);
    return bytes;
  }
  void receive(std::string_view bytes) {
    std::size_t size = 0;
    if (!bytes.empty()) BIO_write_ex(SSL_get_rbio(tls_), bytes.data(), bytes.size(), &size);
  }

 private:
  std::unique_ptr<SSL_CTX, system::OpensslDeleter<SSL_CTX_free>> context_{
      SSL_CTX_new(TLS_client_method())};
  SSL* tls_ = nullptr;
};

class TlsConnectionTest : public testing::Test {
 protected:
  void pass_to_client() {
    client_->receive(server_.unsent());
    server_.note_sent(server_.unsent().size());
  }
  Step shake_hands() {
    Step step = Step::kNeedsMore;
    for (int i = 0; i < 10 && step == Step::kNeedsMore; ++i) {
      client_->shake_hands();
      server_.receive(client_->sent());
      step = server_.shake_hands();
      pass_to_client();
    }
    client_->shake_hands();
    return step;
  }
  std::string read(std::size_t size = 1 << 16) {
    std::string text(size, '\0');
    std::string all;
    for (;;) {
      const std::size_t got = server_.read(text.data(), text.size());
      all.append(text, 0, got);
      if (got == 0 && (!server_.has_unread() || server_.state() != State::kOpen)) return all;
    }
  }
  void use_version(int version) { client_ = std::make_unique<Client>(version); }

  static inline TlsCredentials credentials_{make_self_signed({}).identity};
  std::unique_ptr<Client> client_ = std::make_unique<Client>();
  TlsConnection server_{credentials_};
};

TEST_F(TlsConnectionTest, SpeaksBothVersions) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsConnection server(credentials_);
    Client client(version);
    Step step = Step::kNeedsMore;
    while (step == Step::kNeedsMore) {
      client.shake_hands();
      server.receive(client.sent());
      step = server.shake_hands();
      client.receive(server.unsent());
      server.note_sent(server.unsent().size());
    }
    ASSERT_EQ(step, Step::kDone);
    EXPECT_TRUE(client.shake_hands());
    EXPECT_TRUE(server.is_secured());
    client.write("question");
    server.receive(client.sent());
    std::array<char, 64> text;
    EXPECT_EQ(std::string_view(text.data(), server.read(text.data(), text.size())), "question");
    EXPECT_FALSE(server.has_unread());
    EXPECT_FALSE(server.has_partial_record());
    const std::array<asio::const_buffer, 3> answer = {asio::buffer("head", 4), asio::buffer("", 0),
                                                      asio::buffer("body", 4)};
    EXPECT_EQ(server.write(answer), 8U);
    client.receive(server.unsent());
    EXPECT_EQ(client.read(), "headbody");
  }
}

// A session calls shake_hands() again only after a whole record has arrived.
TEST_F(TlsConnectionTest, ShakesHandsWhereverTheClientsFlightsAreCut) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    std::size_t longest = 1;
    for (std::size_t cut = 1; cut <= longest; ++cut) {
      TlsConnection server(credentials_);
      Client client(version);
      Step step = Step::kNeedsMore;
      for (int flight = 0; flight < 4 && step == Step::kNeedsMore; ++flight) {
        client.shake_hands();
        const std::string sent = client.sent();
        if (flight > 0) longest = std::max(longest, sent.size());
        for (const std::string& part :
             {sent.substr(0, cut), sent.substr(std::min(cut, sent.size()))}) {
          server.receive(part);
          while (step == Step::kNeedsMore && server.has_whole_record()) step = server.shake_hands();
        }
        client.receive(server.unsent());
        server.note_sent(server.unsent().size());
      }
      ASSERT_EQ(step, Step::kDone) << "cut at " << cut << ": " << server.problem();
    }
    EXPECT_GT(longest, 40U);
  }
}

TEST_F(TlsConnectionTest, KnowsWhetherARecordHasBegun) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  ASSERT_EQ(SSL_key_update(client_->tls(), SSL_KEY_UPDATE_REQUESTED), 1);
  client_->shake_hands();
  server_.receive(client_->sent());
  EXPECT_EQ(read(), "");
  EXPECT_FALSE(server_.has_partial_record());
  for (const std::size_t size : {1U, 4U, 5U, 6U, 20U}) {
    SCOPED_TRACE(size);
    client_->write("one");
    const std::string one = client_->sent();
    client_->write("two");
    const std::string two = client_->sent();
    server_.receive(one + two.substr(0, size));
    EXPECT_EQ(read(), "one");
    EXPECT_TRUE(server_.has_partial_record());
    server_.receive(two.substr(size));
    EXPECT_EQ(read(), "two");
    EXPECT_FALSE(server_.has_partial_record());
  }
}

TEST_F(TlsConnectionTest, RefusesOldVersionsAndForeignProtocols) {
  use_version(TLS1_1_VERSION);
  EXPECT_EQ(shake_hands(), Step::kFailed);
  EXPECT_EQ(server_.problem(), "unsupported protocol");
  TlsConnection other(credentials_);
  Client client;
  const unsigned char offered[] = {2, 'h', '2'};
  SSL_set_alpn_protos(client.tls(), offered, sizeof offered);
  client.shake_hands();
  other.receive(client.sent());
  EXPECT_EQ(other.shake_hands(), Step::kFailed);
  EXPECT_EQ(other.problem(), "no application protocol");
}

TEST_F(TlsConnectionTest, KnowsAWholeRecord) {
  client_->shake_hands();
  for (const char byte : client_->sent()) {
    EXPECT_FALSE(server_.has_whole_record());
    server_.receive({&byte, 1});
  }
  EXPECT_TRUE(server_.has_whole_record());
}

TEST_F(TlsConnectionTest, TakesBytesInAnyPieces) {
  client_->shake_hands();
  Step step = Step::kNeedsMore;
  while (step == Step::kNeedsMore) {
    for (const char byte : client_->sent()) server_.receive({&byte, 1});
    ASSERT_TRUE(server_.has_whole_record());
    step = server_.shake_hands();
    pass_to_client();
    client_->shake_hands();
  }
  ASSERT_EQ(step, Step::kDone);
  const std::string text(40'000, 'x');
  client_->write(text);
  std::string read_text;
  std::array<char, 100> some;
  for (const char byte : client_->sent()) {
    server_.receive({&byte, 1});
    do {
      read_text.append(some.data(), server_.read(some.data(), some.size()));
    } while (server_.has_unread());
  }
  EXPECT_EQ(read_text, text);
}

TEST_F(TlsConnectionTest, HoldsLittleBetweenRequestsAndTellsWhatItHolds) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  EXPECT_LT(server_.bytes(), 100U);
  client_->write(std::string(16'000, 'x'));
  const std::string record = client_->sent();
  server_.receive(std::string_view(record).substr(0, 10'000));
  EXPECT_EQ(read(), "");
  EXPECT_TRUE(server_.has_partial_record());
  EXPECT_GT(server_.bytes(), 16'000U);
  server_.receive(std::string_view(record).substr(10'000));
  EXPECT_EQ(read().size(), 16'000U);
  EXPECT_FALSE(server_.has_partial_record());
  EXPECT_LT(server_.bytes(), 100U);
}

TEST_F(TlsConnectionTest, WritesLongAnswersInPieces) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  const std::string head(300, 'h');
  const std::string body(100'001, 'b');
  std::string expected = head + body;
  std::string found;
  for (std::size_t written = 0; written < expected.size();) {
    const std::string_view rest = std::string_view(expected).substr(written);
    const std::size_t of_head = written < head.size() ? head.size() - written : 0;
    const std::array<asio::const_buffer, 2> parts = {
        asio::buffer(rest.data(), of_head),
        asio::buffer(rest.data() + of_head, rest.size() - of_head)};
    const std::size_t some = server_.write(parts);
    ASSERT_GT(some, 0U);
    EXPECT_LE(some, 80U << 10);
    written += some;
    pass_to_client();
    found += client_->read();
  }
  EXPECT_EQ(found, expected);
}

TEST_F(TlsConnectionTest, TellsTheEndOfBothSides) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  client_->write("last");
  SSL_shutdown(client_->tls());
  server_.receive(client_->sent());
  EXPECT_EQ(read(), "last");
  EXPECT_EQ(server_.state(), State::kEnded);
  // The client may still read.
  const std::array<asio::const_buffer, 1> answer = {asio::buffer("answer", 6)};
  EXPECT_EQ(server_.write(answer), 6U);
  server_.end();
  pass_to_client();
  EXPECT_EQ(client_->read(), "answer");
  EXPECT_TRUE(client_->is_closed());
}

TEST_F(TlsConnectionTest, FailsOnWhatIsNoTls) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  client_->write("question");
  std::string record = client_->sent();
  record.back() = static_cast<char>(record.back() ^ 1);
  server_.receive(record);
  EXPECT_EQ(read(), "");
  EXPECT_EQ(server_.state(), State::kFailed);
  const std::array<asio::const_buffer, 1> answer = {asio::buffer("answer", 6)};
  EXPECT_EQ(server_.write(answer), 0U);
}

// A client may send new keys for ever, and nothing else.
TEST_F(TlsConnectionTest, EndsAFloodOfNewKeys) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  int count = 0;
  for (; server_.state() == State::kOpen && count < 100'000; ++count) {
    ASSERT_EQ(SSL_key_update(client_->tls(), SSL_KEY_UPDATE_REQUESTED), 1);
    SSL_do_handshake(client_->tls());
    server_.receive(client_->sent());
    EXPECT_EQ(read(), "");
    EXPECT_LT(server_.unsent().size(), 70'000U);
  }
  EXPECT_EQ(server_.state(), State::kFailed);
  EXPECT_LT(count, 5'000);
}

// Nor may it keep the thread: much in one piece is worked off a little at a time.
TEST_F(TlsConnectionTest, ReadsLittleAtATime) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  std::string updates;
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(SSL_key_update(client_->tls(), SSL_KEY_UPDATE_NOT_REQUESTED), 1);
    SSL_do_handshake(client_->tls());
    updates += client_->sent();
  }
  client_->write("x");
  server_.receive(updates + client_->sent());
  char byte = 0;
  EXPECT_EQ(server_.read(&byte, 1), 0U);
  EXPECT_TRUE(server_.has_unread());
  EXPECT_EQ(server_.state(), State::kOpen);
  EXPECT_EQ(read(), "x");
}

TEST_F(TlsConnectionTest, RefusesRenegotiationAndLives) {
  use_version(TLS1_2_VERSION);
  ASSERT_EQ(shake_hands(), Step::kDone);
  ASSERT_EQ(SSL_renegotiate(client_->tls()), 1);
  SSL_do_handshake(client_->tls());
  server_.receive(client_->sent());
  EXPECT_EQ(read(), "");
  EXPECT_EQ(server_.state(), State::kOpen);
  EXPECT_FALSE(server_.unsent().empty());  // a warning
}

TEST_F(TlsConnectionTest, BoundsAHandshake) {
  const std::string endless = std::string("\x16\x03\x01\x40\x00", 5) +
                              std::string("\x01\x01\x00\x00", 4) + std::string(0x3ffc, 'x');
  Step step = Step::kNeedsMore;
  int records = 0;
  for (; step == Step::kNeedsMore && records < 100; ++records) {
    server_.receive(endless);
    step = server_.shake_hands();
  }
  EXPECT_EQ(step, Step::kFailed);
  EXPECT_LT(records, 10);
}

TEST_F(TlsConnectionTest, ResumesSessionsByTickets) {
  ASSERT_EQ(shake_hands(), Step::kDone);
  pass_to_client();
  EXPECT_EQ(client_->read(), "");
  SSL_SESSION* const session = SSL_get1_session(client_->tls());
  TlsConnection server(credentials_);
  Client client;
  SSL_set_session(client.tls(), session);
  SSL_SESSION_free(session);
  Step step = Step::kNeedsMore;
  while (step == Step::kNeedsMore) {
    client.shake_hands();
    server.receive(client.sent());
    step = server.shake_hands();
    client.receive(server.unsent());
    server.note_sent(server.unsent().size());
  }
  EXPECT_EQ(step, Step::kDone);
  EXPECT_EQ(SSL_session_reused(client.tls()), 1);
}

}  // namespace
}  // namespace magneto::server::http
