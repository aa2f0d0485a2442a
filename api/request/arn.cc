#include "api/request/arn.h"

#include <string>

#include "api/error.h"
#include "api/validation/common_shapes.h"

namespace magneto::api {
namespace {

constexpr std::string_view kArnPrefix = "arn:";

[[noreturn]] void fail_arn(std::string_view arn) {
  fail_validation("Invalid TableArn: Invalid ResourceArn provided as input " + std::string(arn));
}

// Splits the text before the next colon off `rest`.
std::string_view take_part(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view part = rest.substr(0, colon);
  rest.remove_prefix(colon + 1);
  return part;
}

}  // namespace

TableArn parse_table_arn(std::string_view arn) {
  constexpr std::string_view kResource = "table/";
  std::string_view rest = arn;
  const std::string_view scheme = take_part(rest);
  const std::string_view partition = take_part(rest);
  const std::string_view service = take_part(rest);
  TableArn parts;
  parts.region = take_part(rest);
  parts.account = take_part(rest);
  if (scheme != "arn" || partition.empty() || service != "dynamodb" || parts.region.empty() ||
      parts.account.empty() || !rest.starts_with(kResource)) {
    fail_arn(arn);
  }
  parts.table_name = rest.substr(kResource.size());
  if (!is_resource_name(parts.table_name)) fail_arn(arn);
  return parts;
}

std::string_view table_name_of(std::string_view name_or_arn) {
  return name_or_arn.starts_with(kArnPrefix) ? parse_table_arn(name_or_arn).table_name
                                             : name_or_arn;
}

storage::TablePtr find_table(const storage::Database& database, std::string_view name_or_arn) {
  if (!name_or_arn.starts_with(kArnPrefix)) return database.find_table(name_or_arn);
  const TableArn arn = parse_table_arn(name_or_arn);
  storage::TablePtr table = database.find_table(arn.table_name);
  if (table && (table->schema.region != arn.region || table->schema.account != arn.account)) {
    return nullptr;
  }
  return table;
}

}  // namespace magneto::api
