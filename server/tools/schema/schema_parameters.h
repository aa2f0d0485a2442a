#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace magneto::server::tools::schema {

// The values that the user gave with --schema-parameter, and default values that depend on the
// place.
class SchemaParameters {
 public:
  static constexpr std::string_view kDefaultRegion = "us-east-1";

  using Environment = std::function<std::optional<std::string>(const std::string& name)>;

  SchemaParameters(std::map<std::string, std::string> given, std::string account,
                   Environment environment)
      : given_(std::move(given)),
        account_(std::move(account)),
        environment_(std::move(environment)) {}

  // nullopt if it was not given.
  std::optional<std::string> find(std::string_view name);
  // A variable of the process's environment.
  std::optional<std::string> environment(const std::string& name) const {
    return environment_(name);
  }
  // AWS::Region, AWS::AccountId and the like: the given value, or the value here. nullopt for other
  // names.
  std::optional<std::string> pseudo(std::string_view name);

  std::string region() { return *pseudo("AWS::Region"); }
  std::string account() { return *pseudo("AWS::AccountId"); }

  // Returns AWS::Region if the user did not give it; if it is empty, the default region is used.
  using TellRegion = std::function<std::string()>;
  void set_region(TellRegion tell) { tell_region_ = std::move(tell); }

  // With --isolate region: the region that will own the tables.
  void set_owner_region(std::string region) { owner_region_ = std::move(region); }
  // Throws SchemaError if the tables would belong to another region than the one in their file.
  // Calls `tell` only with --isolate region, since the file's region may be unknown if nothing
  // needs it.
  void check_owner(const TellRegion& tell, std::uint32_t line) const;

  // The names that were given but never used.
  std::vector<std::string> unused() const;

 private:
  const std::map<std::string, std::string> given_;
  const std::string account_;
  const Environment environment_;
  TellRegion tell_region_;
  std::optional<std::string> owner_region_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace magneto::server::tools::schema
