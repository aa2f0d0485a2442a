#include "api/messages/cost_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string unknown_price_region(std::string_view region, std::span<const std::string_view> known) {
  return fmt::format(
      "There are no prices of the region '{}': give them in 'prices', or name one of {}.", region,
      fmt::join(known, ", "));
}

std::string too_many_rates(std::size_t most) {
  return fmt::format("'rates' must have at most {} members.", most);
}

std::string scans_of_pattern(std::string_view operation, std::string_view table,
                             std::uint64_t calls, double items) {
  return fmt::format(
      "{} read the table {} without a partition key (calls: {}, items read: {:.0f}).", operation,
      table, calls, items);
}

std::string hot_key(std::string_view key, std::string_view place, double share,
                    std::uint64_t uses) {
  return fmt::format("The partition key {} of {} has {:.0f}% of the uses of all keys: {}.", key,
                     place, 100 * share, uses);
}

std::string hot_partition(std::string_view key, std::string_view place, double read_units,
                          double write_units) {
  return fmt::format(
      "The partition key {} of {} would consume {:.0f} read units and {:.0f} write units a second; a partition has 3,000 and 1,000.",
      key, place, read_units, write_units);
}

std::string unknown_rate(std::string_view pattern) {
  return fmt::format("No recorded request has the pattern '{}' of 'rates'.", pattern);
}

std::string no_provisioned_prices(std::string_view region) {
  return fmt::format(
      "The price list has no price of provisioned capacity in {}: give it in 'prices'.", region);
}

std::string no_on_demand_prices(std::string_view region) {
  return fmt::format("The prices of requests on demand in {} are not known: give them in 'prices'.",
                     region);
}

std::string marks_left_out(std::size_t count) {
  return fmt::format("{} more marks are left out.", count);
}

std::string cost_basis(std::string_view region, double calls_per_second, double utilization) {
  return fmt::format(
      "US dollars for a month of 730 hours in {}, with {} calls a second of each pattern unless its row has another rate. Provisioned capacity is used to {:.0f}%.",
      region, calls_per_second, 100 * utilization);
}

std::string price_source(std::string_view date, std::string_view source) {
  return fmt::format("Prices of {}: {}.", date, source);
}

}  // namespace magneto::api::messages
