#include "server/http/request_router.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "server/client/signing/authorization.h"
#include "server/formats/body_encoding.h"
#include "server/http/answer_messages.h"
#include "server/http/remote_address.h"
#include "server/http/request_reader.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/stop_messages.h"
#include "server/system/utf8.h"
#include "storage/model/effort.h"

namespace magneto::server::http {
namespace {

// The prefix of X-Amz-Target for each service.
constexpr std::pair<std::string_view, api::WireService> kTargetPrefixes[] = {
    {"DynamoDB_20120810.", api::WireService::kTables},
    {"DynamoDBStreams_20120810.", api::WireService::kStreams},
};
constexpr std::string_view kControlPath = "/_/";
constexpr std::string_view kHealthPath = "/_/health";
constexpr std::string_view kReadyPath = "/_/ready";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kAmazonJson = "application/x-amz-json-1.0";
// Bodies up to this size are not compressed (captured facts 2, HTTP).
constexpr std::size_t kMaxPlainBytes = 4096;

// The content type of the answer to a request with this content type; empty if the protocol does
// not use it. Parameters after a semicolon do not matter.
std::string_view response_content_type(std::string_view content_type) {
  static constexpr std::string_view kKnown[] = {kAmazonJson, "application/x-amz-json-1.1", kJson};
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  const auto* const found = std::find(std::begin(kKnown), std::end(kKnown), content_type);
  return found == std::end(kKnown) ? std::string_view() : *found;
}

const api::Operation* find_target(std::string_view target) {
  for (const auto& [prefix, service] : kTargetPrefixes) {
    if (!target.starts_with(prefix)) continue;
    const api::Operation* operation = api::find_operation(target.substr(prefix.size()));
    return operation != nullptr && operation->service == service ? operation : nullptr;
  }
  return nullptr;
}

// The coding of the answer for this client.
formats::Coding wanted_coding(const HttpRequest& request, const HttpResponse& response) {
  if (response.body.size() <= kMaxPlainBytes || !response.content_encoding.empty() ||
      !request.has(Field::kAcceptEncoding)) {
    return formats::Coding::kIdentity;
  }
  return formats::choose_coding(request.get(Field::kAcceptEncoding));
}

void compress(formats::Coding coding, HttpResponse& response) {
  std::string compressed;
  if (!formats::deflate_body(coding, response.body, compressed)) return;
  response.body.swap(compressed);
  response.content_encoding = formats::name_of(coding);
}

// Decompresses the request's body. On failure, returns false and fills in `response`. An unknown
// coding or a malformed body is answered with an internal server error, as on AWS (captured facts
// 2, HTTP).
bool inflate(HttpRequest& request, HttpResponse& response) {
  const std::optional<formats::Coding> coding =
      formats::read_coding(request.get(Field::kContentEncoding));
  if (coding == formats::Coding::kIdentity) return true;
  std::string plain;
  const formats::Inflated result =
      coding ? formats::inflate_body(*coding, request.body, kMaxBodyBytes, plain)
             : formats::Inflated::kMalformed;
  if (result == formats::Inflated::kDone) {
    request.body.swap(plain);
    // The call may be made a second time.
    request.remove(Field::kContentEncoding);
    return true;
  }
  if (result == formats::Inflated::kTooLarge) {
    response.status = 413;
  } else {
    response.status = api::Service::write_fault(response.body);
    response.report.set_error(api::ErrorType::kInternalServerError);
  }
  return false;
}

// The client gets AWS's own answer, which does not help the author of a handwritten request. So log
// a hint.
void warn_of_no_call() {
  system::log_sparsely(system::LogSource::kCallers, system::LogLevel::kWarning,
                       system::messages::kNotACall);
}

bool is_coded(const HttpRequest& request) {
  return request.has(Field::kContentEncoding) &&
         formats::read_coding(request.get(Field::kContentEncoding)) != formats::Coding::kIdentity;
}

}  // namespace

bool RequestRouter::is_for_browser(const HttpRequest& request) const {
  const std::string_view uri = request.get(Field::kUri);
  return uri.size() >= kControlPath.size() && browser_ != nullptr &&
         browser_->owns(uri.substr(0, uri.find('?')));
}

// The control interface has its own rules about its callers, and no foreign page may read its
// answers.
bool RequestRouter::is_for_control(const HttpRequest& request) const {
  const std::string_view uri = request.get(Field::kUri);
  if (uri.size() < kControlPath.size() || control_ == nullptr || has_pages_only_ ||
      is_for_browser(request)) {
    return false;
  }
  const std::string_view path = uri.substr(0, uri.find('?'));
  return control_->owns(path) && path != kHealthPath && path != kReadyPath;
}

Route RequestRouter::find_route(const HttpRequest& request) const {
  if (is_for_control(request)) {
    Route route;
    route.kind = Route::Kind::kControl;
    route.place = ThreadKind::kControlWorker;
    return route;
  }
  std::string_view refusal = access_.refuse_origin(request);
  if (refusal.empty()) {
    Route route = find_served_route(request);
    if (has_pages_only_ && route.kind != Route::Kind::kHealth) [[unlikely]] {
      return find_route_of_pages(request, route.kind == Route::Kind::kReady);
    }
    // The health answers contain nothing secret, and their callers may know only an address.
    if (route.kind == Route::Kind::kHealth || route.kind == Route::Kind::kReady ||
        route.kind == Route::Kind::kNoCall) {
      return route;
    }
    refusal = access_.refuse_host(request);
    if (refusal.empty()) return route;
  }
  Route refused;
  refused.kind = Route::Kind::kRefused;
  refused.refusal = refusal;
  return refused;
}

// `is_open`: callers may know only an address.
Route RequestRouter::find_route_of_pages(const HttpRequest& request, bool is_open) const {
  Route route;
  if (!is_open) route.refusal = access_.refuse_host(request);
  route.kind = route.refusal.empty() ? Route::Kind::kControl : Route::Kind::kRefused;
  if (route.refusal.empty()) route.place = ThreadKind::kControlWorker;
  return route;
}

Route RequestRouter::find_served_route(const HttpRequest& request) const {
  Route route;
  const bool is_local = profile_ == api::Profile::kDynamoDbLocal;
  if (is_local) route.kind = Route::Kind::kNoCall;
  if (is_for_browser(request)) {
    route.kind = Route::Kind::kBrowser;
    return route;
  }
  switch (request.method) {
    case Method::kGet:
    case Method::kHead: {
      const std::string_view uri = request.get(Field::kUri);
      const std::string_view path = uri.substr(0, uri.find('?'));
      if (find_page(path, route)) return route;
      if (!is_local && (path == "/" || path == "/healthcheck")) route.kind = Route::Kind::kHealth;
      return route;
    }
    case Method::kOptions:
      if (request.has(Field::kOrigin)) route.kind = Route::Kind::kPreflight;
      return route;
    case Method::kPut:
    case Method::kDelete:
    case Method::kOther:
      return route;
    case Method::kPost:
      break;
  }
  route.content_type = response_content_type(request.get(Field::kContentType));
  if (route.content_type.empty()) {
    if (!is_local && !request.body.empty()) return route;
    route.content_type = is_local ? kAmazonJson : kJson;
  }
  route.kind = Route::Kind::kOperation;
  route.operation = find_target(request.get(Field::kTarget));
  if (request.body.size() > kMaxShortBody || is_coded(request)) {
    route.place = ThreadKind::kComputingWorker;
  } else if (route.operation != nullptr && route.operation->writes &&
             !namespaces_.is_open(request) && service_.writes_wait()) {
    route.place = ThreadKind::kWaitingWorker;
  }
  return route;
}

// Finds the pages that exist in every profile.
bool RequestRouter::find_page(std::string_view path, Route& route) const {
  if (path == kHealthPath) {
    route.kind = Route::Kind::kHealth;
  } else if (path == kReadyPath) {
    route.kind = Route::Kind::kReady;
    route.place = ThreadKind::kWaitingWorker;
  } else if (path == "/metrics" && show_metrics_) {
    route.kind = Route::Kind::kMetrics;
    // The page is short but reads files. Many long calls may be running, so it does not queue with
    // them.
    route.place = ThreadKind::kWaitingWorker;
  } else {
    return false;
  }
  return true;
}

// Asks the main namespace. Runs on a worker.
std::string RequestRouter::describe_refusal() const {
  const std::shared_ptr<api::Namespace> main = namespaces_.main();
  return main != nullptr ? main->service().describe_refusal() : service_.describe_refusal();
}

void RequestRouter::tell_whether_ready(HttpResponse& response) const {
  const std::string refusal =
      stopping() ? std::string(system::messages::kIsStopping) : describe_refusal();
  response.content_type = "text/plain";
  response.status = refusal.empty() ? 200 : 503;
  response.body = refusal.empty() ? std::string(messages::kReady) : messages::kNotReady(refusal);
}

// Shows a page that needs the store, which may fail.
void RequestRouter::show_page(const Route& route, std::string_view request_id,
                              HttpResponse& response) const {
  const bool is_metrics = route.kind == Route::Kind::kMetrics;
  try {
    if (is_metrics) {
      show_metrics_(response);
    } else {
      tell_whether_ready(response);
    }
  } catch (const std::exception& error) {
    system::log(
        system::LogLevel::kError,
        system::messages::kFault(is_metrics ? "/metrics" : "/_/ready", request_id, error.what()));
    response.content_type = "text/plain";
    response.status = 500;
    response.body = messages::kPageFailed;
  }
}

std::string_view RequestRouter::allowed_origin(const HttpRequest& request) const {
  if (!request.has(Field::kOrigin) || !access_.refuse_origin(request).empty() ||
      is_for_control(request)) {
    return {};
  }
  return access_.allowed_origin(request);
}

bool RequestRouter::may_answer_much(const Route& route) {
  return route.operation != nullptr && route.operation->answers_much;
}

bool RequestRouter::answer(const Route& route, std::string_view request_id, HttpRequest& request,
                           HttpResponse& response, storage::Effort& effort) const {
  if (route.kind != Route::Kind::kRefused && route.kind != Route::Kind::kBrowser) {
    response.allowed_origin = allowed_origin(request);
  }
  switch (route.kind) {
    case Route::Kind::kOperation:
      if (!call_service(route, request_id, request, response, effort)) return false;
      break;
    case Route::Kind::kHealth:
      response.content_type = "text/plain";
      response.body = messages::kHealthy(api::Caller().region);
      break;
    case Route::Kind::kReady:
    case Route::Kind::kMetrics:
      show_page(route, request_id, response);
      break;
    case Route::Kind::kControl:
      control_->answer(request_id, access_, request, response);
      break;
    case Route::Kind::kBrowser:
      browser_->answer(request_id, access_, request, response);
      break;
    case Route::Kind::kPreflight:
      response.preflight = true;
      break;
    case Route::Kind::kMalformed:  // answered when it was found
    case Route::Kind::kNotFound:
      if (request.method == Method::kPost) warn_of_no_call();
      response.status = 404;
      response.body = "<UnknownOperationException/>\n";
      break;
    case Route::Kind::kNoCall:
      response.content_type = kAmazonJson;
      response.status = api::Service::write_error(api::ErrorType::kMissingAuthenticationToken,
                                                  messages::kNoCall, response.body);
      break;
    case Route::Kind::kRefused:
      response.status = 403;
      response.content_type = "text/plain";
      response.body = route.refusal;
      break;
  }
  return true;
}

bool RequestRouter::takes_long_to_finish(const HttpRequest& request, const HttpResponse& response) {
  return response.body.size() > kMaxShortBody &&
         wanted_coding(request, response) != formats::Coding::kIdentity;
}

void RequestRouter::finish(const HttpRequest& request, HttpResponse& response) {
  const formats::Coding coding = wanted_coding(request, response);
  if (coding != formats::Coding::kIdentity) compress(coding, response);
}

// `presigned_key` holds the text for a view in `caller`.
std::optional<client::AuthError> RequestRouter::find_caller(HttpRequest& request,
                                                            api::Caller& caller,
                                                            std::string& presigned_key) const {
  if (auth_ == AuthMode::kVerify) return verifier_->verify(request, caller);
  if (std::optional<client::AuthError> error = authenticate(auth_, request, caller)) return error;
  // The caller is then the same as with a header.
  if (!request.has(Field::kAuthorization) && caller.access_key.find('%') != std::string::npos) {
    presigned_key = client::unescape(caller.access_key);
    caller.access_key = presigned_key;
  }
  return std::nullopt;
}

// The service of the request's namespace, which the request keeps alive; nullptr if the request is
// refused.
api::Service* RequestRouter::enter_namespace(const api::Caller& caller, HttpRequest& request,
                                             HttpResponse& response) const {
  const std::optional<std::string> refusal = namespaces_.choose(caller, request);
  if (!refusal) return request.chosen != nullptr ? &request.chosen->service() : &service_;
  response.status = api::Service::write_error(api::ErrorType::kValidation, *refusal, response.body);
  response.report.set_error(api::ErrorType::kValidation);
  return nullptr;
}

bool RequestRouter::call_service(const Route& route, std::string_view request_id,
                                 HttpRequest& request, HttpResponse& response,
                                 storage::Effort& effort) const {
  response.content_type = route.content_type;
  if (!request.has(Field::kTarget)) warn_of_no_call();
  api::Caller caller;
  std::string presigned_key;
  caller.profile = profile_;
  caller.host = access_.address_for(request);
  // DynamoDB looks up the operation before it checks credentials.
  if (route.operation != nullptr) {
    if (const auto error = find_caller(request, caller, presigned_key)) {
      response.status = api::Service::write_error(
          error->type, system::to_valid_utf8(error->message), response.body);
      response.report.set_error(error->type);
      return true;
    }
  }
  api::Service* service = &service_;
  // A worker keeps its namespace alive, since its work may take long.
  if (namespaces_.is_open(request) || effort.may_wait()) [[unlikely]] {
    service = enter_namespace(caller, request, response);
    if (service == nullptr) return true;
  }
  if (request.has(Field::kContentEncoding) && !inflate(request, response)) return true;
  std::string address;
  if (service->wants_addresses()) [[unlikely]] {
    address = remote_address(request.descriptor);
    caller.address = address;
  }
  const WorkMemory::Use use(work_memory_, request.body.size());
  const std::optional<int> status = service->try_call(
      route.operation, caller, request_id, request.body, response.body, effort, &response.report);
  if (!status) return false;
  request.chosen.reset();
  response.status = *status;
  return true;
}

}  // namespace magneto::server::http
