#include "server/feeds/delivery/kinesis_client.h"

#include <chrono>
#include <optional>
#include <utility>

#include "api/json/base64.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/client/endpoint/aws_request.h"
#include "server/feeds/delivery/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::feeds {
namespace {

// An answer to PutRecords has some 200 bytes for each record.
constexpr std::size_t kLongestAnswer = std::size_t{1} << 20;
constexpr client::ClientTimeouts kTimeouts{std::chrono::seconds(3), std::chrono::seconds(10)};
// A body is Base64 of the request's data, and a little more.
constexpr std::size_t kFewBytes = 256;

// Whether the request itself is at fault; all other errors may pass.
bool is_about_request(const client::Outcome& outcome) {
  const std::string& type = outcome.error_type;
  return outcome.status == 413 || type == "ValidationException" ||
         type == "InvalidArgumentException" || type == "SerializationException";
}

// For the log: a proxy before an endpoint may answer with pages.
constexpr std::size_t kLongestReason = 300;

std::string reason_of(const client::Outcome& outcome) {
  return system::sanitize_for_log(outcome.reason(), kLongestReason);
}

PutAnswer failed(const client::Outcome& outcome) {
  using Kind = PutAnswer::Kind;
  const bool is_gone = outcome.error_type == "ResourceNotFoundException";
  const Kind kind = is_about_request(outcome) ? Kind::kRefused : Kind::kNotNow;
  return {is_gone ? Kind::kGone : kind, {}, reason_of(outcome)};
}

std::string put_body(const std::string& stream, const OrderedRecords& records,
                     const std::vector<std::size_t>& places) {
  std::size_t bytes = kFewBytes;
  for (const std::size_t place : places) bytes += records.at(place).data.size() * 4 / 3 + kFewBytes;
  std::string body;
  body.reserve(bytes);
  api::json::Writer writer(body);
  writer.begin_object();
  writer.text("StreamName", stream);
  writer.key("Records");
  writer.begin_array();
  for (const std::size_t place : places) {
    const api::FeedRecord& record = records.at(place);
    writer.begin_object();
    writer.key("Data");
    std::string& out = writer.raw();
    out += '"';
    api::json::encode_base64(record.data, out);
    out += '"';
    writer.text("PartitionKey", record.partition_key);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return body;
}

// An answer with another number of records says nothing about any record.
PutAnswer read_put_answer(std::string body, std::size_t count, const std::string& endpoint) {
  api::json::Document document;
  const auto parsed = document.parse(body);
  const api::json::Array results =
      parsed ? parsed->object().find("Records").array() : api::json::Array();
  if (results.size() != count) {
    return {PutAnswer::Kind::kNotNow, {}, messages::kNoKinesisAnswer(endpoint)};
  }
  PutAnswer answer{PutAnswer::Kind::kTaken, {}, {}};
  for (const api::json::Value result : results) {
    const api::json::Object members = result.object();
    const std::string_view error = members.find("ErrorCode").string();
    const bool taken = error.empty() && members.find("SequenceNumber").is_string();
    answer.taken.push_back(taken);
    if (!taken && answer.why.empty()) {
      answer.why = system::sanitize_for_log(
          messages::record_not_taken(error, members.find("ErrorMessage").string()), kLongestReason);
    }
  }
  return answer;
}

}  // namespace

KinesisClient::KinesisClient(client::EndpointUrl url, client::Environment environment,
                             std::function<bool()> is_over)
    : url_(std::move(url)),
      name_(url_.text()),
      environment_(std::move(environment)),
      is_over_(std::move(is_over)),
      connection_(url_, url_.tls ? client::load_certificates({}) : nullptr, kTimeouts,
                  kLongestAnswer) {}

client::Outcome KinesisClient::call(std::string_view operation, std::string_view region,
                                    const std::string& body) {
  client::HttpRequest request{
      .fields = {{"Content-Type", "application/x-amz-json-1.1"},
                 {"X-Amz-Target", std::string("Kinesis_20131202.").append(operation)}},
      .body = body,
      .resends = false};
  // Read each time: temporary keys are replaced in their file.
  client::AwsProfile signer = client::find_signer(url_, environment_);
  signer.region = region;
  client::sign(request, url_, signer, "kinesis");
  try {
    client::HttpAnswer answer = connection_.send(request, is_over_);
    return client::read_outcome(answer.status, std::move(answer.body));
  } catch (const client::ConnectionError& error) {
    return client::no_answer(error.what(), true);
  }
}

PutAnswer KinesisClient::look_for(const std::string& stream, std::string_view region) {
  using Kind = PutAnswer::Kind;
  std::string body;
  api::json::Writer writer(body);
  writer.begin_object();
  writer.text("StreamName", stream);
  writer.end_object();
  client::Outcome outcome = call("DescribeStreamSummary", region, body);
  if (!outcome.succeeded()) {
    const std::string& type = outcome.error_type;
    const bool is_missing = type == "ResourceNotFoundException" || type == "AccessDeniedException";
    if (is_missing) return {Kind::kRefused, {}, reason_of(outcome)};
    // Stand-ins do not have all operations.
    const bool is_unknown = type == "UnknownOperationException" || outcome.status == 404;
    return is_unknown ? PutAnswer{Kind::kTaken, {}, {}}
                      : PutAnswer{Kind::kNotNow, {}, reason_of(outcome)};
  }
  api::json::Document document;
  const auto parsed = document.parse(outcome.body);
  const api::json::Object summary =
      parsed ? parsed->object().find("StreamDescriptionSummary").object() : api::json::Object();
  const std::string_view status = summary.find("StreamStatus").string();
  if (status.empty()) return {Kind::kNotNow, {}, messages::kNoKinesisAnswer(name_)};
  if (status == "ACTIVE" || status == "UPDATING") return {Kind::kTaken, {}, {}};
  const Kind kind = status == "CREATING" ? Kind::kNotNow : Kind::kInactive;
  return {kind, {}, messages::kStreamNotActive(status)};
}

PutAnswer KinesisClient::put(const std::string& stream, std::string_view region,
                             const OrderedRecords& records,
                             const std::vector<std::size_t>& places) {
  client::Outcome outcome = call("PutRecords", region, put_body(stream, records, places));
  if (!outcome.succeeded()) return failed(outcome);
  return read_put_answer(std::move(outcome.body), places.size(), name_);
}

}  // namespace magneto::server::feeds
