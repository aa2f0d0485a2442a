#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Sentences of the report of costs, and refusals of requests for it.
namespace magneto::api::messages {

inline constexpr std::string_view kCostFormat =
    "'format' must be \"json\", \"csv\" or \"markdown\".";
// `known`: the regions of the price list.
std::string unknown_price_region(std::string_view region, std::span<const std::string_view> known);
std::string too_many_rates(std::size_t most);

// Marks of patterns.
std::string scans_of_pattern(std::string_view operation, std::string_view table,
                             std::uint64_t calls, double items);
// `place`: a table, or a table and an index.
std::string hot_key(std::string_view key, std::string_view place, double share, std::uint64_t uses);
std::string hot_partition(std::string_view key, std::string_view place, double read_units,
                          double write_units);

// Notes about the whole report.
std::string unknown_rate(std::string_view pattern);
std::string no_provisioned_prices(std::string_view region);
std::string no_on_demand_prices(std::string_view region);
std::string marks_left_out(std::size_t count);

// The sentence above the table.
std::string cost_basis(std::string_view region, double calls_per_second, double utilization);
std::string price_source(std::string_view date, std::string_view source);
inline constexpr std::string_view kOwnPrices = "All prices are those of the request.";
inline constexpr std::string_view kNoMarks = "No pattern stands out.";

}  // namespace magneto::api::messages
