#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/service.h"
#include "server/http/access_rules.h"
#include "server/http/auth/auth_mode.h"
#include "server/http/auth/authenticator.h"
#include "server/http/auth/signature_verifier.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/namespace_choice.h"
#include "server/http/page_handler.h"
#include "server/http/work_memory.h"
#include "storage/model/effort.h"

namespace magneto::server::http {

// The kind of thread on which a request is answered (storage/model/effort.h).
enum class ThreadKind : std::uint8_t {
  kIoThread,
  kWaitingWorker,    // may wait for the disk
  kComputingWorker,  // may wait, and work as long as it takes
  kControlWorker,    // the same; a request of the control interface may wait for minutes
};

// A body up to this size is parsed and checked within three milliseconds, whatever is in it: the
// slowest that was found, a list of attributes to get, takes 90 ns a byte. So is an answer of this
// size compressed.
inline constexpr std::size_t kMaxShortBody = 32 * 1024;

// What one request asks for.
struct Route {
  enum class Kind : std::uint8_t {
    kOperation,  // a call of the service; `operation` is nullptr for an unknown one
    kHealth,     // GET /, GET /healthcheck and GET /_/health
    kReady,      // GET /_/ready
    kMetrics,    // GET /metrics
    kBrowser,    // the page at /_/ and its files, where there is one
    kControl,    // what else begins with /_/
    kPreflight,  // OPTIONS with Origin
    kNotFound,   // any other method, path or content type
    kNoCall,     // all but operations and pre-flights, in the profile of DynamoDB Local
    kRefused,    // not to be served: see `refusal`
    kMalformed,  // no HTTP request, found before routing
  };
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kMalformed) + 1;
  Kind kind = Kind::kNotFound;
  const api::Operation* operation = nullptr;
  std::string_view content_type;  // of the answer
  std::string_view refusal;       // why, for the client
  // Where it is answered, or tried first: what a call needs shows only when it is made.
  ThreadKind place = ThreadKind::kIoThread;
};

// Turns HTTP requests into calls of the service and their outcome into HTTP responses. Thread-safe;
// knows nothing of sockets.
class RequestRouter {
 public:
  // Answers GET /metrics; where there is none that path is not found.
  using ShowMetrics = std::function<void(HttpResponse&)>;

  // `verifier` is for AuthMode::kVerify. `service` is that of the main namespace of the start, and used
  // while that is plain (Namespaces::is_plain); `namespaces`: nullptr: there is no other. `control`: nullptr: its paths are not found. `browser` may be none.
  RequestRouter(api::Service& service, WorkMemory& work_memory, AuthMode auth, AccessRules access,
                api::Profile profile = api::Profile::kAws,
                const SignatureVerifier* verifier = nullptr, ShowMetrics show_metrics = nullptr,
                const api::Namespaces* namespaces = nullptr, const PageHandler* control = nullptr,
                const PageHandler* browser = nullptr)
      : service_(service),
        work_memory_(work_memory),
        auth_(auth),
        verifier_(verifier),
        profile_(profile),
        access_(std::move(access)),
        show_metrics_(std::move(show_metrics)),
        namespaces_(namespaces, auth != AuthMode::kVerify),
        control_(control),
        browser_(browser) {}

  // Of a whole request.
  Route find_route(const HttpRequest& request) const;

  // What Access-Control-Allow-Origin is to say; empty for nothing.
  std::string_view allowed_origin(const HttpRequest& request) const;

  // Whether its answer may have a megabyte.
  static bool may_answer_much(const Route& route);

  // Answers a whole request. May change the request's body. `response` has been cleared. False when
  // the call is too much for the thread: Effort::is_exhausted() tells which worker will do. An
  // answer is to be finished then.
  bool answer(const Route& route, std::string_view request_id, HttpRequest& request,
              HttpResponse& response, storage::Effort& effort) const;

  // Compresses the answer if that was asked for.
  static void finish(const HttpRequest& request, HttpResponse& response);
  // finish() is too much for an I/O thread.
  static bool takes_long_to_finish(const HttpRequest& request, const HttpResponse& response);

  // Long calls are to end as soon as they rightly can: pages at their next item.
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& stopping() const { return stopping_; }

 private:
  Route find_served_route(const HttpRequest& request) const;
  std::optional<client::AuthError> find_caller(HttpRequest& request, api::Caller& caller,
                                               std::string& presigned_key) const;
  bool find_page(std::string_view path, Route& route) const;
  bool is_for_browser(const HttpRequest& request) const;
  bool is_for_control(const HttpRequest& request) const;
  void show_page(const Route& route, std::string_view request_id, HttpResponse& response) const;
  std::string describe_refusal() const;
  void tell_whether_ready(HttpResponse& response) const;
  api::Service* enter_namespace(const api::Caller& caller, HttpRequest& request,
                                HttpResponse& response) const;
  bool call_service(const Route& route, std::string_view request_id, HttpRequest& request,
                    HttpResponse& response, storage::Effort& effort) const;

  api::Service& service_;
  std::atomic<bool> stopping_{false};
  WorkMemory& work_memory_;
  const AuthMode auth_;
  const SignatureVerifier* const verifier_;
  const api::Profile profile_;
  const AccessRules access_;
  const ShowMetrics show_metrics_;
  const NamespaceChoice namespaces_;
  const PageHandler* const control_;  // nullptr: there is none
  const PageHandler* const browser_;  // nullptr: there is none
};

}  // namespace magneto::server::http
