#include "server/client/objects/s3_client.h"

#include <chrono>
#include <optional>
#include <utility>

#include "server/client/endpoint/aws_request.h"
#include "server/client/endpoint/retry_delays.h"
#include "server/client/objects/messages.h"
#include "server/client/objects/s3_region.h"
#include "server/system/utf8.h"

namespace magneto::server::client {
namespace {

using std::chrono::steady_clock;
using Kind = ObjectError::Kind;

constexpr ClientTimeouts kTimeouts{std::chrono::seconds(3), std::chrono::seconds(30)};
// The time of one call, from its first attempt to the start of its last.
constexpr std::chrono::seconds kPatience{60};
// A proxy before S3 may answer with pages.
constexpr std::size_t kLongestReason = 300;

bool is_success(const HttpAnswer& answer) { return answer.status >= 200 && answer.status < 300; }

bool may_pass(const HttpAnswer& answer) {
  constexpr int kTooManyRequests = 429;
  constexpr int kNotImplemented = 501;
  return (answer.status >= 500 && answer.status != kNotImplemented) ||
         answer.status == kTooManyRequests;
}

// Appends a key as a part of a path; its slashes stay.
void append_path(std::string_view key, std::string& path) {
  while (true) {
    const std::size_t slash = key.find('/');
    append_escaped(key.substr(0, slash), path);
    if (slash == std::string_view::npos) return;
    path += '/';
    key.remove_prefix(slash + 1);
  }
}

void append_parameter(std::string_view name, std::string_view value, std::string& query) {
  query.append(query.empty() ? "" : "&").append(name).append("=");
  append_escaped(value, query);
}

Kind kind_of(int status, std::string_view code, bool is_of_key) {
  if (code == "NoSuchBucket") return Kind::kNoBucket;
  if (code == "NoSuchKey") return Kind::kNoKey;
  if (status == 401 || status == 403) return Kind::kDenied;
  if (status == 404) return is_of_key ? Kind::kNoKey : Kind::kNoBucket;
  // Another object has the key now, or a shorter one.
  if (is_of_key && (status == 412 || status == 416)) return Kind::kObject;
  return Kind::kFailed;
}

}  // namespace

S3Client::S3Client(std::shared_ptr<const S3Location> place, BucketAccess access,
                   std::function<bool()> is_over)
    : place_(std::move(place)),
      access_(std::move(access)),
      is_over_(std::move(is_over)),
      connection_(place_->url, place_->certificates, kTimeouts, kPieceBytes + kPieceBytes / 8) {}

HttpAnswer S3Client::attempt(const Query& query) {
  std::string uri = "/" + access_.name;
  if (!query.key.empty()) append_path("/" + query.key, uri);
  if (!query.parameters.empty()) uri += "?" + query.parameters;
  HttpRequest request{.method = query.method,
                      .target = uri,
                      .fields = query.fields,
                      .body = query.body,
                      .resends = query.repeats};
  if (!access_.owner.empty()) {
    request.fields.push_back({"X-Amz-Expected-Bucket-Owner", access_.owner});
  }
  // Read each time: temporary keys are replaced in their file.
  AwsProfile signer = find_signer(place_->url, place_->environment);
  signer.region = s3_region(place_->url.host, signer.region);
  sign(request, place_->url, signer, "s3");
  return connection_.send(request, is_over_);
}

HttpAnswer S3Client::call(const Query& query) {
  RetryDelays delays;
  const auto begun = steady_clock::now();
  while (true) {
    // A server that answers at once never makes the client wait, so check here too.
    if (is_over_()) throw ObjectError(Kind::kFailed, std::string(messages::kS3CallEnded));
    std::optional<HttpAnswer> answer;
    std::string lost;
    bool is_final = !query.repeats;
    try {
      answer = attempt(query);
      if (is_success(*answer)) return std::move(*answer);
      is_final = is_final || !may_pass(*answer);
    } catch (const ConnectionError& error) {
      lost = error.what();
      is_final = is_final || error.kind() == ConnectionError::Kind::kUntrusted ||
                 error.kind() == ConnectionError::Kind::kUnsendable;
    }
    const bool is_patient = !is_final && steady_clock::now() - begun < kPatience;
    if (is_patient && delays.wait(true, is_over_)) continue;
    if (answer) fail(query, *answer);
    throw ObjectError(Kind::kFailed, messages::kS3Unreachable(lost));
  }
}

void S3Client::fail(const Query& query, const HttpAnswer& answer) const {
  S3Error error = read_s3_error(answer.body);
  error.message = system::sanitize_for_log(error.message, kLongestReason);
  error.code = system::sanitize_for_log(error.code, kLongestReason);
  throw ObjectError(
      kind_of(answer.status, error.code, query.method == "GET" && !query.key.empty()),
      messages::s3_refused(access_.name, query.key, answer.status, error.code, error.message));
}

S3Page S3Client::list(std::string_view prefix, std::string_view next) {
  Query query{.method = "GET"};
  if (!next.empty()) append_parameter("continuation-token", next, query.parameters);
  append_parameter("encoding-type", "url", query.parameters);
  append_parameter("list-type", "2", query.parameters);
  append_parameter("prefix", prefix, query.parameters);
  const HttpAnswer answer = call(query);
  auto page = read_s3_page(answer.body);
  if (!page) throw ObjectError(Kind::kFailed, messages::kNoS3Answer(place_->url.text()));
  return *std::move(page);
}

std::string S3Client::get(const S3Listed& object, std::uint64_t offset, std::size_t size) {
  Query query{.method = "GET", .key = object.key};
  query.fields.push_back(
      {"Range", "bytes=" + std::to_string(offset) + "-" + std::to_string(offset + size - 1)});
  // Without this, parts of two objects could be read if one replaces the other.
  if (!object.etag.empty()) query.fields.push_back({"If-Match", object.etag});
  HttpAnswer answer = call(query);
  if (answer.body.size() != size) {
    throw ObjectError(Kind::kObject, messages::kOtherObjectSize(object.key, access_.name));
  }
  return std::move(answer.body);
}

void S3Client::put(const std::string& key, std::string_view body) {
  Query query{.method = "PUT", .key = key, .body = body};
  const bool is_kms = access_.encryption == "KMS";
  if (!access_.encryption.empty()) {
    query.fields.push_back(
        {"X-Amz-Server-Side-Encryption", is_kms ? "aws:kms" : access_.encryption});
  }
  if (is_kms && !access_.encryption_key.empty()) {
    query.fields.push_back({"X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id", access_.encryption_key});
  }
  call(query);
}

void S3Client::remove(const std::string& key) {
  call({.method = "DELETE", .key = key, .repeats = false});
}

}  // namespace magneto::server::client
