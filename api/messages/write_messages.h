#pragma once

#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

// Writes of items.
namespace magneto::api::messages {

// AWS API reference.
inline constexpr std::string_view kReplicatedConflict =
    "The request was rejected because one or more items in the request are being modified by a request in another Region.";
inline constexpr std::string_view kConditionFailed = "The conditional request failed";
inline constexpr std::string_view kCollectionFull = "Collection size exceeded.";
// Magneto's own, with --store.
std::string key_too_long(std::size_t bytes, std::size_t limit);
inline constexpr std::string_view kItemTooLarge = "Item size has exceeded the maximum allowed size";
inline constexpr std::string_view kOnlyOldValues = "ReturnValues can only be ALL_OLD or NONE";
// AttributeUpdates.
inline constexpr std::string_view kUpdatedType = "Type mismatch for attribute to update";
inline constexpr std::string_view kOnlyDeleteWithoutValue =
    "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified";
// With AWS's stray quote.
inline constexpr std::string_view kUnknownAction =
    "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action";
std::string delete_of_type(storage::AttributeType type);
std::string add_of_type(storage::AttributeType type);

// BatchWriteItem.
inline constexpr std::string_view kNoRequestItems =
    "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1";
inline constexpr std::string_view kTooManyWrites =
    "Too many items requested for the BatchWriteItem call";

}  // namespace magneto::api::messages
