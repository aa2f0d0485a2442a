#pragma once

#include <memory>
#include <string_view>

#include "storage/database.h"

namespace magneto::api {

// Throws ValidationException if `arn` is not the ARN of a stream.
void check_stream_arn(std::string_view arn);

// The stream with this ARN. Throws ValidationException, or ResourceNotFoundException if there is
// none.
std::shared_ptr<const storage::StreamLog> find_stream(const storage::Database& database,
                                                      std::string_view arn);

// Throws TrimmedDataAccessException.
[[noreturn]] void fail_trimmed();

}  // namespace magneto::api
