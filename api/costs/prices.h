#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::api {

// US dollars for a read and for a write; nullopt if it is not known.
struct UnitPrices {
  std::optional<double> read;
  std::optional<double> write;
};

// The prices of a table class.
struct ClassPrices {
  UnitPrices on_demand;    // of a million request units
  UnitPrices provisioned;  // of a capacity unit for an hour
};

// The prices of a region. A replicated write of a global table costs as much as any other write
// (AWS Price List, ReplWriteRequestUnits and ReplWriteCapacityUnit-Hrs).
struct Prices {
  std::string region;
  std::string date;    // of the price list; empty: the request gives all prices
  std::string source;  // likewise
  ClassPrices standard;
  ClassPrices infrequent;  // Standard-IA
};

// The prices of prices.json, which the build compiles in, with those of `given` in their places:
//
//   {"standard": {"on_demand": {"read": 0.125, "write": 0.625}, "provisioned": {...}},
//    "standard_ia": {...}}
//
// `given` may be absent, unless prices.json does not have the region. Throws ControlError.
Prices read_prices(std::string_view region, json::Value given);

// The text of prices.json. The build generates it.
extern const char kPriceFile[];

}  // namespace magneto::api
