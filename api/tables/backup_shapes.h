#pragma once

#include "api/validation/shape.h"

// Shapes that the operations on backups share.
namespace magneto::api {

inline constexpr Shape kBackupArnShape = with_range(kStringShape, 37, 1'024);
inline constexpr MemberShape kBackupArn{"BackupArn", &kBackupArnShape, Required::kYes};

}  // namespace magneto::api
