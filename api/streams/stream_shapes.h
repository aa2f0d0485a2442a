#pragma once

#include <array>
#include <string_view>

#include "api/validation/parameter_shapes.h"

// Shapes of the operations on streams (AWS API reference, "Amazon DynamoDB Streams").
namespace magneto::api {

inline constexpr Shape kStreamArnShape = with_range(kStringShape, 37, 1024);
inline constexpr Shape kShardIdShape = with_range(kStringShape, 28, 65);
inline constexpr MemberShape kStreamArn{"StreamArn", &kStreamArnShape, Required::kYes};

// The maximum number of streams or shards in one answer.
inline constexpr std::int64_t kMaxStreamPage = 100;
inline constexpr Shape kStreamPageLimitShape = with_range(kIntegerShape, 1, kMaxStreamPage);
inline constexpr MemberShape kStreamPageLimit{"Limit", &kStreamPageLimitShape};

}  // namespace magneto::api
