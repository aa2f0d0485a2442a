#include "api/costs/prices.h"

#include <vector>

#include "api/control_error.h"
#include "api/json/strict_object.h"
#include "api/messages/cost_messages.h"

namespace magneto::api {
namespace {

constexpr double kMostPrice = 1e6;
constexpr std::string_view kClasses[] = {"standard", "standard_ia"};
constexpr std::string_view kModes[] = {"on_demand", "provisioned"};
constexpr std::string_view kUnits[] = {"read", "write"};

void override_units(json::Value given, std::string_view where, UnitPrices& prices) {
  if (!given) return;
  const json::StrictObject members(given, where, kUnits);
  if (const auto read = members.number("read", 0, kMostPrice)) prices.read = read;
  if (const auto write = members.number("write", 0, kMostPrice)) prices.write = write;
}

void override_class(json::Value given, std::string_view where, ClassPrices& prices) {
  if (!given) return;
  const json::StrictObject members(given, where, kModes);
  override_units(members.value("on_demand"), "'on_demand'", prices.on_demand);
  override_units(members.value("provisioned"), "'provisioned'", prices.provisioned);
}

void override_prices(json::Value given, Prices& prices) {
  const json::StrictObject members(given, "'prices'", kClasses);
  override_class(members.value("standard"), "'standard'", prices.standard);
  override_class(members.value("standard_ia"), "'standard_ia'", prices.infrequent);
}

}  // namespace

Prices read_prices(std::string_view region, json::Value given) {
  Prices prices;
  prices.region = region;
  std::string text(kPriceFile);
  json::Document document;
  const json::Object file = document.parse(text).value_or(json::Value()).object();
  const json::Object regions = file.find("regions").object();
  if (const json::Value known = regions.find(region)) {
    prices.date = file.find("date").string();
    prices.source = file.find("source").string();
    override_prices(known, prices);
  } else if (!given) {
    std::vector<std::string_view> names;
    for (const json::Member one : regions) names.push_back(one.name);
    throw ControlError(messages::unknown_price_region(region, names));
  }
  if (given) override_prices(given, prices);
  return prices;
}

}  // namespace magneto::api
