#include "storage/messages/record_messages.h"

#include <fmt/format.h>

namespace magneto::storage::messages {

std::string newer_queue_record(unsigned version) {
  return fmt::format(
      "the global index queue holds a record of version {}, which this version of Magneto cannot read",
      version);
}

std::string newer_stream_record(unsigned format) {
  return fmt::format("a stream record has format {}, which this version of Magneto cannot read",
                     format);
}

std::string damaged_schema(std::string_view schema, std::string_view damage) {
  return fmt::format("{} is damaged: {}", schema, damage);
}

std::string newer_schema(std::string_view schema, unsigned format, unsigned newest) {
  return fmt::format("{} has format {}, newer than this version of Magneto can read ({})", schema,
                     format, newest);
}

}  // namespace magneto::storage::messages
