#include "api/messages/control_messages.h"

#include <fmt/format.h>

#include "api/times.h"

namespace magneto::api::messages {

std::string not_an_object(std::string_view where) {
  return fmt::format("A JSON object is expected for {}.", where);
}

std::string unknown_member(std::string_view name, std::string_view where,
                           std::span<const std::string_view> known) {
  return fmt::format("There is no member '{}' in {}. The members are {}.", name.substr(0, 100),
                     where, fmt::join(known, ", "));
}

std::string doubled_member(std::string_view name, std::string_view where) {
  return fmt::format("The member '{}' occurs twice in {}.", name.substr(0, 100), where);
}

std::string not_a_text(std::string_view name, std::size_t max_bytes) {
  return fmt::format("'{}' must be a string of 1 to {} bytes.", name, max_bytes);
}

std::string not_a_boolean(std::string_view name) {
  return fmt::format("'{}' must be true or false.", name);
}

std::string not_a_number(std::string_view name, double least, double most) {
  return fmt::format("'{}' must be a number from {} to {}.", name, least, most);
}

std::string not_a_whole_number(std::string_view name, std::int64_t least, std::int64_t most) {
  return fmt::format("'{}' must be a whole number from {} to {}.", name, least, most);
}

std::string not_a_duration(std::string_view name, std::chrono::nanoseconds most) {
  const auto whole = std::chrono::floor<std::chrono::days>(most);
  return fmt::format(
      "'{}' must be a duration of at most {}, like \"250ms\", \"10s\" or \"1h30m\".", name,
      whole == most ? fmt::format("{}d", whole.count())
                    : duration_text(std::chrono::floor<std::chrono::microseconds>(most)));
}

std::string not_a_list(std::string_view name, std::size_t most) {
  return fmt::format("'{}' must be a list of 1 to {} members.", name, most);
}

std::string unknown_operation(std::string_view name) {
  return fmt::format("There is no operation '{}'.", name.substr(0, 100));
}

std::string unknown_error(std::string_view name) {
  return fmt::format(
      "There is no error '{}': it must be a name that DynamoDB has, like \"ThrottlingException\".",
      name.substr(0, 100));
}

std::string too_many_rules(std::size_t most) {
  return fmt::format("There are {} rules, which is the maximum: delete some first.", most);
}

std::string long_rule(std::size_t most) {
  return fmt::format("A rule has at most {} bytes.", most);
}

std::string no_rule(std::string_view id) {
  return fmt::format("There is no rule '{}'.", id.substr(0, 100));
}

std::string not_of_operation(std::string_view fault, std::string_view operation) {
  return fmt::format("{} cannot happen to {}.", fault, operation);
}

std::string not_with_error(std::string_view member, std::string_view error) {
  return fmt::format("'{}' does not go with {}.", member, error);
}

std::string only_with_error(std::string_view member) {
  return fmt::format("'{}' goes with 'error' alone.", member);
}

std::string unknown_reason(std::string_view reason) {
  return fmt::format("There is no reason '{}' of this error.", reason.substr(0, 100));
}

std::string too_many_waiters(std::size_t most) {
  return fmt::format("{} requests already wait for the journal, which is the maximum.", most);
}

std::string only_true(std::string_view name) { return fmt::format("'{}' can only be true.", name); }

std::string records_dropped(std::uint64_t count) {
  return fmt::format(
      "{} requests were dropped from the journal before they could be looked at: let it hold more bytes, or ask earlier.",
      count);
}

std::string has_scanned(std::string_view operation, std::string_view table) {
  return fmt::format("{} read the table {} without a partition key.", operation, table);
}

std::string has_failed(std::string_view operation, std::string_view error, int status) {
  const std::string_view name = operation.empty() ? "An unknown operation" : operation;
  if (status == 0) return fmt::format("{} got no whole answer.", name);
  return fmt::format("{} ended with {} (status {}).", name, error, status);
}

std::string too_many_units(double units, double most) {
  return fmt::format("The requests consumed {} units, more than {}.", units, most);
}

std::string too_many_writes(std::string_view key, std::string_view table, std::size_t count,
                            std::int64_t most) {
  return fmt::format("The item {} of the table {} was written {} times, more than {}.", key, table,
                     count, most);
}

std::string too_many_calls(std::string_view operation, std::size_t count, std::int64_t most) {
  if (operation.empty()) return fmt::format("There were {} calls, more than {}.", count, most);
  return fmt::format("{} was called {} times, more than {}.", operation, count, most);
}

std::string reads_too_much(std::string_view operation, std::string_view table, std::int64_t read,
                           std::int64_t returned) {
  return fmt::format("{} on the table {} read {} items and returned {}.", operation, table, read,
                     returned);
}

std::string used_other_table(std::string_view table) {
  return fmt::format("The table {} was used.", table);
}

std::string n_plus_one(std::string_view operation, std::string_view table, std::size_t keys) {
  return fmt::format(
      "{} was called in a row for {} keys of the table {}, which one request for all of them could do.",
      operation, keys, table);
}

}  // namespace magneto::api::messages
