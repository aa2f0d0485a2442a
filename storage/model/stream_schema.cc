#include "storage/model/stream_schema.h"

namespace magneto::storage {

std::string stream_arn(std::string_view table_arn, std::string_view label) {
  return std::string(table_arn).append("/stream/").append(label);
}

}  // namespace magneto::storage
