#include "storage/messages/background_messages.h"

#include <fmt/format.h>

namespace magneto::storage::messages {

std::string tried_again(std::string_view what, std::string_view why) {
  return fmt::format("{}: {}; trying again", what, why);
}

std::string backup_removed(std::string_view backup, std::string_view table, std::string_view why) {
  return fmt::format("the backup {} of table {} was removed: {}", backup, table, why);
}

std::string restore_ended(std::string_view table, std::string_view why) {
  return fmt::format("table {} was not restored and is removed: {}", table, why);
}

std::string replica_not_made(std::string_view table, std::string_view region,
                             std::string_view why) {
  return fmt::format("the replica of table {} in region {} was not created: {}", table, region,
                     why);
}

std::string history_shortened(std::string_view table) {
  return fmt::format(
      "point-in-time recovery has used its memory (--pitr-max-mb): from now on, table {} and others cannot be restored as far back as before",
      table);
}

std::string history_of_many_turns(std::string_view table, std::size_t most) {
  return fmt::format(
      "the clock was set back more than {} times between changes: from now on, table {} and others cannot be restored as far back as before",
      most, table);
}

std::string closing_failed(std::string_view why) { return fmt::format("closing: {}", why); }

}  // namespace magneto::storage::messages
