#include "server/tools/schema/schema_parameters.h"

#include "server/tools/schema/messages.h"
#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kStack = "local";  // as in AWS SAM's own command line

}  // namespace

std::optional<std::string> SchemaParameters::find(std::string_view name) {
  const auto found = given_.find(std::string(name));
  if (found == given_.end()) return std::nullopt;
  used_.emplace(name);
  return found->second;
}

std::optional<std::string> SchemaParameters::pseudo(std::string_view name) {
  if (!name.starts_with("AWS::")) return std::nullopt;
  if (auto value = find(name)) return value;
  if (name == "AWS::Region") return tell_region_ ? tell_region_() : std::string(kDefaultRegion);
  if (name == "AWS::AccountId") return account_;
  if (name == "AWS::Partition") return "aws";
  if (name == "AWS::URLSuffix") return "amazonaws.com";
  if (name == "AWS::StackName") return std::string(kStack);
  if (name == "AWS::StackId") {
    return "arn:aws:cloudformation:" + region() + ":" + account() + ":stack/" +
           *pseudo("AWS::StackName") + "/00000000-0000-0000-0000-000000000000";
  }
  return std::nullopt;
}

void SchemaParameters::check_owner(const TellRegion& tell, std::uint32_t line) const {
  if (!owner_region_) return;
  const std::string region = tell();
  if (*owner_region_ == region) return;
  throw SchemaError(line, messages::kRegionOfAnother(region, *owner_region_));
}

std::vector<std::string> SchemaParameters::unused() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : given_) {
    if (!used_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace magneto::server::tools::schema
