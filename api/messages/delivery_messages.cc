#include "api/messages/delivery_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string no_such_destination(std::string_view stream_arn, std::string_view table) {
  return fmt::format(
      "Table is not in a valid state to enable Kinesis Streaming Destination: No streaming destination with streamArn: {} found for table with tableName: {}",
      stream_arn, table);
}

std::string destination_not_updatable(std::string_view table, std::string_view stream_arn) {
  return fmt::format(
      "Table is not in a valid state to enable Kinesis Streaming Destination: Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: {}, kdsArn: {}",
      table, stream_arn);
}

std::string same_precision(std::string_view precision, std::string_view table_id,
                           std::string_view stream_arn) {
  return fmt::format(
      "Invalid Request: Precision is already set to the desired value of {} for tableId: {}, kdsArn: {}",
      precision, table_id, stream_arn);
}

}  // namespace magneto::api::messages
