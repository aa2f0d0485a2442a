#include "server/client/endpoint/outgoing_tls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <new>

#include "server/client/endpoint/messages.h"
#include "server/system/openssl_pointers.h"

namespace magneto::server::client {

class TrustedCertificates {
 public:
  TrustedCertificates() : context_(SSL_CTX_new(TLS_client_method())) {
    if (context_ == nullptr) throw std::bad_alloc();
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(context_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                         SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                         SSL_MODE_RELEASE_BUFFERS);
  }
  SSL_CTX* context() { return context_.get(); }

 private:
  std::unique_ptr<SSL_CTX, system::OpensslDeleter<SSL_CTX_free>> context_;
};

namespace {

// The places of trusted certificates on different systems. This program has Debian's OpenSSL, but
// runs on any of them.
constexpr const char* kBundles[] = {"/etc/ssl/certs/ca-certificates.crt",
                                    "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                    "/etc/ssl/cert.pem"};

// Lets OpenSSL use the descriptor of an OutgoingSocket. OpenSSL's own functions would raise SIGPIPE
// if the server has closed the connection.
struct OutgoingWire {
  static int descriptor_of(BIO* bio) {
    return static_cast<const OutgoingSocket*>(BIO_get_data(bio))->descriptor();
  }

  static int read(BIO* bio, char* into, std::size_t size, std::size_t* read) {
    BIO_clear_retry_flags(bio);
    const ssize_t got = ::recv(descriptor_of(bio), into, size, 0);
    *read = got > 0 ? static_cast<std::size_t>(got) : 0;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
    return got > 0 ? 1 : 0;
  }

  static int write(BIO* bio, const char* from, std::size_t size, std::size_t* written) {
    BIO_clear_retry_flags(bio);
    const ssize_t sent = ::send(descriptor_of(bio), from, size, MSG_NOSIGNAL);
    *written = sent > 0 ? static_cast<std::size_t>(sent) : 0;
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
    return sent > 0 ? 1 : 0;
  }
};

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// Sets the name or address that the certificate must have. Only names are sent to the server (RFC
// 6066, 3).
void expect_host(SSL* tls, const std::string& host) {
  const std::string address = host.substr(0, host.find('%'));  // without an IPv6 zone
  const long done =
      is_address(address)
          ? ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(tls), address.c_str())
          : ::SSL_set1_host(tls, host.c_str()) * ::SSL_set_tlsext_host_name(tls, host.c_str());
  if (done != 1) throw std::bad_alloc();
}

[[noreturn]] void refuse_certificate(const std::string& address, long why) {
  const char* const text = ::X509_verify_cert_error_string(why);
  const bool is_of_others =
      why == X509_V_ERR_HOSTNAME_MISMATCH || why == X509_V_ERR_IP_ADDRESS_MISMATCH;
  throw ConnectionError(ConnectionError::Kind::kUntrusted,
                        is_of_others ? messages::kCertificateOfOthers(address, text)
                                     : messages::kCertificateRefused(address, text));
}

}  // namespace

std::shared_ptr<TrustedCertificates> load_certificates(const std::string& ca_file) {
  auto certificates = std::make_shared<TrustedCertificates>();
  SSL_CTX* const context = certificates->context();
  SSL_CTX_set_default_verify_paths(context);
  for (const char* const bundle : kBundles) {
    std::error_code missing;
    if (!std::filesystem::exists(bundle, missing)) continue;
    SSL_CTX_load_verify_file(context, bundle);
    break;
  }
  ERR_clear_error();
  if (ca_file.empty()) return certificates;
  if (SSL_CTX_load_verify_file(context, ca_file.c_str()) != 1) {
    throw std::runtime_error(messages::kUnusableCaFile(ca_file, system::take_openssl_error()));
  }
  return certificates;
}

OutgoingTls::OutgoingTls(const EndpointUrl& url, TrustedCertificates& certificates,
                         std::chrono::milliseconds time, const std::function<bool()>& is_over)
    : socket_(url, time, is_over), tls_(SSL_new(certificates.context())) {
  if (tls_ == nullptr) throw std::bad_alloc();
  try {
    BIO* const wire = system::make_bio<OutgoingWire::read, OutgoingWire::write>(&socket_);
    SSL_set_bio(tls_, wire, wire);
    expect_host(tls_, url.host);
    Patience patience(time, is_over);
    shake_hands(url, patience);
  } catch (...) {
    SSL_free(tls_);
    throw;
  }
}

OutgoingTls::~OutgoingTls() { SSL_free(tls_); }

void OutgoingTls::shake_hands(const EndpointUrl& url, Patience& patience) {
  try {
    if (!run(patience, [this] { return SSL_connect(tls_); })) {
      socket_.lose(messages::kClosedByEndpoint);
    }
    socket_.note_ready();
  } catch (const ConnectionError&) {
    const long verified = SSL_get_verify_result(tls_);
    if (verified != X509_V_OK) refuse_certificate(url.text(), verified);
    throw;
  }
}

// Calls OpenSSL until it is done. Returns false if the server has announced that it sends no more.
template <typename Call>
bool OutgoingTls::run(Patience& patience, Call call) {
  while (true) {
    socket_.look(patience);
    ERR_clear_error();
    errno = 0;
    const int result = call();
    const int error = errno;
    if (result > 0) return true;
    switch (SSL_get_error(tls_, result)) {
      case SSL_ERROR_WANT_READ:
        socket_.wait(POLLIN, patience);
        break;
      case SSL_ERROR_WANT_WRITE:
        socket_.wait(POLLOUT, patience);
        break;
      case SSL_ERROR_ZERO_RETURN:
        return false;
      case SSL_ERROR_SYSCALL:
        if (error != 0) socket_.lose(error);
        socket_.lose(messages::kClosedByEndpoint);
      default:
        socket_.lose(system::take_openssl_error());
    }
  }
}

std::size_t OutgoingTls::read(std::span<char> into, Patience& patience) {
  std::size_t size = 0;
  const bool is_open =
      run(patience, [&] { return SSL_read_ex(tls_, into.data(), into.size(), &size); });
  return is_open ? size : 0;
}

void OutgoingTls::write(std::string_view bytes, Patience& patience) {
  while (!bytes.empty()) {
    std::size_t size = 0;
    if (!run(patience, [&] { return SSL_write_ex(tls_, bytes.data(), bytes.size(), &size); })) {
      socket_.lose(messages::kClosedByEndpoint);
    }
    bytes.remove_prefix(size);
  }
  socket_.acknowledge_at_once();
}

bool OutgoingTls::is_stale() { return SSL_has_pending(tls_) == 1 || socket_.is_stale(); }

std::unique_ptr<OutgoingStream> connect_stream(const EndpointUrl& url,
                                               TrustedCertificates* certificates,
                                               std::chrono::milliseconds time,
                                               const std::function<bool()>& is_over) {
  if (certificates == nullptr) {
    auto socket = std::make_unique<OutgoingSocket>(url, time, is_over);
    socket->note_ready();
    return socket;
  }
  return std::make_unique<OutgoingTls>(url, *certificates, time, is_over);
}

}  // namespace magneto::server::client
