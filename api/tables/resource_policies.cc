#include "api/tables/resource_policies.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <utility>

#include "api/error.h"
#include "api/messages/policy_messages.h"
#include "api/messages/resource_messages.h"
#include "api/request/arn.h"
#include "api/request/table_lookup.h"

namespace magneto::api {
namespace {

constexpr std::string_view kStream = "/stream/";
constexpr std::string_view kIndex = "/index/";

[[noreturn]] void fail_stream(std::string_view label, std::string_view table) {
  throw ApiError(ErrorType::kResourceNotFound, messages::stream_of_table_not_found(label, table));
}

// Throws if the caller has no such table, or has it under another ARN.
[[noreturn]] void fail_missing(const Caller& caller, std::string_view arn, const TableArn& parts) {
  if (caller.profile == Profile::kAws) {
    if (parts.account != caller.account) fail_validation(messages::kOtherAccount);
    if (parts.region != caller.region || !arn.starts_with("arn:aws:")) {
      fail_validation(messages::invalid_resource_arn(arn));
    }
  }
  fail_table_not_found(parts.table_name);
}

}  // namespace

PolicySubject policy_subject(std::string_view arn) {
  if (!arn.starts_with("arn:")) fail_validation(messages::not_an_arn(arn));
  const std::size_t stream = arn.find(kStream);
  const std::string_view of_table = arn.substr(0, std::min(stream, arn.find(kIndex)));
  if (!split_table_arn(of_table)) fail_validation(messages::not_a_resource_arn(arn));
  if (arn.size() > of_table.size() && of_table.size() != stream) {
    fail_validation(messages::not_of_table_or_stream(arn));
  }
  return stream == std::string_view::npos ? PolicySubject::kTable : PolicySubject::kStream;
}

PolicyResource find_policy_resource(const Request& request, std::string_view arn) {
  const Caller& caller = request.caller;
  const PolicySubject subject = policy_subject(arn);
  const std::size_t stream = arn.find(kStream);
  const std::string_view of_table = arn.substr(0, stream);
  PolicyResource found{find_table(request, of_table), subject, {}};
  const bool is_of_aws = arn.starts_with("arn:aws:") || caller.profile != Profile::kAws;
  if (found.table == nullptr || !is_of_aws) fail_missing(caller, arn, parse_table_arn(of_table));
  if (is_restoring(found.table->schema)) fail_table_not_found(found.table->schema.name);
  if (subject == PolicySubject::kTable) return found;
  found.stream_label = arn.substr(stream + kStream.size());
  if (found.stream_label.empty() || found.stream_label != found.table->schema.stream.label) {
    fail_stream(found.stream_label, found.table->schema.name);
  }
  return found;
}

std::optional<storage::ResourcePolicy>& policy_of(storage::TableSchema& schema,
                                                  const PolicyResource& resource) {
  if (resource.subject == PolicySubject::kTable) return schema.policy;
  if (resource.stream_label != schema.stream.label) {
    fail_stream(resource.stream_label, schema.name);
  }
  return schema.stream_policy;
}

const std::optional<storage::ResourcePolicy>& policy_of(const storage::TableSchema& schema,
                                                        const PolicyResource& resource) {
  return resource.subject == PolicySubject::kTable ? schema.policy : schema.stream_policy;
}

void check_revision(const std::optional<storage::ResourcePolicy>& policy,
                    std::optional<std::string_view> expected, std::string_view table) {
  const auto fail = [](std::string message) {
    throw ApiError(ErrorType::kPolicyNotFound, std::move(message));
  };
  if (!expected) return;
  if (!policy) fail(messages::no_policy_of_revision(*expected, table));
  if (policy->revision == *expected) return;
  fail(messages::other_policy_revision(*expected, table, policy->revision));
}

void write_policy(json::Writer& writer, const storage::ResourcePolicy& policy) {
  constexpr std::string_view kVersioned = R"({"Version":)";
  constexpr std::string_view kFirstVersion = R"({"Version":"2008-10-17",)";
  const std::string_view text = policy.text;
  const bool is_versioned = text.starts_with(kVersioned);
  writer.text("Policy",
              is_versioned ? std::string(text) : std::string(kFirstVersion).append(text.substr(1)));
  writer.text("RevisionId", policy.revision);
}

storage::ResourcePolicy new_policy(std::string text, double now) {
  static std::atomic<std::int64_t> last{0};
  const auto time = static_cast<std::int64_t>(std::llround(now * 1000));
  std::int64_t before = last.load();
  std::int64_t revision = 0;
  do {
    revision = std::max(time, before + 1);
  } while (!last.compare_exchange_weak(before, revision));
  return {std::move(text), std::to_string(revision)};
}

}  // namespace magneto::api
