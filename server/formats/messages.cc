#include "server/formats/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::formats::messages {

std::string unreadable_source(std::string_view path, std::string_view why) {
  return fmt::format("cannot read {} ({})", path, why);
}

std::string damaged_source(std::string_view path, std::string_view coding) {
  return fmt::format("{} is no whole {} file: it is damaged or cut off", path, coding);
}

std::string wide_window(std::string_view path, std::size_t most) {
  return fmt::format(
      "{} needs a window of more than {} MB, as zstd --long and --ultra make it; compress it without them",
      path, most >> 20);
}

std::string unwritable_target(std::string_view path, std::string_view why) {
  return fmt::format("{} cannot be written: {}", path, why);
}

std::string target_exists(std::string_view path) {
  return fmt::format("{} exists already; --force replaces it", path);
}

std::string target_in_use(std::string_view path) {
  return fmt::format("{} is being written by another process", path);
}

std::string folder_exists(std::string_view path) {
  return fmt::format("{} is there already; an export is written into a folder of its own", path);
}

std::string other_output_format(std::string_view format) {
  return fmt::format("it is in the format {}; only DYNAMODB_JSON and ION can be imported", format);
}

std::string other_export_type(std::string_view type) {
  return fmt::format("it is of type {}; only FULL_EXPORT can be imported", type);
}

std::string other_item_count(std::string_view path, std::uint64_t found, std::uint64_t told) {
  return fmt::format("{} has {}, but the manifest says {}", path, system::counted(found, "item"),
                     told);
}

std::string at_record(std::string_view path, std::size_t line, std::string_view what) {
  return fmt::format("{}:{}: {}", path, line, what);
}

std::string other_cell(std::string_view column, std::string_view type) {
  return fmt::format("has no value of type {} in column {}", type, column);
}

std::string repeated_attribute(std::string_view name) {
  constexpr std::size_t kMostShown = 100;
  return fmt::format("has the attribute {} twice", name.substr(0, kMostShown));
}

std::string no_column_type(std::string_view column) {
  return fmt::format("column {} has no type; name it {}:S in the first line, or give --types {}:S",
                     column, column, column);
}

std::string repeated_column(std::string_view column) {
  return fmt::format("column {} is there twice", column);
}

std::string too_many_columns(std::size_t most) {
  return fmt::format("the items have more than {} different attributes, too many for columns",
                     most);
}

std::string inexpressible(std::string_view format, std::string_view type, std::string_view item) {
  return fmt::format("{} has no form for type {} of the item {}; --format json-typed has", format,
                     type, item);
}

}  // namespace magneto::server::formats::messages
