#pragma once

#include <cstdint>
#include <string_view>

namespace magneto::api {

// The service that the server imitates. Services differ in more than the protocol.
enum class Profile : std::uint8_t { kAws, kDynamoDbLocal };

// Region and account in the ARNs of DynamoDB Local, for every caller (DynamoDB Local 3.1.0,
// CreateTable).
inline constexpr std::string_view kLocalRegion = "ddblocal";
inline constexpr std::string_view kLocalAccount = "000000000000";

}  // namespace magneto::api
