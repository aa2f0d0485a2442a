#pragma once

#include <cstdint>
#include <string_view>

namespace magneto::api {

// Whose habits the server has where they differ from one another beside the protocol.
enum class Profile : std::uint8_t { kAws, kDynamoDbLocal };

// What DynamoDB Local's ARNs name, whoever asks (DynamoDB Local 3.1.0, CreateTable).
inline constexpr std::string_view kLocalRegion = "ddblocal";
inline constexpr std::string_view kLocalAccount = "000000000000";

}  // namespace magneto::api
