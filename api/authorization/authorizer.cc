#include "api/authorization/authorizer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/access/texts.h"
#include "api/call_report.h"
#include "api/error.h"
#include "api/messages/access_messages.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/times.h"

namespace magneto::api {
namespace {

using access::Source;

// Removes the port from "127.0.0.1:4711" or "[::1]:4711".
std::string address_of(std::string_view text) {
  text = text.substr(0, text.rfind(':'));
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return std::string(text);
}

const std::optional<storage::ResourcePolicy>& policy_of(const RequiredPermission& need) {
  if (need.table == nullptr) return need.left_policy;
  const storage::TableSchema& schema = need.table->schema;
  return need.is_stream ? schema.stream_policy : schema.policy;
}

// The most frequent case: an administrator's request for one table without a policy.
bool is_plainly_free(const Operation& operation, const Request& request) {
  if (!is_about_one_table(operation)) return false;
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  if (name.empty() || name.starts_with("arn:")) return false;
  const storage::TablePtr table = table_named(request, name);
  return table != nullptr && !table->schema.policy && !table->schema.stream_policy;
}

std::string_view in_words(Source source) {
  switch (source) {
    case Source::kResource:
      return "a resource-based policy";
    case Source::kBoundary:
      return "a permissions boundary";
    case Source::kSession:
      return "a session policy";
    default:
      return "an identity-based policy";
  }
}

std::string refusal_of(const RequiredPermission& need, const access::Decision& decision) {
  const std::string reason =
      decision.source == Source::kLimit ? std::string(messages::kTooMuchToDecide)
      : decision.by_statement
          ? messages::explicitly_denied(in_words(decision.source))
          : messages::nothing_allows(access::source_text(decision.source), decision.action);
  return messages::not_authorized(decision.principal, decision.action,
                                  need.asked.empty() ? decision.resource : need.asked, reason);
}

void set_if_given(std::string_view key, std::string_view value, access::Context& context) {
  if (!value.empty()) context.set(key, std::string(value));
}

// Sets the condition keys of one need.
void fill(const RequiredPermission& need, access::Context& context) {
  if (need.leading_keys) context.set("dynamodb:leadingkeys", *need.leading_keys);
  if (need.attributes) context.set("dynamodb:attributes", *need.attributes);
  if (need.full_table_scan) {
    context.set("dynamodb:fulltablescan", *need.full_table_scan ? "true" : "false");
  }
  set_if_given("dynamodb:select", need.select, context);
  set_if_given("dynamodb:returnvalues", need.return_values, context);
  set_if_given("dynamodb:returnconsumedcapacity", need.return_consumed_capacity, context);
  set_if_given("dynamodb:enclosingoperation", need.enclosing_operation, context);
  set_if_given("aws:resourceaccount", need.account, context);
  const auto set_tag = [&](std::string_view prefix, const auto& tag) {
    context.set(access::lower_case(access::joined(prefix, tag.first)), tag.second);
  };
  for (const auto& tag : need.request_tags) set_tag("aws:requesttag/", tag);
  if (need.tag_keys) context.set("aws:tagkeys", *need.tag_keys);
  if (need.table == nullptr) return;
  for (const auto& tag : need.table->schema.tags) set_tag("aws:resourcetag/", tag);
}

}  // namespace

// Authorizes one request of one principal.
class Authorizer::Session {
 public:
  Session(const Request& request, const access::Identity* identity, bool is_secure,
          PolicyCache& policies)
      : request_(request),
        identity_(identity),
        policies_(policies),
        principal_(access::principal_of(name_of(request.caller), identity)),
        meter_(&request.effort) {
    access::add_principal_keys(principal_, identity, context_);
    const double now = request.database.clock().epoch_seconds();
    context_.set("aws:currenttime", seconds_text(now));
    context_.set("aws:epochtime", std::to_string(std::llround(std::floor(now))));
    context_.set("aws:securetransport", is_secure ? "true" : "false");
    set_if_given("aws:requestedregion", request.caller.region, context_);
    set_if_given("aws:sourceip", address_of(request.caller.address), context_);
  }

  static access::CallerName name_of(const Caller& caller) {
    return {caller.access_key, caller.principal_arn, caller.account};
  }

  access::Decision decide(const RequiredPermission& need) {
    access::Context context(&context_);
    fill(need, context);
    const std::string action = access::joined("dynamodb:", need.action);
    access::Applicable applicable{.is_administrator = identity_ == nullptr, .identity = {}};
    if (identity_ != nullptr) {
      applicable.identity = identity_->policies;
      applicable.groups = identity_->groups;
      if (identity_->boundary) applicable.boundary = &*identity_->boundary;
      if (identity_->session) applicable.session = &*identity_->session;
    }
    std::shared_ptr<const access::Policy> resource;
    if (const auto& stored = policy_of(need)) resource = policies_.find(*stored);
    applicable.resource = resource.get();
    // In DynamoDB Local, all tables belong to one account, also for callers of others.
    applicable.same_account = need.account.empty() || need.account == principal_.account ||
                              request_.caller.profile == Profile::kDynamoDbLocal;
    access::Decision decision{
        .principal = principal_.arn, .action = need.action, .resource = need.resource};
    access::decide({principal_, action, need.resource, context}, applicable, meter_, decision);
    return decision;
  }

  access::Decision allow(const RequiredPermission& need) const {
    return {.principal = principal_.arn,
            .action = need.action,
            .resource = need.resource,
            .allowed = true};
  }

 private:
  const Request& request_;
  const access::Identity* const identity_;
  PolicyCache& policies_;
  const access::Principal principal_;
  access::Meter meter_;
  access::Context context_;
};

void Authorizer::authorize(const Operation& operation, const Request& request,
                           std::vector<access::Decision>* decisions) {
  const Caller& caller = request.caller;
  if (caller.principal_arn.empty()) return;
  const std::shared_ptr<const access::Identities> identities = identities_();
  const access::Identity* const identity =
      identities == nullptr ? nullptr : identities->find(Session::name_of(caller));
  if (identity == nullptr && decisions == nullptr && is_plainly_free(operation, request)) {
    return;
  }
  std::vector<RequiredPermission> needs =
      required_permissions_of(operation, request, identity != nullptr);
  const bool is_free =
      identity == nullptr && std::ranges::none_of(needs, [](const RequiredPermission& need) {
        return policy_of(need).has_value();
      });
  if (is_free && decisions == nullptr) return;
  Session session(request, identity, is_secure_, policies_);
  if (identity == nullptr && !is_free) needs = required_permissions_of(operation, request, true);
  const bool is_batch = operation.name == "BatchExecuteStatement" && request.report != nullptr;
  for (const RequiredPermission& need : needs) {
    access::Decision decision = is_free ? session.allow(need) : session.decide(need);
    const bool allowed = decision.allowed;
    const std::string why = allowed ? std::string() : refusal_of(need, decision);
    if (decisions != nullptr) decisions->push_back(std::move(decision));
    if (allowed) continue;
    if (!is_batch) throw ApiError(ErrorType::kAccessDenied, why);
    request.report->deny_member(need.member, why);
  }
}

}  // namespace magneto::api
