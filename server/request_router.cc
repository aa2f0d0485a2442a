#include "server/request_router.h"

#include <algorithm>
#include <utility>

#include "server/body_encoding.h"
#include "server/request_reader.h"

namespace magneto::server {
namespace {

// What X-Amz-Target begins with, for each family of operations.
constexpr std::pair<std::string_view, api::Family> kTargetPrefixes[] = {
    {"DynamoDB_20120810.", api::Family::kTables},
    {"DynamoDBStreams_20120810.", api::Family::kStreams},
};
constexpr std::string_view kJson = "application/json";
// Below this a compressed body saves less than it costs.
constexpr std::size_t kMinCompressedBytes = 4096;

// The content type of the answer to a request with that content type; empty when it is not one of
// the protocol's. Parameters after a semicolon do not matter.
std::string_view response_content_type(std::string_view content_type) {
  static constexpr std::string_view kKnown[] = {"application/x-amz-json-1.0",
                                                "application/x-amz-json-1.1", kJson};
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  const auto* const found = std::find(std::begin(kKnown), std::end(kKnown), content_type);
  return found == std::end(kKnown) ? std::string_view() : *found;
}

const api::Operation* find_target(std::string_view target) {
  for (const auto& [prefix, family] : kTargetPrefixes) {
    if (!target.starts_with(prefix)) continue;
    const api::Operation* operation = api::find_operation(target.substr(prefix.size()));
    return operation != nullptr && operation->family == family ? operation : nullptr;
  }
  return nullptr;
}

void compress_if_asked(const HttpRequest& request, HttpResponse& response) {
  if (response.body.size() < kMinCompressedBytes || !request.has(Field::kAcceptEncoding) ||
      !accepts_gzip(request.get(Field::kAcceptEncoding))) {
    return;
  }
  std::string compressed;
  if (!deflate_gzip(response.body, compressed)) return;
  response.body.swap(compressed);
  response.gzip = true;
}

bool is_health_path(std::string_view uri) {
  const std::string_view path = uri.substr(0, uri.find('?'));
  return path == "/" || path == "/healthcheck";
}

}  // namespace

Route RequestRouter::find_route(const HttpRequest& request) const {
  Route route;
  switch (request.method) {
    case Method::kGet:
    case Method::kHead:
      if (is_health_path(request.get(Field::kUri))) route.kind = Route::Kind::kHealth;
      return route;
    case Method::kOptions:
      if (request.has(Field::kOrigin)) route.kind = Route::Kind::kPreflight;
      return route;
    case Method::kOther:
      return route;
    case Method::kPost:
      break;
  }
  route.content_type = response_content_type(request.get(Field::kContentType));
  if (route.content_type.empty()) {
    if (!request.body.empty()) return route;
    route.content_type = kJson;
  }
  route.kind = Route::Kind::kOperation;
  route.operation = find_target(request.get(Field::kTarget));
  route.may_wait = sync_writes_ && route.operation != nullptr && route.operation->writes;
  return route;
}

bool RequestRouter::answer(const Route& route, std::string_view request_id, HttpRequest& request,
                           HttpResponse& response, storage::Effort& effort) const {
  switch (route.kind) {
    case Route::Kind::kOperation:
      if (!call_service(route, request_id, request, response, effort)) return false;
      break;
    case Route::Kind::kHealth:
      response.content_type = "text/plain";
      // The blank at the end is DynamoDB's (captured facts, error wire format).
      response.body.append("healthy: dynamodb.").append(api::Caller().region);
      response.body.append(".amazonaws.com ");
      break;
    case Route::Kind::kPreflight:
      response.preflight = true;
      break;
    case Route::Kind::kNotFound:
      response.status = 404;
      response.body = "<UnknownOperationException/>\n";
      break;
  }
  compress_if_asked(request, response);
  return true;
}

bool RequestRouter::call_service(const Route& route, std::string_view request_id,
                                 HttpRequest& request, HttpResponse& response,
                                 storage::Effort& effort) const {
  response.content_type = route.content_type;
  api::Caller caller;
  // DynamoDB looks for the operation before it asks for credentials.
  if (route.operation != nullptr) {
    if (const std::optional<AuthError> error = authenticate(auth_, request, caller)) {
      response.status = api::Service::write_error(error->type, error->message, response.body);
      return true;
    }
  }
  const std::string_view encoding = request.get(Field::kContentEncoding);
  if (!encoding.empty() && encoding != "identity") {
    if (encoding != "gzip") {
      response.status = 415;
      response.content_type = "text/plain";
      response.body = "Content-Encoding must be gzip or identity\n";
      return true;
    }
    std::string plain;
    switch (inflate_gzip(request.body, kMaxBodyBytes, plain)) {
      case Inflated::kDone:
        request.body.swap(plain);
        break;
      case Inflated::kMalformed:
        response.status =
            api::Service::write_error(api::ErrorType::kSerialization, {}, response.body);
        return true;
      case Inflated::kTooLarge:
        response.status = 413;
        return true;
    }
  }
  const std::optional<int> status =
      service_.try_call(route.operation, caller, request_id, request.body, response.body, effort);
  if (!status) return false;
  response.status = *status;
  return true;
}

}  // namespace magneto::server
