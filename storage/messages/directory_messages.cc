#include "storage/messages/directory_messages.h"

#include <fmt/format.h>

namespace magneto::storage::messages {

std::string directory_failure(std::string_view action, std::string_view directory,
                              std::string_view why) {
  return fmt::format("cannot {} data directory {}: {} (choose another --data-dir)", action,
                     directory, why);
}

std::string file_failure(std::string_view action, std::string_view file, std::string_view why) {
  return fmt::format("cannot {} {}: {} (choose another --data-dir)", action, file, why);
}

std::string denied_directory(std::string_view action, std::string_view directory,
                             std::string_view why, std::uint64_t user, std::uint64_t owner) {
  return fmt::format(
      "cannot {} data directory {}: {} (this is user {}, and the directory is user {}'s: give it to user {} or choose another --data-dir)",
      action, directory, why, user, owner, user);
}

std::string not_a_directory(std::string_view path) {
  return fmt::format("data directory {} is not a directory (choose another --data-dir)", path);
}

std::string directory_in_use(std::string_view directory) {
  return fmt::format(
      "data directory {} is in use by another Magneto (stop it or choose another --data-dir)",
      directory);
}

std::string newer_directory(std::string_view directory, int format, int newest) {
  return fmt::format(
      "data directory {} was written by a newer Magneto (format {}, this one knows {}); use that version or choose another --data-dir",
      directory, format, newest);
}

std::string saved_already(std::string_view path) {
  return fmt::format("{} exists already: choose another name", path);
}

std::string foreign_directory(std::string_view directory, std::string_view file) {
  return fmt::format(
      "data directory {} holds files that are not Magneto's ({}); choose an empty or new --data-dir",
      directory, file);
}

std::string open_to_others(std::string_view directory) {
  return fmt::format("other users can enter data directory {}; chmod -R go= {} keeps them out",
                     directory, directory);
}

std::string damaged_directory(std::string_view directory, std::string_view file) {
  return fmt::format("data directory {} is damaged: {}", directory, file);
}

std::string missing_in_directory(std::string_view directory, std::string_view file) {
  return fmt::format("data directory {} is damaged: {} is missing", directory, file);
}

std::string lost_file(std::string_view file, std::string_view why) {
  return fmt::format("data directory is damaged: cannot find {}: {}", file, why);
}

std::string shortened_file(std::string_view file, std::uint64_t bytes, std::uint64_t had) {
  return fmt::format("data directory is damaged: {} has {} bytes and had {}", file, bytes, had);
}

std::string shortened_log(std::string_view log, std::uint64_t change, std::uint64_t had) {
  return fmt::format(
      "data directory is damaged: the records of {} end with change {} and ended with {}", log,
      change, had);
}

std::string unreadable_table(std::string_view table, std::string_view why) {
  return fmt::format("{} cannot be read: {}", table, why);
}

std::string missing_table(std::string_view table) { return fmt::format("{} is missing", table); }

std::string engine_failure(std::string_view action, std::string_view directory,
                           std::string_view why) {
  return fmt::format("cannot {} data directory {}: {}", action, directory, why);
}

std::string engine_not_opened(std::string_view directory, std::string_view why,
                              std::string_view warning) {
  return fmt::format("cannot open data directory {}: {} ({})", directory, why, warning);
}

std::string manifest_not_opened(std::string_view file, std::string_view why) {
  return fmt::format("cannot open {}: {}", file, why);
}

std::string directory_not_listed(std::string_view directory, std::string_view why) {
  return fmt::format("cannot list {}: {}", directory, why);
}

std::string space_not_allocated(std::string_view file, std::string_view why) {
  return fmt::format("cannot allocate disk space in {}: {}", file, why);
}

}  // namespace magneto::storage::messages
