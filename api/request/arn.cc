#include "api/request/arn.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/request/request_tables.h"
#include "api/request/table_lookup.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {
namespace {

constexpr std::string_view kArnPrefix = "arn:";

[[noreturn]] void fail_arn(std::string_view arn) { fail_validation(messages::invalid_arn(arn)); }

[[noreturn]] void deny(const Caller& caller, std::string_view operation, std::string_view arn) {
  throw ApiError(ErrorType::kAccessDenied, messages::denied(caller.account, operation, arn));
}

// Removes the text before the next colon, and the colon, from `rest`, and returns the text.
std::string_view take_part(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view part = rest.substr(0, colon);
  rest.remove_prefix(colon + 1);
  return part;
}

bool is_table_name(std::string_view name) {
  return is_resource_name(name) && std::cmp_greater_equal(name.size(), kResourceNameShape.min) &&
         std::cmp_less_equal(name.size(), kResourceNameShape.max);
}

}  // namespace

std::optional<ArnParts> split_arn(std::string_view text) {
  constexpr std::ptrdiff_t kColons = 5;
  if (!text.starts_with(kArnPrefix) || std::ranges::count(text, ':') < kColons) return std::nullopt;
  text.remove_prefix(kArnPrefix.size());
  ArnParts parts;
  for (std::string_view* part : {&parts.partition, &parts.service, &parts.region, &parts.account}) {
    *part = take_part(text);
  }
  parts.resource = text;
  return parts;
}

std::optional<TableArn> split_table_arn(std::string_view arn) {
  constexpr std::string_view kResource = "table/";
  const std::optional<ArnParts> all = split_arn(arn);
  if (!all || all->partition.empty() || all->service != "dynamodb" || all->region.empty() ||
      all->account.empty() || !all->resource.starts_with(kResource)) {
    return std::nullopt;
  }
  TableArn parts{.region = all->region, .account = all->account, .table_name = {}};
  parts.table_name = all->resource.substr(kResource.size());
  if (!is_table_name(parts.table_name)) return std::nullopt;
  return parts;
}

TableArn parse_table_arn(std::string_view arn) {
  const std::optional<TableArn> parts = split_table_arn(arn);
  if (!parts) fail_arn(arn);
  return *parts;
}

namespace {

// DynamoDB Local finds its tables under ARNs of any region and account (DynamoDB Local 3.1.0,
// DescribeTable).
bool is_arn_of(const TableArn& arn, const storage::TableSchema& schema) {
  return (schema.region == arn.region && schema.account == arn.account) ||
         schema.region == kLocalRegion;
}

[[noreturn]] void fail_account() {
  throw ApiError(ErrorType::kAccessDenied, messages::kAccessDenied);
}

// Callers without an account have the account of zeros here. AWS does not know that account: in
// another region, it counts as another caller's (captured facts, "Streams, TTL, Tags").
bool is_of_stranger(const TableArn& arn, const Caller& caller) {
  return arn.account != caller.account ||
         (arn.region != caller.region && arn.account == Caller{}.account);
}

// Refuses resources of a table, which have no tags:
// "arn:aws:dynamodb:us-east-1:123456789012:table/books/index/a".
void check_part_of_table(const storage::Database& database, std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const std::size_t table = arn.find(kTable);
  if (table == std::string_view::npos) return;
  const std::size_t end = arn.find('/', table + kTable.size());
  if (end == std::string_view::npos) return;
  const std::optional<TableArn> parts = split_table_arn(arn.substr(0, end));
  if (!parts) return;
  const std::string_view part = arn.substr(end);
  if (part.starts_with("/index/")) fail_validation(messages::not_of_table_or_stream(arn));
  if (!part.starts_with("/stream/")) fail_validation(messages::not_a_resource_arn(arn));
  if (database.find_stream(arn) == nullptr) {
    throw MissingTable(messages::arn_not_found(arn), parts->table_name);
  }
}

}  // namespace

storage::TablePtr find_resource(const Request& request, std::string_view operation,
                                std::string_view arn) {
  const Caller& caller = request.caller;
  if (!arn.starts_with(kArnPrefix)) fail_validation(messages::not_an_arn(arn));
  std::string_view rest = arn;
  take_part(rest);  // the scheme
  take_part(rest);  // the partition
  const std::string_view service = take_part(rest);
  if (!service.empty() && service != "dynamodb") deny(caller, operation, arn);
  check_part_of_table(request.database, arn);
  const TableArn parts = parse_table_arn(arn);
  storage::TablePtr table = find_table(request, arn);
  if (!table && caller.profile == Profile::kAws) {
    if (is_of_stranger(parts, caller)) fail_account();
    if (parts.region != caller.region) fail_arn(arn);
  }
  if (table && is_restoring(table->schema)) fail_table_not_found(table->schema.name);
  return table;
}

void refuse_foreign_arn(const Caller& caller, std::string_view name_or_arn) {
  if (!name_or_arn.starts_with(kArnPrefix) || caller.profile != Profile::kAws) return;
  const TableArn parts = parse_table_arn(name_or_arn);
  if (parts.region != caller.region) {
    fail_one_validation_error(messages::arn_of_other_region(name_or_arn));
  }
  if (parts.account != caller.account) fail_account();
}

void fail_resource_not_found(std::string_view arn) {
  throw MissingTable(messages::arn_not_found(arn), table_name_of(arn));
}

std::string_view table_name_of(std::string_view name_or_arn) {
  return name_or_arn.starts_with(kArnPrefix) ? parse_table_arn(name_or_arn).table_name
                                             : name_or_arn;
}

storage::TablePtr table_named(const Request& request, std::string_view name) {
  return request.tables != nullptr ? request.tables->find(request.database, name)
                                   : request.database.find_or_refresh_table(name);
}

storage::TablePtr find_table(const Request& request, std::string_view name_or_arn) {
  if (!name_or_arn.starts_with(kArnPrefix)) return table_named(request, name_or_arn);
  const TableArn arn = parse_table_arn(name_or_arn);
  storage::TablePtr table = table_named(request, arn.table_name);
  if (table && !is_arn_of(arn, table->schema)) return nullptr;
  return table;
}

}  // namespace magneto::api
