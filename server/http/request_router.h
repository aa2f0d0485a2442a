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

// The kind of thread that answers a request (storage/model/effort.h).
enum class ThreadKind : std::uint8_t {
  kIoThread,
  kWaitingWorker,    // may wait for the disk
  kComputingWorker,  // may wait, and may work for any length of time
  kControlWorker,    // like kComputingWorker; a control request may wait for minutes
};

// A body up to this size is parsed and checked within three milliseconds, with any content. The
// slowest known content, a list of attributes to get, takes 90 ns a byte. An answer of this size is
// compressed within the same time.
inline constexpr std::size_t kMaxShortBody = 32 * 1024;

// The destination of one request.
struct Route {
  enum class Kind : std::uint8_t {
    kOperation,  // a call of the service; `operation` is nullptr for an unknown one
    kHealth,     // GET /, GET /healthcheck and GET /_/health
    kReady,      // GET /_/ready
    kMetrics,    // GET /metrics
    kBrowser,    // the page at /_/ and its files, if the server has one
    kControl,    // all other paths that begin with /_/
    kPreflight,  // OPTIONS with Origin
    kNotFound,   // any other method, path or content type
    kNoCall,     // everything but operations and pre-flights, in the profile of DynamoDB Local
    kRefused,    // not served: see `refusal`
    kMalformed,  // not an HTTP request; found before routing
  };
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kMalformed) + 1;
  Kind kind = Kind::kNotFound;
  const api::Operation* operation = nullptr;
  std::string_view content_type;  // of the answer
  std::string_view refusal;       // the reason, for the client
  // The kind of thread that answers the request, or tries first. A call may turn out to need
  // another.
  ThreadKind place = ThreadKind::kIoThread;
};

// Turns HTTP requests into calls of the service, and their results into HTTP responses. Does not
// depend on sockets. Thread-safe.
class RequestRouter {
 public:
  // Answers GET /metrics. If it is empty, that path is not found.
  using ShowMetrics = std::function<void(HttpResponse&)>;

  // `verifier` is for AuthMode::kVerify. `service` belongs to the first main namespace; it is used
  // while that is plain (Namespaces::is_plain). `namespaces`: nullptr if there are no others.
  // `control`: nullptr if its paths are not found. `browser`: nullptr if there is none.
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

  // Sends every request but those for health to `pages`, whatever its path and method. The service
  // answers none.
  RequestRouter(api::Service& service, WorkMemory& work_memory, AccessRules access,
                const PageHandler& pages)
      : service_(service),
        work_memory_(work_memory),
        auth_(AuthMode::kOff),
        verifier_(nullptr),
        profile_(api::Profile::kAws),
        access_(std::move(access)),
        namespaces_(nullptr, false),
        control_(&pages),
        browser_(nullptr),
        has_pages_only_(true) {}

  // The route of a complete request.
  Route find_route(const HttpRequest& request) const;

  // The value of Access-Control-Allow-Origin; empty: no such header.
  std::string_view allowed_origin(const HttpRequest& request) const;

  // Whether the answer may have a megabyte.
  static bool may_answer_much(const Route& route);

  // Answers a complete request. May change the request's body. `response` is clear at the start.
  // Returns false if the call is too much for this kind of thread; Effort::is_exhausted() then
  // tells which worker can do it. If it returns true, call finish() on the answer.
  bool answer(const Route& route, std::string_view request_id, HttpRequest& request,
              HttpResponse& response, storage::Effort& effort) const;

  // Compresses the answer if the client asked for it.
  static void finish(const HttpRequest& request, HttpResponse& response);
  // True if finish() is too much work for an I/O thread.
  static bool takes_long_to_finish(const HttpRequest& request, const HttpResponse& response);

  // Asks long calls to end as soon as they correctly can: a page of results ends at its next item.
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& stopping() const { return stopping_; }

 private:
  Route find_served_route(const HttpRequest& request) const;
  Route find_route_of_pages(const HttpRequest& request, bool is_open) const;
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
  const PageHandler* const control_;   // nullptr if there is none
  const PageHandler* const browser_;   // nullptr if there is none
  const bool has_pages_only_ = false;  // control_ answers every request but those for health
};

}  // namespace magneto::server::http
