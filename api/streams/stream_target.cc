#include "api/streams/stream_target.h"

#include <string>

#include "api/error.h"
#include "api/messages/stream_messages.h"
#include "api/request/arn.h"

namespace magneto::api {

namespace {

constexpr std::string_view kStream = "/stream/";

}  // namespace

void check_stream_arn(std::string_view arn) {
  const std::size_t end = arn.find(kStream);
  if (end == std::string_view::npos || end + kStream.size() == arn.size() ||
      !split_table_arn(arn.substr(0, end))) {
    fail_validation(messages::invalid_stream_arn(arn));
  }
}

std::shared_ptr<const storage::StreamLog> find_stream(const storage::Database& database,
                                                      std::string_view arn) {
  check_stream_arn(arn);
  auto stream = database.find_stream(arn);
  if (stream == nullptr) {
    throw MissingTable(messages::stream_not_found(arn),
                       parse_table_arn(arn.substr(0, arn.find(kStream))).table_name);
  }
  return stream;
}

void fail_trimmed() { throw ApiError(ErrorType::kTrimmedDataAccess, messages::kTrimmed); }

}  // namespace magneto::api
