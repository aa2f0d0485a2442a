#include "api/authorization/resource_name.h"

#include <algorithm>

#include "api/caller_databases.h"
#include "api/request/arn.h"

namespace magneto::api {
namespace {

constexpr std::string_view kTable = ":table/";
constexpr std::string_view kStream = "/stream/";
constexpr std::string_view kIndex = "/index/";

// The part with that number, from 0, of "arn:aws:dynamodb:us-east-1:123456789012:table/books".
std::string_view part_of(std::string_view arn, int number) {
  for (int i = 0; i < number; ++i) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn.substr(0, arn.find(':'));
}

constexpr int kAccountPart = 4;

}  // namespace

void ResourceNames::name(std::string_view name_or_arn, RequiredPermission& need) const {
  const Caller& caller = request_.caller;
  need.asked.clear();
  if (!name_or_arn.starts_with("arn:")) {
    need.table = table_named(request_, name_or_arn);
    need.resource = storage::table_arn(caller.home_region(), caller.home_account(), name_or_arn);
    if (need.table == nullptr) return;
    need.asked = need.resource;
    need.resource = need.table->schema.arn();
    need.account = need.table->schema.account;
    return;
  }
  need.resource = name_or_arn;
  need.account = part_of(name_or_arn, kAccountPart);
  const std::size_t table = name_or_arn.find(kTable);
  if (table == std::string_view::npos) return;
  const std::size_t end = name_or_arn.find('/', table + kTable.size());
  const std::string_view behind =
      end == std::string_view::npos ? std::string_view() : name_or_arn.substr(end);
  const bool is_part = behind.empty() || behind.starts_with(kIndex) || behind.starts_with(kStream);
  if (!is_part) return;
  const std::string_view of_table = name_or_arn.substr(0, end);
  if (!split_table_arn(of_table)) return;
  storage::TablePtr found = find_table(request_, of_table);
  need.is_stream = behind.starts_with(kStream);
  if (found != nullptr) {
    // The ARN may name another partition.
    need.asked = name_or_arn;
    need.resource = found->schema.arn().append(behind);
    need.account = found->schema.account;
    const bool has_it =
        !need.is_stream || behind.substr(kStream.size()) == found->schema.stream.label;
    if (has_it) need.table = std::move(found);
  }
  if (!need.is_stream || need.table != nullptr) return;
  const auto left = request_.database.find_stream(name_or_arn);
  if (left != nullptr) need.left_policy = left->policy();
}

storage::TablePtr ResourceNames::find_elsewhere(std::string_view table,
                                                std::string_view region) const {
  Caller there = request_.caller;
  there.region = region;
  storage::TablePtr found = request_.databases.find(there).find_table(table);
  // If regions share tables, the found table may be that of the caller's region.
  return found != nullptr && found->schema.region == region ? found : nullptr;
}

void ResourceNames::name(std::string_view table, std::string_view index,
                         RequiredPermission& need) const {
  name(table, need);
  if (index.empty()) return;
  // Index names have no colons. A colon here could let a pattern for a table match.
  std::string safe(index);
  std::ranges::replace(safe, ':', '_');
  need.resource.append(kIndex).append(safe);
  if (!need.asked.empty()) need.asked.append(kIndex).append(safe);
}

void ResourceNames::name_global_table(std::string_view name, RequiredPermission& need) const {
  need.resource = "arn:aws:dynamodb::";
  need.resource.append(request_.caller.home_account()).append(":global-table/").append(name);
}

}  // namespace magneto::api
