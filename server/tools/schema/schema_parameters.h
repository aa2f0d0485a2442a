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

// What the user gave with --schema-parameter, and what the place stands for where a template asks.
class SchemaParameters {
 public:
  static constexpr std::string_view kDefaultRegion = "us-east-1";

  using Environment = std::function<std::optional<std::string>(const std::string& name)>;

  SchemaParameters(std::map<std::string, std::string> given, std::string account,
                   Environment environment)
      : given_(std::move(given)),
        account_(std::move(account)),
        environment_(std::move(environment)) {}

  // nullopt: not given.
  std::optional<std::string> find(std::string_view name);
  // Of the environment of the process.
  std::optional<std::string> environment(const std::string& name) const {
    return environment_(name);
  }
  // AWS::Region, AWS::AccountId and the like, as given or as they are here. nullopt: none of them.
  std::optional<std::string> pseudo(std::string_view name);

  std::string region() { return *pseudo("AWS::Region"); }
  std::string account() { return *pseudo("AWS::AccountId"); }

  // What tells AWS::Region where it was not given; empty: it is the default.
  using TellRegion = std::function<std::string()>;
  void set_region(TellRegion tell) { tell_region_ = std::move(tell); }

  // With --isolate region: whose the tables will be.
  void set_owner_region(std::string region) { owner_region_ = std::move(region); }
  // Throws SchemaError where they will be another region's than that which their file is for. Asks
  // `tell` with --isolate region only, since that may be unknown where nothing needs it.
  void check_owner(const TellRegion& tell, std::uint32_t line) const;

  // Names that were given and that nothing asked for.
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
